"""Locks between processes; the system drops them when the process that holds them ends."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from sixmax.base.errors import UserError

_held: list[int] = []


@contextmanager
def alone(path: Path, waiting: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Hold the lock ``path``; wait for another process that holds it, within ``waiting()``.

    Nothing is held where the place cannot be written, or the file system has no locks.
    """
    with ExitStack() as held:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = held.enter_context(path.open("ab"))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                with waiting():
                    fcntl.flock(file, fcntl.LOCK_EX)
        yield


def hold(path: str | Path) -> None:
    """Hold the lock ``path`` of a run, alone. Raises UserError where another process holds it."""
    path = Path(path)
    handle, taken = _take(path, fcntl.LOCK_EX)
    if not taken:
        owner = os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise UserError(
            f"{path.parent}: another snakemake (process {owner}) is working on this run; "
            "wait for it, stop it, or give this one another run name"
        )
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)


def use(path: str | Path, alone: bool) -> None:
    """Hold the lock ``path`` of a folder that runs share: with other readers, or ``alone``.

    Raises UserError where another process makes the folder, or uses it and this one is ``alone``.
    """
    path = Path(path)
    handle, taken = _take(path, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
    if not taken:
        os.close(handle)
        others, this = ("uses", "make it anew") if alone else ("makes", "read it")
        raise UserError(
            f"{path.parent}: another snakemake {others} this folder, and this one would {this}; "
            "wait until the other has ended, or stop it and start it after this one"
        )


def _take(path: Path, kind: int) -> tuple[int, bool]:
    """Open ``path`` and lock it until this process ends; False where that would have to wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return handle, False
    _held.append(handle)
    return handle, True
