"""Packed files and their manifest: the format, and how one is opened.

A packed file is a zip whose members are stored, the larger ones as .xz, so that `unzip` and `xz`
open it too. Its first member is the manifest. Nothing in the file is trusted, and nothing is
unpickled or evaluated: names, sizes and digests are held against the manifest before and while a
member is read, a piece at a time, so that no file takes more memory or disk than its manifest says.
"""

import hashlib
import json
import lzma
import re
import stat
import struct
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal, NamedTuple, NotRequired

import numpy as np
from pydantic import NonNegativeInt, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from sixmax.base.errors import UserError
from sixmax.base.progress import Progress

FORMAT, VERSION, MANIFEST = "sixmax/pack", 1, "manifest.json"
# No hidden file, no "..", nothing absolute, no drive, no backslash.
_SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAME = re.compile(_SEGMENT)
_PATH = re.compile(rf"{_SEGMENT}(/{_SEGMENT})*")
PIECE = 1 << 20  # bytes read at a time
_MOST_MANIFEST = 4 << 20  # bytes
_MEMORY = 128 << 20  # bytes that an .xz stream may ask for
_BROKEN = (
    zipfile.BadZipFile, lzma.LZMAError, struct.error, EOFError, KeyError, MemoryError,
    NotImplementedError, OSError, RecursionError, RuntimeError, ValueError,
)  # fmt: skip


class Columns(TypedDict):
    """A table whose columns are stored in another order, in which neighbours are alike."""

    order: list[NonNegativeInt]  # the column that comes first, second, …
    item: Literal[1, 2, 4, 8]  # bytes of an element


class Member(TypedDict):
    path: str
    size: NonNegativeInt  # bytes
    sha256: str
    xz: bool
    columns: NotRequired[Columns]


class Manifest(TypedDict):
    """All that is in a packed file."""

    format: str
    version: int
    name: str  # of the folder
    members: list[Member]


_FORM = TypeAdapter(Manifest)


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
        self.name = self.manifest["name"]  # of the folder
        self._members = {member["path"]: member for member in self.manifest["members"]}

    @property
    def size(self) -> int:
        """Bytes of all members once they are unpacked."""
        return sum(member["size"] for member in self._members.values())

    def parts(self) -> list[MemberSizes]:
        """Every member, in the order of the manifest."""
        size = {path: self._file.getinfo(stored_as(m)) for path, m in self._members.items()}
        return [MemberSizes(p, m["size"], size[p].file_size) for p, m in self._members.items()]

    def read(self, path: str) -> bytes:
        """The content of one member. Raises UserError where it is missing or damaged."""
        if path not in self._members:
            raise foreign(self.path, f"it has no {path}")
        return b"".join(self._content(self._members[path]))

    def check(self) -> None:
        """Hold every member against its digest. Raises UserError for the first that differs."""
        self._each(lambda member, pieces: deque(pieces, 0), "check")

    def extract(self, folder: Path) -> None:
        """Write all members below the new ``folder``, which stays where one is damaged."""

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

    def _each(self, action: Callable[[Member, Iterator[bytes]], Any], label: str) -> None:
        with Progress(self.size, f"{self.path.name}: {label}", "B") as progress:
            for member in self._members.values():
                action(member, _counted(self._content(member), progress))

    def _content(self, member: Member) -> Iterator[bytes]:
        """The bytes of a member, in pieces; they are checked at the end."""
        digest, left = hashlib.sha256(), member["size"]
        with _told(self.path, member["path"]), self._file.open(stored_as(member)) as raw:
            pieces = _unpacked(raw) if member["xz"] else iter(lambda: raw.read(PIECE), b"")
            if columns := member.get("columns"):
                pieces = reordered(pieces, np.argsort(columns["order"]), columns["item"])
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
    """The packed file ``path``; its members are checked when they are read.

    Raises UserError where it is none, damaged, or of another version.
    """
    with _told(path, "list of members"):
        if not zipfile.is_zipfile(path):
            raise foreign(path, "it is no zip file, or cut off")
        file = zipfile.ZipFile(path)
    with file:
        yield Archive(path, file)


@contextmanager
def _told(path: Path, part: str) -> Iterator[None]:
    """Turn errors of reading into a UserError of one line."""
    try:
        yield
    except _BROKEN as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise UserError(f"{path}: damaged: {part}: {why}; get the file again") from error


