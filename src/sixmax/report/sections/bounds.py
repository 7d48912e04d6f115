"""Exploitability of the strategy: lower bounds for two players, exact in small games."""

from typing import Any

from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.report import words
from sixmax.report.forest import Forest, forest, tip
from sixmax.report.gather import Inputs

TITLE = ""  # part of the experiments
_LINEAR = 100.0  # mbb/game
UNIFORM = "random"  # the agent beside: no training


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where nothing was played against the blueprint."""
    if not (inputs.bounds or inputs.response or inputs.search_bounds):
        return None
    table = rows(inputs)
    return {
        "rows": table,
        "figure": figure(table) if table else None,
        "searched": [_searched(record) for record in inputs.search_bounds],
    }


def _searched(record: dict[str, Any]) -> dict[str, Any]:
    """A protocol against search: its sharpest figure, and those that it comes from."""
    of = record["figures"]
    return {
        "protocol": record["a"].removeprefix("lbr-"), "best": of["controlled"] or of["search"],
        "plain": of["search"], "difference": of["difference"], "known": of["known"],
        "deals": record["deals"], "hands": record["hands"], "setting": record["setting"],
        "seconds": record["seconds"] / record["hands"],
    }  # fmt: skip


def rows(inputs: Inputs) -> list[dict[str, Any]]:
    """Every protocol played against the blueprint, that of ``uniform`` play beside it."""
    played = inputs.bounds["bounds"] if inputs.bounds else []
    played = sorted(played, key=lambda row: BOUNDS.index(row["a"].removeprefix("lbr-")))
    uniform = {row["a"]: row for row in played if row["b"] == UNIFORM}
    return [
        row
        | {"name": row["a"].removeprefix("lbr-"), "uniform": uniform.get(row["a"])}
        | {"actions": row["protocol"]["design"].split("; ", 1)[1]}
        for row in played
        if row["b"] != UNIFORM
    ]


def figure(rows: list[dict[str, Any]]) -> Forest:
    """A line a protocol: estimate and interval, uniform play as an open mark."""
    unit = f"mbb/game, 95 % interval (linear within ±{_LINEAR:g}, logarithmic beyond)"
    title = "Local best response to the blueprint, and to uniform play (open marks)"
    estimates = []
    for row in rows:
        beside = row["uniform"] and row["uniform"]["mean"]
        less = f"from uniform play {words.signed(beside)}" if row["uniform"] else ""
        estimates.append(row | {"tip": tip(row, row["actions"], less), "beside": beside})
    return forest(title, unit, estimates, _LINEAR)
