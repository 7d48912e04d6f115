"""Duplicate matches: every pairing as a row, those of the blueprint as a figure."""

import math
from typing import Any, NamedTuple

from sixmax.agents.registry import snapshot_name
from sixmax.report import explorer, words
from sixmax.report.forest import Estimate, Forest, forest
from sixmax.report.gather import Inputs

TITLE = "Matches"
_LINEAR = 10.0  # mbb/game


class Match(NamedTuple):
    """One match of agent ``a`` against copies of ``b``."""

    a: str
    b: str
    mean: float  # mbb/game, as are error and interval
    error: float
    interval: list[float]
    deals: int
    hands: int
    p: float | None  # one-tailed
    sign: str  # above, below or across zero


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template."""
    return {"matches": matches(inputs), "figure": figure(inputs)}


def matches(inputs: Inputs) -> list[Match]:
    """The blueprint against everybody, then each snapshot against the fixed opponent."""
    training = inputs.matches["over_training"]
    snapshots = [
        {"a": snapshot_name(row["after_interval"]), "b": training["opponent"], **row}
        for row in training["snapshots"]
    ]
    rows = [*inputs.matches["matches"], *snapshots]
    return [_match(row, inputs.check["bias"]) for row in rows]


def _match(row: dict[str, Any], bias: float) -> Match:
    return Match(
        words.agent(row["a"], bias), words.agent(row["b"], bias), row["mean"],
        row["standard_error"], row["interval"], row["deals"], row["hands"],
        _one_tailed(row), words.side(row["interval"]),
    )  # fmt: skip


def _one_tailed(row: dict[str, Any]) -> float | None:
    """The p-value of :mod:`~sixmax.scores.statistics`, which snapshots' rows lack."""
    from sixmax.scores.distributions import stdtr

    if "p_one_tailed" in row:
        return row["p_one_tailed"]
    if not 0 < row["standard_error"] < math.inf:
        return None
    return float(stdtr(row["deals"] - 1, -row["mean"] / row["standard_error"]))


def figure(inputs: Inputs) -> Forest:
    """Every match of the blueprint: estimate and interval, on a scale that shows them all."""
    title = "Win rate of the blueprint against copies of …"
    unit = f"mbb/game, 95 % interval (linear within ±{_LINEAR:g}, logarithmic beyond)"
    return forest(
        title, unit, [_estimate(inputs, row) for row in inputs.matches["matches"]], _LINEAR
    )


def _estimate(inputs: Inputs, row: dict[str, Any]) -> Estimate:
    """A match of the blueprint; its link sets the opponent beside the blueprint."""
    match, holdem = _match(row, inputs.check["bias"]), inputs.settings["game"]["cards"] == "holdem"
    link = explorer.address(beside=row["b"]) if holdem else ""
    return Estimate(match.b, match.mean, match.interval, _tip(match), link=link)


def _tip(match: Match) -> str:
    p = "" if match.p is None else f", one-tailed {words.p_value(match.p)}"
    return (
        f"SE {match.error:.1f}{p}; {words.count(match.deals)} deals, "
        f"{words.count(match.hands)} hands"
    )
