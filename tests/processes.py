"""Processes of their own, for tests of a command as a user types it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = sys.executable
SNAKEMAKE = (PYTHON, "-m", "snakemake")


def finished(*words, cwd=ROOT, text=True, given=None, **variables):
    """The process of ``words`` at its end, with its output as text, or as bytes.

    It reads ``given`` from a pipe; ``variables`` are added to the environment.
    """
    return subprocess.run(
        list(map(str, words)), cwd=cwd, env=os.environ | variables, capture_output=True, text=text,
        input=given,
    )  # fmt: skip


def printed(*words, **options):
    """The output of such a process, which has to succeed."""
    done = finished(*words, **options)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout
