"""`make warm` leaves nothing to compile for the commands after it."""

import sys
from pathlib import Path

import pytest

from processes import ROOT, finished, printed

INSTALLED = ROOT / ".venv" / ".installed"
FIRST_USES = {  # commands of the README, on the run that the repository carries
    "advise": "AhKd --actions ffr250ffc/c --board 8d4d3s --setting fast",
    "match": "blueprint call --deals 200 --seed 1 --out {folder}/match.json",
    "gain": "--hands 4 --deals 50 --seed 1 --setting fast --out {folder}/gain.json",
}


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED.exists(), reason="make installs into .venv, which is missing")
def test_warm__later_commands_compile_nothing(tmp_path):
    places = {"NUMBA_CACHE_DIR": "kernels", "XDG_CACHE_HOME": "cache"}
    caches = {name: str(tmp_path / place) for name, place in places.items()}
    printed("make", "-C", ROOT, "warm", **caches)
    kernels = _kernels(tmp_path)
    assert kernels
    sixmax = Path(sys.executable).with_name("sixmax")
    for command, words in FIRST_USES.items():
        words = [command, "--run", ROOT / "starter.sixmax", *words.format(folder=tmp_path).split()]
        result = finished(sixmax, *words, **caches)
        assert result.returncode == 0, result.stderr
        assert "compiling kernels" not in result.stderr, command
    assert _kernels(tmp_path) - kernels == set(), "compiled after all"


def _kernels(folder):
    return {file.name for file in (folder / "kernels").rglob("*.nbc")}
