"""The start and the end of every command."""

import os
import subprocess
import sys

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


def test_threads__are_taken_from_the_workflow(monkeypatch):
    """Jobs of the workflow say their threads by SIXMAX_THREADS: a command's words do not change."""
    from click.testing import CliRunner

    from sixmax.cli.stages.blueprint import compress

    words = ["--run", "r", "--bias", "5", "--out", "o", "--check", "c"]
    taken = []
    monkeypatch.setattr(
        "sixmax.continuation.stage.compress", lambda threads, **_: taken.append(threads)
    )
    for variables, more in ({}, []), ({"SIXMAX_THREADS": "3"}, []), ({}, ["--threads", "2"]):
        assert CliRunner(env=variables).invoke(compress, [*words, *more]).exit_code == 0
    assert taken == [1, 3, 2]


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
