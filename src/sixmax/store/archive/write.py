"""Write a packed file: same bytes for same content, whatever the clock and the threads."""

import hashlib
import io
import json
import lzma
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.files import write_bytes
from sixmax.base.progress import Done, Progress
from sixmax.store.archive import read
from sixmax.store.archive.read import PIECE, Columns, Manifest, Member, reordered, stored_as

_SMALL = 4096  # bytes, below which a member is stored as it is
# Policies and buckets are bytes, which do not come in fours as the default has it, in long repeats.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "pb": 0, "nice_len": 273}]
_OLDEST = (1980, 1, 1, 0, 0, 0)  # of a zip; the time of packing is not kept
_PLAIN_FILE = 0o100644 << 16


class MemberSource(NamedTuple):
    """A member to write: its path in the folder, and its content or the file that has it."""

    path: str
    content: bytes | Path
    columns: Columns | None = None  # of a table, in an order in which neighbours are alike

    @property
    def size(self) -> int:
        """Bytes."""
        content = self.content
        return len(content) if isinstance(content, bytes) else content.stat().st_size


def as_json(path: str, values: Any) -> MemberSource:
    """The member ``path`` with plain ``values`` as indented JSON."""
    return MemberSource(path, (json.dumps(values, indent=1) + "\n").encode())


def write(out: Path, name: str, sources: list[MemberSource], threads: int = 1) -> Manifest:
    """Write ``sources`` to the file ``out``, as a folder called ``name``; return its manifest.

    Raises ValueError for a name or path that a reader would refuse, UserError for a full disk.
    """
    total = sum(source.size for source in sources)
    largest_first = sorted(sources, key=lambda source: (-source.size, source.path))
    with Progress(total, f"{out.name}: pack", "B") as progress, ThreadPoolExecutor(threads) as pool:
        one_at_a_time = Lock()

        def done(size: int) -> None:
            with one_at_a_time:
                progress.add(size)

        packed = list(pool.map(lambda source: _packed(source, done), largest_first))
    packed.sort(key=lambda one: one[0]["path"])
    manifest: Manifest = {
        "format": read.FORMAT,
        "version": read.VERSION,
        "name": name,
        "members": [member for member, _ in packed],
    }
    read.check_content(manifest)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr(_entry(read.MANIFEST), json.dumps(manifest))
        for member, content in packed:
            file.writestr(_entry(stored_as(member)), content)
    write_bytes(out, whole.getvalue())
    return manifest


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _OLDEST)
    entry.create_system, entry.external_attr = 3, _PLAIN_FILE
    return entry


def _packed(source: MemberSource, done: Done) -> tuple[Member, bytes]:
    """The entry of the manifest, and the bytes in the file; ``done`` counts the bytes read."""
    whole = source.content
    if isinstance(whole, Path):
        whole = np.memmap(whole, np.uint8, "r") if source.size else b""
    member: Member = {
        "path": source.path,
        "size": source.size,
        "sha256": hashlib.sha256(memoryview(whole)).hexdigest(),
        "xz": False,
    }
    if source.size < _SMALL:
        done(source.size)
        return member, bytes(whole)
    encoder = lzma.LZMACompressor(lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=_FILTERS)
    parts = []
    for piece in _pieces(whole, source.columns):
        parts.append(encoder.compress(piece))
        done(len(piece))
    content = b"".join([*parts, encoder.flush()])
    if len(content) >= source.size:
        return member, bytes(whole)
    member["xz"] = True
    if source.columns is not None:
        member["columns"] = source.columns
    return member, content


def _pieces(whole: bytes | np.ndarray, columns: Columns | None) -> Iterator[bytes]:
    view, row = memoryview(whole), 1
    if columns is not None:
        row = len(columns["order"]) * columns["item"]
    step = max(1, PIECE // row) * row
    pieces = (bytes(view[first : first + step]) for first in range(0, len(view), step))
    return reordered(pieces, columns["order"], columns["item"]) if columns else pieces
