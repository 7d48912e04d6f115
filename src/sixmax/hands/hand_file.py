"""Files of hands: found in folders, opened, told apart by their first lines; and written.

A file may be packed by gzip, begin with a byte-order mark, or be a pipe, so it is read once. ``-``
is the standard input. A file is written hand by hand, whole or not at all.
"""

import gzip
import io
import itertools
import os
import re
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from sixmax.base.errors import UserError, printable
from sixmax.base.files import encoding
from sixmax.base.progress import say
from sixmax.betting.config import GameConfig
from sixmax.hands.acpc import log_head, log_line
from sixmax.hands.phh_form import form as form_phh
from sixmax.hands.record import Record

STDIN = Path("-")
LOG, PHH = (".log",), (".phh", ".phhs")
LONGEST = 1 << 20  # characters of a line: no more are kept in memory
_PACKED, _PACKED_START = ".gz", b"\x1f\x8b"
_HEAD = 1000  # lines in which a log names its game, and every file its format
_LOG_LINES = ("STATE:", "SCORE:")
_PHH_LINE = re.compile(r"\s*variant\s*=")
_SHOWN = 60  # characters of a line of another format


class HandFile(NamedTuple):
    """An open file of hands."""

    name: str
    is_phh: bool
    head: list[str]  # its first lines
    lines: Iterator[str]  # all of them, in order; of one longer than LONGEST so much and one more


@contextmanager
def opened(file: Path, progress: Callable[[int], None] = lambda n: None) -> Iterator[HandFile]:
    """Open ``file``. ``progress`` counts as :func:`size` does: characters, of gzip bytes.

    Raises UserError for a file of a format that is not read, and while its lines are taken where
    its gzip is damaged.
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
            whole, is_phh = itertools.chain(head, every), _is_phh(file, head)
            if is_phh:
                whole = (line.replace("\r\n", "\n") for line in whole)
            yield HandFile(name, is_phh, head, whole)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UserError(f"{name}: damaged: it cannot be unpacked ({error})") from None


def _counted(
    every: Iterator[str], source: BinaryIO | None, progress: Callable[[int], None]
) -> Iterator[str]:
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


def _is_phh(file: Path, head: list[str]) -> bool:
    """Whether a file that begins with ``head`` is PHH, and no log. Raises UserError for neither."""
    if any(line.startswith(_LOG_LINES) for line in head):
        return False
    if _ending(file) in PHH or any(map(_PHH_LINE.match, head)):
        return True
    said = [line.strip() for line in head if line.strip() and not line.startswith("#")]
    if said:
        begins = printable(said[0][:_SHOWN], lines=False)
        raise UserError(
            f"{name_of(file)}: begins with {begins!r}, which is of no format that is read; wanted "
            "an ACPC log (lines of STATE:…) or PHH (.phh, .phhs)"
        )
    return False


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


def histories(places: Iterable[Path]) -> list[Path]:
    """The files ``places``, and the histories in such folders. Raises UserError for none."""
    files: list[Path] = []
    for place in places:
        inside = found(place, (*LOG, *PHH)) if place.is_dir() else [place]
        if not inside:
            raise UserError(f"{place}: no hand histories (.log, .phh, .phhs, or one of them .gz)")
        if not place.is_dir() and place != STDIN and not place.exists():
            raise UserError(f"{place}: no such file")
        files += inside
    return files


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


@contextmanager
def _written(
    path: Path, head: str, form: Callable[[int, Record], str]
) -> Iterator[Callable[[Record], None]]:
    """A function that writes a hand: the text ``form`` of its place, from 1 on, and the record.

    The file is written aside, and moved to ``path`` when all went well. Where a match was stopped,
    its hands are kept under a name with ``.part``.
    """
    hands, aside = 0, path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")

    def add(record: Record) -> None:
        nonlocal hands
        hands += 1
        file.write(form(hands, record))

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with aside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(head)
            yield add
        os.replace(aside, path)
    except (UserError, KeyboardInterrupt):
        if hands:
            part = path.with_stem(path.stem + ".part")
            os.replace(aside, part)
            say(f"{part}: the {hands:,} hands that were played")
        raise
    finally:
        aside.unlink(missing_ok=True)


def acpc_log(path: Path, game: GameConfig) -> AbstractContextManager[Callable[[Record], None]]:
    """A log in writing: the game definition in comments, then a line a hand."""
    return _written(path, log_head(game), lambda place, record: log_line(record))


def phh_file(path: Path) -> AbstractContextManager[Callable[[Record], None]]:
    """A file of many hands (.phhs) in writing: each a table named by its place."""
    return _written(path, "", lambda place, record: f"[{place}]\n{form_phh(record)}\n")
