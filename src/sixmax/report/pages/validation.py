"""The page of the validation: every game with a known answer, and its measurements."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.base.options import Option
from sixmax.games import GAMES
from sixmax.games.game import judged_by
from sixmax.report import words
from sixmax.report.convergence import convergence
from sixmax.report.template import template
from sixmax.studies.validate.config import METHODS, SAMPLED
from sixmax.studies.validate.table import (
    KnownNumber,
    digits,
    last_scores,
    name_of,
    read_curves,
    rows,
    write_table,
)


class GamePart(NamedTuple):
    """One game on the page."""

    name: str
    game: str
    seats: int
    quantity: str  # by which the game is judged
    size: dict[str, int]
    uniform: float
    figure: str  # svg
    rows: list[KnownNumber]
    sampled: list[dict[str, Any]]  # curves of the methods that sample
    ends: list[tuple[dict[str, Any], str, float]]  # of each method


def render(rows: list[KnownNumber], curves: list[dict[str, Any]]) -> str:
    """The page as HTML: a function of the table's ``rows`` and the ``curves`` alone."""
    parts = [
        _part([c for c in curves if name_of(c) == name], [r for r in rows if r.game == name])
        for name in dict.fromkeys(name_of(curve) for curve in curves)
    ]
    return template("pages/validation.html.j2").render(
        parts=parts,
        rows=rows,
        missed=[row for row in rows if not row.met],
        bound=_bound,
        digits=digits,
        methods=[m for m in METHODS if any(curve["method"] == m for curve in curves)],
        titles={p.name: f"{GAMES[p.game].title}, {words.small(p.seats)} players" for p in parts},
    )


def make(rows: list[KnownNumber], curves: list[dict[str, Any]], out: Path) -> None:
    """Write the page with everything in it: it opens without a network."""
    write_text(out, render(rows, curves))


def _bound(row: KnownNumber) -> str:
    """The distance allowed from the known value: ≤ 0.03 or ± 0.00005."""
    if row.low == 0:
        return f"≤ {words.score(row.high)}"
    return f"± {words.score((row.high - row.low) / 2, 2)}"


def _part(curves: list[dict[str, Any]], rows: list[KnownNumber]) -> GamePart:
    first, quantity = curves[0], judged_by(name_of(curves[0]))
    uniform = first["uniform"]["nash_conv"] / (2 if quantity == "exploitability" else 1)
    return GamePart(
        name_of(first), first["game"], first["seats"], quantity, first["size"], uniform,
        convergence(curves, rows), rows,
        [curve for curve in curves if curve["method"] in SAMPLED], last_scores(curves),
    )  # fmt: skip


def answers(
    curves: options.Files, out: options.Out, text: options.Text,
    page: Annotated[Path, Option("The page with table and curves.")],
) -> None:  # fmt: skip
    """Gather these measurements beside the known answers.

    Missed bounds appear in the table like all others; `sixmax stage verdict` fails on them.
    """
    records = read_curves(curves)
    table = rows(records)
    write_table(table, out, text)
    make(table, records, page)
