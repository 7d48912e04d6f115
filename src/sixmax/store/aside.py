"""Write a folder aside, and put it in the place of the old one in a moment."""

import glob
import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """The name of a hidden folder beside ``path``, which takes its place when the block ends.

    Where the block raises, everything stays as it was. Remains of killed writers are removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    new, old = _hidden(path), _hidden(path)
    try:
        yield new
        _swap(new, path, old)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _swap(new: Path, path: Path, old: Path) -> None:
    """Move ``new`` to ``path`` and the store there to ``old``; or leave everything as it was."""
    replaces = path.exists()
    if replaces:
        os.rename(path, old)
    try:
        os.rename(new, path)
    except OSError:
        if replaces:
            os.rename(old, path)
        raise


def _hidden(path: Path) -> Path:
    """A name beside ``path`` that tells which process of which machine made it."""
    owner = f"{socket.gethostname()}-{os.getpid()}"
    return path.parent / f".{path.name}.{owner}.{uuid.uuid4().hex[:8]}.tmp"


def _sweep(path: Path) -> None:
    """Remove the remains of killed writers of ``path``: of this machine, and no longer alive."""
    prefix = f".{path.name}.{socket.gethostname()}-"
    for left in path.parent.glob(f"{glob.escape(prefix)}*.tmp"):
        owner = left.name.removeprefix(prefix).split(".")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(left, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
