"""A bug planted in a copy of the package, and the test that must notice it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

ROOT = Path(__file__).parents[3]


class Mutation(NamedTuple):
    """``old`` becomes ``new``; ``test`` must notice. ``jit``: with the compiler, which is slow;
    ``threads``: it shows only where there are so many."""

    name: str
    old: str
    new: str
    test: str
    jit: bool = False
    threads: int = 1


def copy(folder):
    """A copy of the package in ``folder``."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "sixmax", folder / "sixmax", ignore=ignored)


def plant(folder, mutation):
    """Replace the text in the copy; it must occur there exactly once."""
    sources = {f: f.read_text(encoding="utf-8") for f in sorted(folder.rglob("*.py"))}
    hits = [f for f, text in sources.items() for _ in range(text.count(mutation.old))]
    assert len(hits) == 1, f"{mutation.old!r} occurs {len(hits)} times: say where to plant it"
    hits[0].write_text(sources[hits[0]].replace(mutation.old, mutation.new), encoding="utf-8")


def outcome(folder, test, jit):
    """pytest's exit status and output for ``test`` against the copy in ``folder``."""
    environment = {
        **os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(folder / "numba"), "NUMBA_DISABLE_JIT": "0" if jit else "1",
    }  # fmt: skip
    options = ["-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "slow or not slow"]
    command = [sys.executable, "-m", "pytest", *options, test]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def assert_caught(mutation, folder):
    if mutation.threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip(f"shows on {mutation.threads} threads, here is one")
    copy(folder)
    plant(folder, mutation)
    status, output = outcome(folder, mutation.test, mutation.jit)
    assert status == 1, output[-3000:]  # 1: a test failed; 2 to 5: it could not run
    assert re.search(r"^E  ", output, re.M), output[-3000:]
    assert not re.search(
        r"^E +(SyntaxError|NameError|TypeError|ImportError|NotImplementedError)", output, re.M
    ), output
