"""Matches scored by AIVAT on the page: where the luck went, column by column."""

from typing import Any, NamedTuple

from sixmax.evaluation.aivat.scored_match import COLUMNS
from sixmax.report import words
from sixmax.report.forest import Estimate, Forest, forest
from sixmax.report.gather import Inputs

TITLE = ""  # part of the matches


class MatchRow(NamedTuple):
    """One match: a mean and a standard error a column, mbb/game."""

    a: str
    b: str
    columns: list[tuple[float, float]]
    interval: list[float]
    hand: float | None  # the factor by which the variance of a hand fell
    deal: float | None
    deals: int
    hands: int
    sign: str  # above, below or across zero
    duplicate: tuple[float, float] | None  # the same pairing in the duplicate matches


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where no match was scored."""
    if not inputs.aivat:
        return None
    table = rows(inputs)
    return {"rows": table, "columns": COLUMNS, "figure": figure(table)}


def rows(inputs: Inputs) -> list[MatchRow]:
    """Every match that AIVAT scored, in the order of the duplicate matches."""
    played = {(m["a"], m["b"]): m for m in inputs.matches["matches"]}
    order = {pair: i for i, pair in enumerate(played)}
    bias = inputs.check["bias"]
    scored = sorted(inputs.aivat, key=lambda m: order.get((m["a"], m["b"]), len(order)))
    return [_row(match, played.get((match["a"], match["b"])), bias) for match in scored]


def _row(match: dict[str, Any], played: dict[str, Any] | None, bias: float) -> MatchRow:
    divided = match["variance_divided_by"]
    columns = [match["columns"][name] for name in COLUMNS]
    return MatchRow(
        words.agent(match["a"], bias), words.agent(match["b"], bias),
        [(c["mean"], c["standard_error"]) for c in columns], match["interval"], divided["hand"],
        divided["deal"], match["deals"], match["hands"],
        words.side(match["interval"]),
        (played["mean"], played["standard_error"]) if played else None,
    )  # fmt: skip


def figure(rows: list[MatchRow]) -> Forest:
    """A line a match: AIVAT with its interval, the duplicate match as an open mark."""
    estimates = [
        Estimate(
            row.b, row.columns[-1][0], row.interval, _tip(row),
            row.duplicate[0] if row.duplicate else None,
        )
        for row in rows
    ]  # fmt: skip
    title = "By AIVAT (filled), and the duplicate match of other deals (open)"
    unit = f"mbb/game of the {rows[0].a} against copies, 95 % interval"
    return forest(title, unit, estimates)


def _tip(row: MatchRow) -> str:
    by = "" if row.hand is None else f"; variance of a hand divided by {row.hand:.1f}"
    return f"SE {row.columns[-1][1]:.1f}, {words.count(row.hands)} hands{by}"
