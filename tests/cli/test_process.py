"""The command's own process: its start and its end."""

import os
import subprocess
import sys

from sixmax.cli import process

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


def test_settle__loads_kernels_without_scipy_linalg():
    assert started() == "passive 3000\n"


def test_wait_briefly__leaves_what_the_user_says(monkeypatch):
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    process.wait_briefly()
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert "GOMP_SPINCOUNT" not in os.environ


def started():
    """The output of a process that settles and runs a kernel, without the settings of this one."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    done = subprocess.run(
        [sys.executable, "-c", STARTED], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_threshold()[0], len(gc.get_objects()), gc.get_freeze_count()))
from sixmax.cli import main
print(gc.get_threshold()[0], len(gc.get_objects()))
main()
"""


def test_main__does_not_look_for_cycles_in_what_is_there_at_the_end():
    """The first function registered runs last: no object is left to look through at the end."""
    command = [sys.executable, "-c", ENDING, "--version"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers = [int(x) for x in output.split() if x.isdigit()]
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
    command = [sys.executable, "-c", BLAS, "--version"]
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.splitlines()[-1] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.splitlines()[-1] == str(min(2, os.cpu_count() or 1))
