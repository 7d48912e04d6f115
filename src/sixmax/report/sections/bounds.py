"""Exploitability of the strategy: lower bounds for two players, exact in small games."""

from typing import Any, NamedTuple

from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.report import words
from sixmax.report.forest import Estimate, Forest, forest
from sixmax.report.gather import Inputs

TITLE = ""  # part of the experiments
_LINEAR = 100.0  # mbb/game
UNIFORM = "random"  # the agent beside: no training


class BoundRow(NamedTuple):
    """The result of one protocol of the local best response, mbb/game."""

    protocol: str
    words: str  # the actions of the response
    mean: float
    error: float
    interval: list[float]
    deals: int
    hands: int
    uniform: tuple[float, float, int] | None  # from uniform play, its standard error, and hands


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


def rows(inputs: Inputs) -> list[BoundRow]:
    """Every protocol that was played against the blueprint, uniform play beside it."""
    played = inputs.bounds["bounds"] if inputs.bounds else []
    played = sorted(played, key=lambda r: BOUNDS.index(r["a"].removeprefix("lbr-")))
    figures = ("mean", "standard_error", "hands")
    beside = {r["a"]: tuple(r[k] for k in figures) for r in played if r["b"] == UNIFORM}
    return [
        BoundRow(
            r["a"].removeprefix("lbr-"), r["protocol"]["design"].split("; ", 1)[1], r["mean"],
            r["standard_error"], r["interval"], r["deals"], r["hands"], beside.get(r["a"]),
        )
        for r in played
        if r["b"] != UNIFORM
    ]  # fmt: skip


def figure(rows: list[BoundRow]) -> Forest:
    """A line a protocol: estimate and interval, uniform play as an open mark."""
    unit = f"mbb/game, 95 % interval (linear within ±{_LINEAR:g}, logarithmic beyond)"
    title = "Local best response to the blueprint, and to uniform play (open marks)"
    estimates = [
        Estimate(r.protocol, r.mean, r.interval, _tip(r), r.uniform[0] if r.uniform else None)
        for r in rows
    ]
    return forest(title, unit, estimates, _LINEAR)


def _tip(row: BoundRow) -> str:
    beside = f"; from uniform play {words.signed(row.uniform[0])}" if row.uniform else ""
    return f"{row.words}; SE {row.error:.1f}, {words.count(row.hands)} hands{beside}"
