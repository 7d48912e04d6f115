"""Exploitability of the strategy: lower bounds for two players, exact in small games."""

from typing import Any, NamedTuple

from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.report import svg, words
from sixmax.report.gather import Inputs

TITLE = ""  # part of the experiments
UNIFORM = "random"  # the agent beside: no training


class Row(NamedTuple):
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


def rows(inputs: Inputs) -> list[Row]:
    """Every protocol that was played against the blueprint, uniform play beside it."""
    played = inputs.bounds["bounds"] if inputs.bounds else []
    played = sorted(played, key=lambda r: BOUNDS.index(r["a"].removeprefix("lbr-")))
    figures = ("mean", "standard_error", "hands")
    beside = {r["a"]: tuple(r[k] for k in figures) for r in played if r["b"] == UNIFORM}
    return [
        Row(
            r["a"].removeprefix("lbr-"), r["protocol"]["design"].split("; ", 1)[1], r["mean"],
            r["standard_error"], r["interval"], r["deals"], r["hands"], beside.get(r["a"]),
        )
        for r in played
        if r["b"] != UNIFORM
    ]  # fmt: skip


def figure(rows: list[Row]) -> str:
    """A line a protocol: estimate and interval, uniform play as an open mark."""
    with svg.pyplot() as plt:
        drawn, axes = plt.subplots(figsize=(14.2, 1.3 + 0.42 * len(rows)), layout="constrained")
        axes.set_xscale("symlog", linthresh=100, linscale=0.7)
        axes.axvline(0, color=svg.MUTED, lw=1.2)
        for i, row in enumerate(rows):
            svg.estimate(axes, i, row.mean, row.interval, svg.BLUE)
            if row.uniform:
                style = {"mfc": svg.PAPER, "mec": svg.ORANGE, "mew": 1.8, "ls": ""}
                axes.plot([row.uniform[0]], [i], "D", ms=8, **style)
        axes.set_yticks(range(len(rows)), [row.protocol for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        marks = [-100, 0, 100, 1000, 10_000]
        axes.set_xticks(marks, [words.signed(m, 0) if m else "0" for m in marks])
        axes.minorticks_off()
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("what the response wins, mbb/game, 95 % interval (linear within ±100)")
        axes.set_title("Local best response to the blueprint (dots) and to uniform play (diamonds)")
        return svg.inline(plt, drawn, "bounds", "What local best responses win")
