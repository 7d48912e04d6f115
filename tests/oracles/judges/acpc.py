"""The ACPC server's own code as a judge of our text, compiled from OpenSpiel's copy."""

import importlib.util
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

SOURCE = Path(__file__).with_name("acpc_referee.cc")
_PLACE = "games/universal_poker/acpc/project_acpc_server"


@cache
def referee() -> Path | None:
    """The compiled judge; None without a C++ compiler or that part of OpenSpiel."""
    spec = importlib.util.find_spec("open_spiel")
    theirs = Path(spec.submodule_search_locations[0], _PLACE) if spec else Path("nowhere")
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None or not (theirs / "game.cc").exists():
        return None
    result = Path(mkdtemp(prefix="referee")) / "referee"
    files = [SOURCE, theirs / "game.cc", theirs / "rng.cc"]
    subprocess.run([compiler, "-O1", "-w", f"-I{theirs}", *files, "-o", result], check=True)
    return result


def verdicts(game: Path, lines: list[str]) -> list[str]:
    """ "ok", or what is wrong, of each of ``lines``; ``game`` is a game definition."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        [referee(), game], input=text, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.splitlines()
