"""`make` as a user types it."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def make(*words):
    """The finished `make words` in the repository, as if no make had begun these tests."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    return subprocess.run(
        ["make", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_help__lists_targets_and_presets():
    lines = make("help").stdout.splitlines()
    names = [line.split()[0] for line in lines]
    assert {"run", "test", "lint", "bench"} <= set(names)
    assert lines[-1].startswith("presets: ")
    assert {"default", "tiny"} <= set(lines[-1].split())


def test_run__of_a_preset_that_there_is_not_names_those_there_are():
    done = make("run", "PRESET=tny")
    assert done.returncode == 2
    said = done.stderr.splitlines()[0]
    assert said.startswith("no preset tny; presets: ")
    assert {"default", "tiny"} <= set(said.split())
