"""Files and folders written whole or not at all: beside their place, then renamed."""

import codecs
import errno
import glob
import io
import json
import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sixmax.base.errors import UserError

FULL = (errno.ENOSPC, errno.EDQUOT)
_NAME = 40  # characters of a name that a hidden one has: names end at 255 bytes
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` as indented JSON with a newline at the end; see :func:`write_bytes`."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def read_json(path: str | Path, wanted: str) -> Any:
    """The plain values in the JSON file ``path``.

    ``wanted`` says what it should be, and which command writes it. Raises UserError where there is
    no such file or it is no JSON.
    """
    text = read_text(path, wanted)
    try:
        return json.loads(text)
    except ValueError as error:
        raise UserError(f"{path}: damaged: it is not JSON ({error}); wanted {wanted}") from None


def read_text(path: str | Path, wanted: str) -> str:
    """The text of ``path``, without a byte-order mark. Raises UserError where there is none."""
    try:
        content = Path(path).read_bytes()
        return io.TextIOWrapper(io.BytesIO(content), encoding(content)).read()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; wanted {wanted}") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; wanted {wanted}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: damaged: it is not text ({error}); wanted {wanted}") from None


def encoding(start: bytes) -> str:
    """UTF-8, or UTF-16 where ``start`` has its byte-order mark; the decoder drops the mark."""
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return "utf-16" if start.startswith(marks) else "utf-8-sig"


def write_text(path: str | Path, text: str) -> None:
    """Write ``text`` in UTF-8; see :func:`write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str | Path, content: bytes) -> None:
    """Make ``content`` the file ``path``, creating its folders and replacing an old one.

    A reader of ``path`` finds the old content or the new, never a part; a failure leaves nothing
    else behind. A pipe or device (/dev/stdout) is written as it is. Raises UserError where the
    disk is full.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path, content)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise UserError(full_disk(path, len(content))) from error


def _replace(path: Path, content: bytes) -> None:
    _sweep(path)
    new = hidden(path)
    try:
        new.write_bytes(content)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """A hidden place beside ``path`` for a folder that replaces it when the block ends.

    Where the block raises, everything stays as it was. Remains of killed writers are removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    new, old = hidden(path), hidden(path)
    try:
        yield new
        _swap(new, path, old)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _swap(new: Path, path: Path, old: Path) -> None:
    """Move ``new`` to ``path``, and a folder that is there to ``old``; or change nothing."""
    replaces = path.exists()
    if replaces:
        os.rename(path, old)
    try:
        os.rename(new, path)
    except OSError:
        if replaces:
            os.rename(old, path)
        raise


def hidden(path: Path) -> Path:
    """A name beside ``path`` with the machine and the process that writes it."""
    owner = f"{socket.gethostname()}-{os.getpid()}"
    return path.parent / f".{path.name[:_NAME]}.{owner}.{uuid.uuid4().hex[:8]}.tmp"


def _sweep(path: Path) -> None:
    """Remove the remains of killed writers of ``path``: of this machine, and no longer alive."""
    prefix = f".{path.name[:_NAME]}.{socket.gethostname()}-"
    for left in path.parent.glob(f"{glob.escape(prefix)}*.tmp"):
        owner = left.name.removeprefix(prefix).split(".")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(left, ignore_errors=True)  # a folder's
            with suppress(OSError):  # a file's
                left.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def bytes_in(folder: Path) -> int:
    """The size of all files below ``folder``; 0 where there is none."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def full_disk(path: Path, wanted: int) -> str:
    """The error message where the disk has no room for the ``wanted`` bytes of ``path``."""
    there = next(folder for folder in path.absolute().parents if folder.exists())
    free = shutil.disk_usage(there).free
    return (
        f"{path}: the disk is full (or your quota): {_size(wanted)} were wanted, "
        f"{_size(free)} are free; free some space and run again"
    )


def _size(n: int) -> str:
    return f"{n / 1e9:.2f} GB" if n >= 1e7 else f"{n / 1e3:,.1f} kB"
