"""The formats of hands: how a file is told, read and written. A format is a row of FORMATS."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sixmax.base.errors import UserError, printable
from sixmax.base.files import hidden
from sixmax.base.progress import Done, quiet, say
from sixmax.betting.config import GameConfig
from sixmax.hands import acpc, phh, phh_form
from sixmax.hands.hand_file import STDIN, HandFile, found, unpacked
from sixmax.hands.record import Parser, Record

_SHOWN = 60  # characters of a line of another format


class Format(NamedTuple):
    """A format of hands."""

    name: str
    mark: str  # how a person tells its files
    endings: tuple[str, ...]  # of names of files; the last is that of many hands
    recognises: Callable[[Sequence[str], str], bool]  # by the first lines and the ending
    # The place and text of each hand, and their parser; the rules are of files that name none.
    read: Callable[[HandFile, GameConfig | None], tuple[Iterator[tuple[str, str]], Parser]]
    head: Callable[[GameConfig], str]  # written before all hands
    form: Callable[[Record, int], str]  # written for a hand, by its place from 1 on
    totals: tuple[str, ...] = ()  # begins of texts that are no hand but a score, as Totals reads it


# A file that several recognise is of the first, and so is an empty one.
FORMATS = {
    "acpc": Format(
        "an ACPC log", "lines of STATE:…", (".log",), acpc.recognises, acpc.read,
        acpc.log_head, lambda record, place: acpc.log_line(record), ("SCORE:",),
    ),
    "phh": Format(
        "PHH", ".phh, .phhs", (".phh", ".phhs"), phh.recognises, phh.read,
        lambda game: "", lambda record, place: f"[{place}]\n{phh_form.form(record)}\n",
    ),
}  # fmt: skip


def names() -> str:
    """The names of all formats, for messages."""
    return " or ".join(kind.name for kind in FORMATS.values())


def recognised(head: Sequence[str], ending: str = "") -> Format | None:
    """The format of a file with the first lines ``head`` and a name that ends so, if any."""
    return next((kind for kind in FORMATS.values() if kind.recognises(head, ending)), None)


@contextmanager
def opened(file: Path, progress: Done = quiet) -> Iterator[tuple[Format, HandFile]]:
    """Open ``file``, as :func:`sixmax.hands.hand_file.unpacked`; its format, too.

    Raises UserError for a file of a format that is not read.
    """
    with unpacked(file, progress) as hands:
        kind = recognised(hands.head, hands.ending)
        said = [line.strip() for line in hands.head if line.strip() and not line.startswith("#")]
        if kind is None and said:
            begins = printable(said[0][:_SHOWN], lines=False)
            wanted = " or ".join(f"{each.name} ({each.mark})" for each in FORMATS.values())
            raise UserError(
                f"{hands.name}: begins with {begins!r}, which is of no format that is read; wanted "
                f"{wanted}"
            )
        yield kind or FORMATS["acpc"], hands


def histories(places: Iterable[Path]) -> list[Path]:
    """The files ``places``, and the histories in such folders. Raises UserError for none."""
    files: list[Path] = []
    endings = tuple(ending for kind in FORMATS.values() for ending in kind.endings)
    for place in places:
        inside = found(place, endings) if place.is_dir() else [place]
        if not inside:
            raise UserError(
                f"{place}: no hand histories ({', '.join(endings)}, or one of them .gz)"
            )
        if not place.is_dir() and place != STDIN and not place.exists():
            raise UserError(f"{place}: no such file")
        files += inside
    return files


def text_of(kind: Format, game: GameConfig, records: Iterable[Record]) -> str:
    """A whole file of format ``kind``: hands of ``game``."""
    return kind.head(game) + "".join(kind.form(record, k) for k, record in enumerate(records, 1))


@contextmanager
def written(path: Path, kind: Format, game: GameConfig) -> Iterator[Callable[[Record], None]]:
    """A function that writes hands of ``game`` one by one, as a file of format ``kind``.

    The file is written aside, and moved to ``path`` when all went well. Where a match was stopped,
    its hands are kept under a name with ``.part``.
    """
    hands, aside = 0, hidden(path)

    def add(record: Record) -> None:
        nonlocal hands
        hands += 1
        file.write(kind.form(record, hands))

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with aside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(kind.head(game))
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
