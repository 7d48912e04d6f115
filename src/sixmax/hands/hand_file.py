"""Files of hands whatever their format: found in folders, unpacked, read line by line.

A file may be packed by gzip, begin with a byte-order mark, or be a pipe, so it is read once. ``-``
is the standard input.
"""

import gzip
import io
import itertools
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from sixmax.base.errors import UserError
from sixmax.base.files import encoding
from sixmax.base.progress import Done, quiet, say

STDIN = Path("-")
LONGEST = 1 << 20  # characters of a line: no more are kept in memory
_PACKED, _PACKED_START = ".gz", b"\x1f\x8b"
_HEAD = 1000  # lines in which a log names its game, and every file its format


class HandFile(NamedTuple):
    """An open file of hands."""

    name: str
    ending: str  # of its name, packed or not, in small letters
    head: list[str]  # its first lines
    lines: Iterator[str]  # all of them, in order; of one longer than LONGEST so much and one more


@contextmanager
def unpacked(file: Path, progress: Done = quiet) -> Iterator[HandFile]:
    """Open ``file``. ``progress`` counts as :func:`size` does: characters, of gzip bytes.

    Raises UserError where its gzip is damaged, also while its lines are taken.
    """
    name = name_of(file)
    with open(0, "rb", closefd=False) if file == STDIN else file.open("rb") as raw:
        packed = raw.peek(2)[:2] == _PACKED_START
        plain = gzip.GzipFile(fileobj=raw) if packed else raw
        try:
            # A carriage return alone ends no line, so that a damaged one stays one.
            stream = io.TextIOWrapper(plain, encoding(plain.peek(2)[:2]), "replace", newline="\n")
            source = raw if packed and raw.seekable() else None
            every = _counted(_lines(stream), source, progress)
            head = _head(every)
            yield HandFile(name, _ending(file), head, itertools.chain(head, every))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UserError(f"{name}: damaged: it cannot be unpacked ({error})") from None


def _counted(every: Iterator[str], source: BinaryIO | None, progress: Done) -> Iterator[str]:
    """``every`` line; ``progress`` gets its length, or the bytes that ``source`` gave for it."""
    before = 0
    for line in every:
        after = before + len(line) if source is None else source.tell()
        progress(after - before)
        before = after
        yield line


def _head(every: Iterator[str]) -> list[str]:
    """The first lines, _HEAD of them or LONGEST characters."""
    head, characters = [], 0
    for line in itertools.islice(every, _HEAD):
        head.append(line)
        characters += len(line)
        if characters > LONGEST:
            break
    return head


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines of ``stream``; of one longer than LONGEST its first LONGEST + 1 characters."""
    while line := stream.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith("\n"):
            line = stream.readline(LONGEST + 1)


def placed(log: HandFile) -> Iterator[tuple[str, str]]:
    """Place and text of each line of ``log`` that is neither empty nor a comment."""
    for number, line in enumerate(log.lines, start=1):
        if (line[0] != "#" and not line.isspace()) or len(line) > LONGEST:
            yield f"{log.name}, line {number:,}", line


def found(folder: Path, endings: tuple[str, ...], told: bool = True) -> list[Path]:
    """The files in ``folder``, and in its folders, that end so, also packed as .gz; sorted.

    Hidden ones, such as ``._x.phh`` in archives, are left out; their number is said if ``told``.
    """

    def refuse(error: OSError) -> None:
        raise error  # of a folder that cannot be read, which would be passed over

    inside = [
        Path(top, name) for top, _, names in os.walk(folder, onerror=refuse) for name in names
    ]
    files = sorted(file for file in inside if _ending(file) in endings)
    hidden = [file for file in files if any(p[0] == "." for p in file.relative_to(folder).parts)]
    if hidden and told:
        many = "a hidden file" if len(hidden) == 1 else f"{len(hidden):,} hidden files"
        say(f"{folder}: left out {many}, such as {hidden[0].relative_to(folder)}")
    return [file for file in files if file not in hidden]


def _ending(file: Path) -> str:
    """The ending of the name of ``file``, packed or not, in small letters."""
    return Path(file.name.lower().removesuffix(_PACKED)).suffix


def name_of(file: Path) -> str:
    """The name of ``file`` in messages."""
    return "standard input" if file == STDIN else str(file)


def size(files: Iterable[Path]) -> int:
    """Bytes of all ``files``; 0 where one is a pipe, whose end nobody knows."""
    sizes = [file.stat().st_size if file.is_file() else 0 for file in files]
    return sum(sizes) if all(sizes) else 0
