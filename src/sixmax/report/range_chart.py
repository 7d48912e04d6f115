"""A range as a square of hand classes: shapes for SVG, numbers for the page's script.

The colours are those of the explorer: fold grey, call teal, raises from pale to red with their
size, all-in violet. The height of a cell's colour is the reach of its class, beside the class that
comes most.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sixmax.cards.deck import class_names

CELL = 100  # units of the drawing
_NAMES = {"f": "fold", "c": "call"}


class Slice(NamedTuple):
    """An action: its name, its colour in CSS, percent over the range, and its shape (SVG path)."""

    name: str
    colour: str
    percent: float
    shape: str


class Chart(NamedTuple):
    """One spot; ``options`` with the largest raise first, as the cells are filled."""

    id: str
    seat: str
    against: str | None
    actions: str
    columns: int
    side: tuple[int, int]  # width and height, units
    options: list[Slice]
    trained: float  # percent of hands
    rows: str  # by class: reach, then the options; tenths of a percent

    @property
    def title(self) -> str:
        """BTN vs CO."""
        return f"{self.seat} vs {self.against}" if self.against else self.seat


def chart(
    spot: dict[str, Any], ranks: int | None, names: Sequence[str], big_blind: int, stack: int,
    prefix: str,
) -> Chart:  # fmt: skip
    """The chart of ``spot``, a record of :mod:`sixmax.evaluation.ranges`.

    ``names``: the words for a call and a raise there. ``stack``: chips of the seat, by which an
    all-in is known. A deck of R ranks gives R x R cells; the small games, which have no classes, a
    row of buckets. ``prefix`` begins the id.
    """
    columns = ranks or len(spot["classes"])
    words, colours = _options(spot["options"], names, big_blind, stack)
    order = range(len(words))[::-1]
    cells = [[row[k] for k in order] for row in spot["classes"]]
    most = max(spot["reach"]) or 100.0
    heights = [reach / most for reach in spot["reach"]]
    shapes = _shapes(cells, heights, columns)
    options = [
        Slice(words[k], colours[k], spot["total"][k], shape)
        for k, shape in zip(order, shapes, strict=True)
    ]
    numbers = zip(spot["reach"], cells, strict=True)
    rows = " ".join(",".join(f"{10 * p:.0f}" for p in (reach, *row)) for reach, row in numbers)
    rest = "-".join(filter(None, (spot["seat"], spot["against"])))
    return Chart(
        f"{prefix}-{rest}".lower(), spot["seat"], spot["against"], spot["actions"], columns,
        (CELL * columns, CELL * -(-len(cells) // columns)), options, spot["trained"], rows,
    )  # fmt: skip


def labels(ranks: int | None, count: int) -> list[tuple[str, int, int]]:
    """The name of each class and the middle of its cell."""
    columns = ranks or count
    names = class_names(ranks) if ranks else [str(i) for i in range(count)]
    places = (divmod(i, columns) for i in range(len(names)))
    half = CELL // 2
    return [(n, CELL * x + half, CELL * y + half) for n, (y, x) in zip(names, places, strict=True)]


def _options(
    options: Sequence[str], names: Sequence[str], big_blind: int, stack: int
) -> tuple[list[str], list[str]]:
    """The words and the colours of ``options`` ("f", "c", "r225")."""
    call, raise_ = names
    sizes = [o for o in options if o[0] == "r" and int(o[1:]) < stack]
    words, colours = [], []
    for option in options:
        if option[0] != "r":
            words.append(call if option == "c" else "fold")
            colours.append(f"var(--{_NAMES[option]})")
        elif option not in sizes:
            words.append("all-in")
            colours.append("var(--all-in)")
        else:
            words.append(f"{raise_} to {int(option[1:]) / big_blind:g}")
            at = sizes.index(option) / (len(sizes) - 1) if len(sizes) > 1 else 0.4
            shade = f"var(--raise-low), var(--raise-high) {100 * at:.0f}%"
            colours.append(f"color-mix(in oklab, {shade})")
    return words, colours


def _shapes(cells: list[list[float]], heights: Sequence[float], columns: int) -> list[str]:
    """A path an option; cells of a row that one option fills to the same height are one piece."""
    shapes: list[list[str]] = [[] for _ in cells[0]]
    pieces: list[list[int]] = []  # option, left, right, height and bottom of the row
    for i, (row, height) in enumerate(zip(cells, heights, strict=True)):
        y, x = divmod(i, columns)
        left, tall = float(CELL * x), round(CELL * height)
        for k, percent in enumerate(row):
            begin, left = round(left), left + CELL * percent / 100
            end, bottom = round(left), CELL * (y + 1)
            if end <= begin or not tall:
                continue
            if pieces and pieces[-1] == [k, pieces[-1][1], begin, tall, bottom]:
                pieces[-1][2] = end
            else:
                pieces.append([k, begin, end, tall, bottom])
    for k, begin, end, tall, bottom in pieces:
        shapes[k].append(f"M{begin} {bottom}h{end - begin}v-{tall}H{begin}z")
    return ["".join(shape) for shape in shapes]
