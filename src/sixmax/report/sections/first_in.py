"""First-in play of each seat, as squares of preflop classes, as poker players draw ranges."""

from typing import Any, NamedTuple

from sixmax.cards.deck import class_names
from sixmax.report import words
from sixmax.report.gather import Inputs

TITLE = "First-in charts"
CELL = 40  # units of the drawing


class Cell(NamedTuple):
    """One class of hands: raise, limp and fold from left to right, widths in units."""

    name: str
    x: int
    y: int
    raised: float
    limped: float
    title: str


class Chart(NamedTuple):
    """One seat."""

    name: str
    side: tuple[int, int]  # width and height, units
    cells: list[Cell]
    fold: float  # percent over all hands
    limp: float
    raised: float
    sizes: str  # raise sizes and their frequencies, in words
    trained: float  # percent of hands where training came


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template."""
    return {"charts": charts(inputs.first_in, inputs.big_blind), "cell": CELL}


def charts(first_in: dict[str, Any], big_blind: int) -> list[Chart]:
    """A chart for each seat of ``first_in``, a record of
    :func:`sixmax.evaluation.pluribus.first_in.record`.

    A deck of R ranks gives R x R cells; the small games, which have no classes, a row of buckets.
    """
    return [_chart(spot, first_in["ranks"], big_blind) for spot in first_in["first_in"]]


def _chart(spot: dict[str, Any], ranks: int | None, big_blind: int) -> Chart:
    classes = spot["classes"]
    names = class_names(ranks) if ranks else [str(i) for i in range(len(classes["fold"]))]
    columns = ranks or len(names)
    cells = []
    for i, name in enumerate(names):
        fold, limp, raised = (classes[kind][i] for kind in ("fold", "limp", "raise"))
        title = (
            f"{name}: raise {words.percent(raised)}, limp {words.percent(limp)}, "
            f"fold {words.percent(fold)}"
        )
        row, column = divmod(i, columns)
        cells.append(Cell(name, CELL * column, CELL * row, _units(raised), _units(limp), title))
    side = (CELL * columns, CELL * -(-len(names) // columns))
    sizes = _sizes(spot, big_blind)
    return Chart(
        spot["name"], side, cells, spot["fold"], spot["limp"], spot["raise"], sizes, spot["trained"]
    )


def _units(percent: float) -> float:
    return round(CELL * percent / 100, 1)


def _sizes(spot: dict[str, Any], big_blind: int) -> str:
    pairs = zip(spot["raise_to_chips"], spot["raise_sizes"], strict=True)
    return ", ".join(f"{chips / big_blind:g} bb {words.percent(p)}" for chips, p in pairs)
