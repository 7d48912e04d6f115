"""Locks: a run has one holder; a shared folder has many readers or one maker."""

import contextlib
import subprocess
import sys

import pytest

from sixmax.base import locks

HOLD = "import sys; from sixmax.base import locks; locks.{}; print('held', flush=True); input()"


@pytest.fixture
def other():
    """Start another process that holds a lock; it is stopped when the test ends."""
    started = []

    def start(call: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD.format(call)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_hold__a_second_is_refused_with_one_line_that_names_the_first(tmp_path, other, refused):
    path = tmp_path / "run" / ".lock"
    process = other(f"hold({str(path)!r})")
    with refused(f"process {process.pid}) is working on this run"):
        locks.hold(path)


def test_hold__ends_with_its_process(tmp_path, other):
    path = tmp_path / ".lock"
    process = other(f"hold({str(path)!r})")
    process.kill()
    process.wait()
    locks.hold(path)


@pytest.mark.parametrize(
    ("theirs", "mine", "words"),
    [
        (False, False, None),
        (True, False, "another snakemake makes this folder"),
        (False, True, "another snakemake uses this folder"),
        (True, True, "another snakemake uses this folder"),
    ],
)
def test_use__many_read_or_one_makes(tmp_path, other, theirs, mine, words, refused):
    path = tmp_path / "features" / ".lock"
    other(f"use({str(path)!r}, alone={theirs})")
    with refused(words) if words else contextlib.nullcontext():
        locks.use(path, alone=mine)
