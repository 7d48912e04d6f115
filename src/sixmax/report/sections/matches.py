"""Duplicate matches: every pairing as a row, those of the blueprint as a figure."""

import math
from typing import Any

from sixmax.agents.registry import snapshot_name
from sixmax.report import words
from sixmax.report.forest import Forest, forest, tip
from sixmax.report.gather import Inputs
from sixmax.report.template import explore

TITLE = "Matches"
_LINEAR = 10.0  # mbb/game


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template: the blueprint against all, then snapshots against one opponent."""
    training = inputs.matches["over_training"]
    snapshots = [
        {"a": snapshot_name(row["after_interval"]), "b": training["opponent"], **row}
        for row in training["snapshots"]
    ]
    rows = [*inputs.matches["matches"], *snapshots]
    return {
        "matches": [row | {"p_one_tailed": _one_tailed(row)} for row in rows],
        "figure": figure(inputs),
    }


def _one_tailed(row: dict[str, Any]) -> float | None:
    """The p-value of :mod:`~sixmax.scores.statistics`, which snapshots' rows lack."""
    from sixmax.scores.distributions import stdtr

    if "p_one_tailed" in row:
        return row["p_one_tailed"]
    if not 0 < row["standard_error"] < math.inf:
        return None
    return float(stdtr(row["deals"] - 1, -row["mean"] / row["standard_error"]))


def figure(inputs: Inputs) -> Forest:
    """Every match of the blueprint; its link sets the opponent beside the blueprint."""
    holdem = inputs.settings["game"]["cards"] == "holdem"
    rows = [
        row
        | {"name": words.agent(row["b"], inputs.check["bias"]), "tip": tip(row)}
        | {"link": explore(beside=row["b"]) if holdem else ""}
        for row in inputs.matches["matches"]
    ]
    unit = f"mbb/game, 95 % interval (linear within ±{_LINEAR:g}, logarithmic beyond)"
    return forest("Win rate of the blueprint against copies of …", unit, rows, _LINEAR)
