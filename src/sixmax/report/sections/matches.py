"""Duplicate matches: every pairing as a row, those of the blueprint as a figure."""

import math
from typing import Any, NamedTuple

import numpy as np

from sixmax.evaluation.agents.registry import snapshot_name
from sixmax.report import svg, words
from sixmax.report.gather import Inputs

TITLE = "Matches"


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
    """The p-value of :mod:`~sixmax.evaluation.scores.statistics`, which snapshots' rows lack."""
    from scipy.special import stdtr

    if "p_one_tailed" in row:
        return row["p_one_tailed"]
    if not 0 < row["standard_error"] < math.inf:
        return None
    return float(stdtr(row["deals"] - 1, -row["mean"] / row["standard_error"]))


def figure(inputs: Inputs) -> str:
    """Every match of the blueprint: estimate and interval, on a scale that shows them all."""
    rows = inputs.matches["matches"]
    with svg.pyplot() as plt:
        figure, axes = plt.subplots(figsize=(14.2, 1.5 + 0.42 * len(rows)), layout="constrained")
        largest = max(abs(v) for row in rows for v in row["interval"])
        axes.set_xscale("symlog", linthresh=10, linscale=0.7)
        axes.axvline(0, color=svg.MUTED, lw=1.2)
        for i, row in enumerate(rows):
            svg.estimate(axes, i, row["mean"], row["interval"])
        bias = inputs.check["bias"]
        axes.set_yticks(range(len(rows)), [words.agent(row["b"], bias) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        powers = [10**p for p in range(1, max(2, int(np.ceil(np.log10(largest)))) + 1)]
        negative = [-p for p in powers if any(row["interval"][0] < -p / 10 for row in rows)]
        marks = [*reversed(negative), 0, *powers]
        axes.set_xticks(marks, [words.signed(m, 0) if m else "0" for m in marks])
        axes.minorticks_off()
        axes.set_xlim(negative[-1] if negative else -10, powers[-1])
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("mbb/game, 95 % interval (linear within ±10, logarithmic beyond)")
        axes.set_title("Win rate of the blueprint against copies of …")
        return svg.inline(plt, figure, "forest", "Win rate with interval in every match")
