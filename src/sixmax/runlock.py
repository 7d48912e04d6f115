"""One workflow at a time on a run: a lock that the system drops when its process ends."""

import fcntl
import os
from pathlib import Path

from sixmax.errors import UserError

_held: list[int] = []


def hold(path: str | Path) -> None:
    """Take the lock ``path`` until this process ends. Raises UserError where another holds it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise UserError(
            f"{path.parent}: another snakemake (process {owner}) is working on this run; "
            "wait for it, stop it, or give this one another run name"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    _held.append(handle)
