"""The command's own process: its start and its end."""

import os
import subprocess

import pytest

from processes import PYTHON, ROOT, finished, printed
from sixmax.cli import process
from sixmax.hands.acpc import form_game
from sixmax.hands.record import rules

STARTED = """
import os, sys
before = list(sys.meta_path)
from sixmax.cli.process import settle
settle()
import numpy as np
import sixmax.cfr.regret as regret
regret.match(np.zeros(2, np.int32), 0, 2, np.zeros(2))
assert "scipy.linalg" not in sys.modules
assert sys.meta_path == before
import numba
dot = numba.njit(lambda a, b: np.dot(a, b))
assert dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 11.0
import sklearn.cluster, scipy.linalg
print(os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"])
"""


def sixmax(*words, **variables):
    """The finished process of `sixmax words`; its output is bytes."""
    return finished(PYTHON, "-m", "sixmax", *words, text=False, **variables)


def test_settle__loads_kernels_without_scipy_linalg(monkeypatch):
    for name in [name for name in os.environ if name.startswith(("OMP_", "GOMP_"))]:
        monkeypatch.delenv(name)
    assert printed(PYTHON, "-c", STARTED).split() == ["passive", "3000"]


def test_wait_briefly__leaves_what_the_user_says(monkeypatch):
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    process.wait_briefly()
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert "GOMP_SPINCOUNT" not in os.environ


ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_threshold()[0], len(gc.get_objects()), gc.get_freeze_count()))
from sixmax.cli import main
print(gc.get_threshold()[0], len(gc.get_objects()))
main()
"""


def test_main__does_not_look_for_cycles_in_what_is_there_at_the_end():
    """The first function registered runs last: no object is left to look through at the end."""
    numbers = [int(x) for x in printed(PYTHON, "-c", ENDING, "--version").split() if x.isdigit()]
    before, imported, threshold, looked_through, frozen = numbers
    assert threshold > 10 * before
    assert frozen > 0.9 * imported
    assert looked_through < 0.01 * imported


BLAS = """
from sixmax.cli import main
try:
    main()
finally:
    import numpy
    from threadpoolctl import threadpool_info
    print(*[x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"])
"""


def test_main__leaves_blas_one_thread_unless_it_is_told_otherwise(monkeypatch):
    """Else the sums of a matrix product could depend on the number of cores."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert printed(PYTHON, "-c", BLAS, "--version").split()[-1] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    assert printed(PYTHON, "-c", BLAS, "--version").split()[-1] == str(min(2, os.cpu_count() or 1))


def test_main__is_a_module_too():
    done = sixmax("--version")
    assert done.returncode == 0
    assert b"version" in done.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("words", [["replay"], ["review", "--run", "no"]])
def test_output__of_a_terminal_without_our_characters(tmp_path, encoding, words):
    """The file has more mistakes than are named, and a player whose name no terminal has."""
    log = tmp_path / "x.log"
    hand = "STATE:1:ff:||:-50|50|0:\u010carda|b|c\n"
    log.write_text("STATE:1\n" * 25 + hand, encoding="utf-8")
    game = tmp_path / "x.game"
    game.write_text(form_game(rules([300] * 3, [50, 100, 0], [0] * 3, [2, 0, 0, 0])))
    more = ["--game", str(game)] if words == ["replay"] else []
    done = sixmax(*words, str(log), *more, PYTHONIOENCODING=encoding)
    assert done.returncode == (1 if words == ["replay"] else 2), done.stderr
    assert b"Traceback" not in done.stderr
    if words == ["replay"]:
        text = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)  # click's choice
        has = encoding in ("utf-8", "ascii")
        assert ("\u010carda" if has else r"\u010carda") in text
        assert " and 5 more" in text


def test_output__printed_by_every_way_of_ours():
    """click puts UTF-8 in the place of ASCII by itself; print does not."""
    code = "import sys; from sixmax import cli; cli.app = lambda **_: print('\u2212 \u2026'); "
    words = PYTHON, "-c", code + "cli.main()"
    done = finished(*words, text=False, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stdout) == (0, rb"\u2212 \u2026" + b"\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["show", "starter.sixmax"]])
def test_output__that_is_full_is_one_line(words):
    command = [PYTHON, "-m", "sixmax", *words]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    assert done.returncode == 2
    said = done.stderr.decode().splitlines()
    assert said[-1].startswith("sixmax: standard output")
    assert said[-1].endswith(": No space left on device")
    assert [line for line in said if line.startswith(("Traceback", "Exception"))] == []


@pytest.mark.parametrize("home", ["/dev/null", "/proc/nobody"])
def test_home__that_cannot_be_written_names_the_variable(home, tmp_path):
    words = ["strategy", "--run", str(ROOT / "starter.sixmax")]
    done = sixmax(*words, HOME=home, XDG_CACHE_HOME="", SIXMAX_UNPACKED="")
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert "cannot be unpacked there" in line
    assert "in SIXMAX_UNPACKED" in line