def _manifest(path: Path, file: zipfile.ZipFile) -> Manifest:
    """The manifest, once all entries agree with it."""
    if MANIFEST not in file.namelist():
        raise foreign(path, f"it has no {MANIFEST}")
    with _told(path, MANIFEST):
        entry = file.getinfo(MANIFEST)
        if entry.file_size > _MOST_MANIFEST or not _is_stored(entry):
            raise ValueError(f"compressed, or longer than {_MOST_MANIFEST:,} bytes")
        values = json.loads(file.read(entry))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise foreign(path, "its manifest is of another kind")
    if values.get("version") != VERSION:
        raise UserError(
            f"{path}: found version {values.get('version')!r} of packed runs, wanted {VERSION}; "
            "use the version of sixmax that wrote it"
        )
    with _told(path, MANIFEST):
        check_content(values)
    _check_entries(path, values, file.infolist())
    return values


def _counted(pieces: Iterator[bytes], progress: Progress) -> Iterator[bytes]:
    for piece in pieces:
        yield piece
        progress.add(len(piece))


def _unpacked(raw: BinaryIO) -> Iterator[bytes]:
    """The content of the .xz stream ``raw``; no piece is larger than PIECE."""
    decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
    while not decoder.eof:
        packed = raw.read(PIECE) if decoder.needs_input else b""
        if decoder.needs_input and not packed:
            raise EOFError("cut off")
        if piece := decoder.decompress(packed, PIECE):
            yield piece
    if decoder.unused_data or raw.read(1):
        raise ValueError("bytes after its end")


def reordered(
    pieces: Iterable[bytes], order: Sequence[int] | np.ndarray, item: int
) -> Iterator[bytes]:
    """The rows of a table of elements of ``item`` bytes, with the columns in ``order``."""
    row, waiting = len(order) * item, b""
    for piece in pieces:
        waiting += piece
        if whole := len(waiting) // row * row:
            table = np.frombuffer(waiting[:whole], f"u{item}").reshape(-1, len(order))
            yield table[:, np.asarray(order)].tobytes()
            waiting = waiting[whole:]
    yield waiting


def foreign(path: Path, fault: str) -> UserError:
    """The error that ``path`` is no packed file."""
    return UserError(f"{path}: not a packed run ({fault}); wanted a file that `sixmax pack` wrote")


def check_content(values: Any) -> None:
    """Raise ValueError where a manifest is misshapen, or a path in it may not be written to."""
    try:
        _FORM.validate_python(values, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    paths = [member["path"] for member in values["members"]]
    for path in paths:
        if not _PATH.fullmatch(path):
            raise ValueError(f"{path!r} is no path in a folder")
    if not _NAME.fullmatch(values["name"]):
        raise ValueError(f"{values['name']!r} is no name of a folder")
    files = {path.lower() for path in paths}
    folders = {str(above) for path in files for above in PurePosixPath(path).parents}
    if len(files) < len(paths) or files & folders:
        raise ValueError("a path occurs twice, or as file and folder")
    for member in values["members"]:
        if columns := member.get("columns"):
            order, row = columns["order"], len(columns["order"]) * columns["item"]
            if not order or sorted(order) != list(range(len(order))) or member["size"] % row:
                raise ValueError(f"{member['path']}: no order of its columns")


def _check_entries(path: Path, manifest: Manifest, entries: list[zipfile.ZipInfo]) -> None:
    """Raise UserError where the zip ``path`` has other members, or one that is no plain file."""
    names = [entry.filename for entry in entries]
    wanted = {MANIFEST, *map(stored_as, manifest["members"])}
    if len(set(names)) < len(names) or set(names) != wanted:
        raise foreign(path, "its members are not those of its manifest")
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if entry.is_dir() or kind not in (0, stat.S_IFREG):
            raise foreign(path, f"{entry.filename!r} is no plain file")
        if not _is_stored(entry):
            raise foreign(path, f"{entry.filename!r} is compressed or encrypted by zip")


def _is_stored(entry: zipfile.ZipInfo) -> bool:
    """Whether the bytes of an entry lie in the zip as they are."""
    plain = entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1
    return plain and entry.file_size == entry.compress_size


def stored_as(member: Member) -> str:
    """The name of a member in the zip."""
    return member["path"] + (".xz" if member["xz"] else "")
