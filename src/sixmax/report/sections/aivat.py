"""Matches scored by AIVAT on the page: where the luck went, column by column."""

from typing import Any

from sixmax.evaluation.aivat.scored_match import COLUMNS
from sixmax.report import words
from sixmax.report.forest import Forest, forest, tip
from sixmax.report.gather import Inputs

TITLE = ""  # part of the matches


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where no match was scored."""
    if not inputs.aivat:
        return None
    table = rows(inputs)
    return {"rows": table, "names": COLUMNS, "figure": figure(table, inputs.check["bias"])}


def rows(inputs: Inputs) -> list[dict[str, Any]]:
    """Every match that AIVAT scored, in the order of the duplicate matches.

    ``duplicate`` is the same pairing among these, or None.
    """
    played = {(m["a"], m["b"]): m for m in inputs.matches["matches"]}
    order = {pair: i for i, pair in enumerate(played)}
    scored = sorted(inputs.aivat, key=lambda m: order.get((m["a"], m["b"]), len(order)))
    return [match | {"duplicate": played.get((match["a"], match["b"]))} for match in scored]


def figure(rows: list[dict[str, Any]], bias: float) -> Forest:
    """A line a match: AIVAT with its interval, the duplicate match as an open mark."""
    estimates = []
    for row in rows:
        by, duplicate = row["variance_divided_by"]["hand"], row["duplicate"]
        less = "" if by is None else f"variance of a hand divided by {by:.1f}"
        estimates.append(
            row["columns"][COLUMNS[-1]]
            | {"name": words.agent(row["b"], bias), "interval": row["interval"]}
            | {"tip": tip(row, less), "beside": duplicate and duplicate["mean"]}
        )
    title = "By AIVAT (filled), and the duplicate match of other deals (open)"
    unit = f"mbb/game of the {words.agent(rows[0]['a'], bias)} against copies, 95 % interval"
    return forest(title, unit, estimates)
