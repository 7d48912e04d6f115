"""Ranges before the flop: first in, facing a raise, facing a three-bet; a chart a spot.

A chart is a square of hand classes: shapes for SVG, numbers for the page's script. The colours are
those of the explorer: fold grey, call teal, raises from pale to red with their size, all-in violet.
The height of a cell's colour is the reach of its class, beside the class that comes most.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sixmax.betting.config import positions
from sixmax.cards.deck import class_names
from sixmax.report.gather import Inputs
from sixmax.report.template import explore

CELL = 100  # units of the drawing
_NAMES = {"f": "fold", "c": "call"}
# Kind of spot in the record -> its title, and the words for a call and a raise there.
_KINDS = {
    "first_in": ("First in", ("limp", "raise")),
    "facing_raise": ("Facing a raise", ("call", "3-bet")),
    "facing_three_bet": ("Facing a 3-bet", ("call", "4-bet")),
}


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None for a game without a fold before the first bet."""
    record = inputs.ranges
    groups = [_group(inputs, kind, record[kind]) for kind in _KINDS if record[kind]]
    if not groups:
        return None
    first = groups[0]["charts"][0]["chart"]
    names = labels(record["ranks"], len(first["rows"].split()))
    return {"groups": groups, "labels": names, "cell": CELL, "first": first}


def _group(inputs: Inputs, kind: str, spots: list[dict[str, Any]]) -> dict[str, Any]:
    """The charts of one kind of spot, each with its place in the table of a wide screen."""
    title, words = _KINDS[kind]
    game, bb = inputs.settings["game"], inputs.big_blind
    seats = positions(len(game["stacks"]), game["first"][0])
    rows = sorted({s["seat"] for s in spots}, key=lambda s: _order(game, seats, s))
    columns = sorted({s["against"] or "" for s in spots}, key=lambda s: _order(game, seats, s))
    charts = []
    for spot in spots:
        stack = game["stacks"][seats.index(spot["seat"])]
        drawn = chart(spot, inputs.ranges["ranks"], words, bb, stack, kind)
        row, column = rows.index(spot["seat"]) + 1, columns.index(spot["against"] or "") + 1
        link = explore(spot["actions"])
        charts.append({"chart": drawn, "link": link, "row": row, "column": column})
    return {
        "id": kind.replace("_", "-"), "title": title, "charts": charts, "columns": len(columns),
        "raises": _raises(spots, bb),
    }  # fmt: skip


def _order(game: dict[str, Any], seats: tuple[str, ...], name: str) -> int:
    """When ``name`` acts in the first round."""
    return (seats.index(name) - game["first"][0]) % len(seats) if name else 0


def _raises(spots: list[dict[str, Any]], big_blind: int) -> str:
    """The sizes of the raises that are faced: "2.25 to 3"."""
    last = {int(s["actions"].rpartition("r")[2].rstrip("fc")) for s in spots if "r" in s["actions"]}
    sizes = [f"{chips / big_blind:g}" for chips in (min(last), max(last))] if last else []
    return " to ".join(dict.fromkeys(sizes))


def chart(
    spot: dict[str, Any], ranks: int | None, names: Sequence[str], big_blind: int, stack: int,
    prefix: str,
) -> dict[str, Any]:  # fmt: skip
    """The chart of ``spot``, a record of :mod:`sixmax.evaluation.ranges`.

    ``names``: the words for a call and a raise there. ``stack``: chips of the seat, by which an
    all-in is known. A deck of R ranks gives R x R cells; the small games, which have no classes, a
    row of buckets. ``prefix`` begins the id. ``options`` have the largest raise first: name, colour
    in CSS, percent over the range, shape (an SVG path). ``side``: width and height. ``trained``:
    percent of hands. ``rows``: by class the reach, then the options, tenths of a percent.
    """
    columns = ranks or len(spot["classes"])
    words, colours = zip(*_options(spot["options"], names, big_blind, stack), strict=True)
    order = range(len(words))[::-1]
    cells = [[row[k] for k in order] for row in spot["classes"]]
    most = max(spot["reach"]) or 100.0
    heights = [reach / most for reach in spot["reach"]]
    shapes = _shapes(cells, heights, columns)
    options = [
        {"name": words[k], "colour": colours[k], "percent": spot["total"][k], "shape": shape}
        for k, shape in zip(order, shapes, strict=True)
    ]
    numbers = zip(spot["reach"], cells, strict=True)
    rows = " ".join(",".join(f"{10 * p:.0f}" for p in (reach, *row)) for reach, row in numbers)
    seats = list(filter(None, (spot["seat"], spot["against"])))
    return {
        "id": "-".join([prefix, *seats]).lower(), "title": " vs ".join(seats), "columns": columns,
        "side": (CELL * columns, CELL * -(-len(cells) // columns)), "options": options,
        "trained": spot["trained"], "rows": rows,
    }  # fmt: skip


def labels(ranks: int | None, count: int) -> list[tuple[str, int, int]]:
    """The name of each class and the middle of its cell."""
    columns = ranks or count
    names = class_names(ranks) if ranks else [str(i) for i in range(count)]
    places = (divmod(i, columns) for i in range(len(names)))
    half = CELL // 2
    return [(n, CELL * x + half, CELL * y + half) for n, (y, x) in zip(names, places, strict=True)]


def _options(
    options: Sequence[str], names: Sequence[str], big_blind: int, stack: int
) -> Iterator[tuple[str, str]]:
    """The word and the colour of each of ``options`` ("f", "c", "r225")."""
    call, raise_ = names
    sizes = [o for o in options if o[0] == "r" and int(o[1:]) < stack]
    for option in options:
        if option[0] != "r":
            yield call if option == "c" else "fold", f"var(--{_NAMES[option]})"
        elif option not in sizes:
            yield "all-in", "var(--all-in)"
        else:
            at = sizes.index(option) / (len(sizes) - 1) if len(sizes) > 1 else 0.4
            shade = f"var(--raise-low), var(--raise-high) {100 * at:.0f}%"
            chips = int(option[1:])
            yield f"{raise_} to {chips / big_blind:g}", f"color-mix(in oklab, {shade})"


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
