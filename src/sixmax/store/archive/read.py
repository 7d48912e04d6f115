"""Open a packed file. Nothing in it is trusted, and nothing is unpickled or evaluated.

Names, sizes and digests are held against the manifest before and while a member is read, a piece
at a time: whatever a file claims, it takes no more memory or disk than its manifest says.
"""

import hashlib
import json
import lzma
import struct
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Progress
from sixmax.store.archive import manifest as manifests
from sixmax.store.archive.manifest import Columns, Manifest, Member, foreign, stored_as

_PIECE = 1 << 20  # bytes read at a time
_MOST_MANIFEST = 4 << 20  # bytes
_MEMORY = 128 << 20  # bytes that an .xz stream may ask for
_BROKEN = (
    zipfile.BadZipFile, lzma.LZMAError, struct.error, EOFError, KeyError, MemoryError,
    NotImplementedError, OSError, RecursionError, RuntimeError, ValueError,
)  # fmt: skip


class MemberSizes(NamedTuple):
    """A member in a listing: its bytes in the folder and in the packed file."""

    path: str
    size: int
    packed: int


class Archive:
    """An opened packed file; :func:`opened` makes it. Its errors are UserErrors of one line."""

    def __init__(self, path: Path, file: zipfile.ZipFile):
        self.path, self._file = path, file
        self.manifest = _manifest(path, file)
        self._members = {member["path"]: member for member in self.manifest["members"]}

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.manifest["name"]

    @property
    def size(self) -> int:
        """Bytes of all members once they are unpacked."""
        return sum(member["size"] for member in self._members.values())

    def parts(self) -> list[MemberSizes]:
        """Every member, in the order of the manifest."""
        size = {path: self._file.getinfo(stored_as(m)) for path, m in self._members.items()}
        return [MemberSizes(p, m["size"], size[p].file_size) for p, m in self._members.items()]

    def read(self, path: str) -> bytes:
        """The content of one member. Raises UserError where there is none, or it is damaged."""
        if path not in self._members:
            raise foreign(self.path, f"it has no {path}")
        return b"".join(self._content(self._members[path]))

    def check(self) -> None:
        """Hold every member against its digest. Raises UserError for the first that differs."""

        def skip(member: Member, pieces: Iterator[bytes]) -> None:
            for _ in pieces:
                pass

        self._each(skip, "check")

    def extract(self, folder: Path) -> None:
        """Write all members below the new ``folder``.

        Raises UserError where one is damaged; it is for the caller to remove the folder then.
        """

        def write(member: Member, pieces: Iterator[bytes]) -> None:
            path = folder / member["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.writelines(pieces)

        folder.mkdir(parents=True)
        self._each(write, "unpack")

    def complete(self, folder: Path) -> bool:
        """Whether ``folder`` has all members, by their sizes."""
        sizes = [(folder / path, member["size"]) for path, member in self._members.items()]
        return all(path.is_file() and path.stat().st_size == size for path, size in sizes)

    def _each(self, action: Callable[[Member, Iterator[bytes]], None], label: str) -> None:
        with Progress(self.size, f"{self.path.name}: {label}", "B") as progress:
            for member in self._members.values():
                action(member, _counted(self._content(member), progress))

    def _content(self, member: Member) -> Iterator[bytes]:
        """The bytes of a member, in pieces; whether they are right is known at their end."""
        digest, left = hashlib.sha256(), member["size"]
        with _told(self.path, member["path"]), self._file.open(stored_as(member)) as raw:
            pieces = _unpacked(raw) if member["xz"] else iter(lambda: raw.read(_PIECE), b"")
            if columns := member.get("columns"):
                pieces = _as_they_were(pieces, columns)
            for piece in pieces:
                left -= len(piece)
                if left < 0:
                    raise ValueError(f"longer than the {member['size']:,} bytes of the manifest")
                digest.update(piece)
                yield piece
            if left:
                raise ValueError(f"{left:,} bytes shorter than the manifest says")
            if digest.hexdigest() != member["sha256"]:
                raise ValueError("its content does not match its digest")


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """The packed file ``path``. Raises UserError where it is none, damaged, or later than we.

    Members are checked when they are read.
    """
    with _told(path, "list of members"):
        if not zipfile.is_zipfile(path):
            raise foreign(path, "it is no zip file, or cut off")
        file = zipfile.ZipFile(path)
    with file:
        yield Archive(path, file)


@contextmanager
def _told(path: Path, part: str) -> Iterator[None]:
    """Errors of reading become a UserError of one line."""
    try:
        yield
    except _BROKEN as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise UserError(f"{path}: damaged: {part}: {why}; get the file again") from error


def _manifest(path: Path, file: zipfile.ZipFile) -> Manifest:
    """The manifest, once all entries agree with it."""
    if manifests.FILE not in file.namelist():
        raise foreign(path, f"it has no {manifests.FILE}")
    with _told(path, manifests.FILE):
        entry = file.getinfo(manifests.FILE)
        if entry.file_size > _MOST_MANIFEST or not manifests.is_stored(entry):
            raise ValueError(f"compressed, or longer than {_MOST_MANIFEST:,} bytes")
        values = json.loads(file.read(entry))
    manifests.check_kind(path, values)
    with _told(path, manifests.FILE):
        manifests.check_content(values)
    manifests.check_entries(path, values, file.infolist())
    return values


def _counted(pieces: Iterator[bytes], progress: Progress) -> Iterator[bytes]:
    for piece in pieces:
        yield piece
        progress.add(len(piece))


def _unpacked(raw: BinaryIO) -> Iterator[bytes]:
    """The content of the .xz stream ``raw``, a piece at a time, however well it was packed."""
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
    while not decoder.eof:
        packed = raw.read(_PIECE) if decoder.needs_input else b""
        if decoder.needs_input and not packed:
            raise EOFError("cut off")
        if piece := decoder.decompress(packed, _PIECE):
            yield piece
    if decoder.unused_data or raw.read(1):
        raise ValueError("bytes after its end")


def _as_they_were(pieces: Iterator[bytes], columns: Columns) -> Iterator[bytes]:
    """The rows of a table in their own order of columns, from those in ``columns``."""
    before, row, waiting = np.argsort(columns["order"]), row_bytes(columns), b""
    for piece in pieces:
        waiting += piece
        if whole := len(waiting) // row * row:
            yield reordered(waiting[:whole], before, columns["item"])
            waiting = waiting[whole:]
    yield waiting


def row_bytes(columns: Columns) -> int:
    """Bytes of a row of the table."""
    return len(columns["order"]) * columns["item"]


def reordered(rows: bytes, order: Sequence[int] | np.ndarray, item: int) -> bytes:
    """Whole rows of elements of ``item`` bytes, the columns in ``order`` int[columns]."""
    table = np.frombuffer(rows, f"u{item}").reshape(-1, len(order))
    return table[:, np.asarray(order)].tobytes()
