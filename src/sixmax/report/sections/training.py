"""The run over training: first-in play, regrets touched, work, win rate; its settings."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from sixmax.report import svg, words
from sixmax.report.gather import ROUNDS, Inputs

_COLOURS = (svg.BLUE, svg.SKY, svg.GREEN, svg.ORANGE)  # of seats and rounds, in their order
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<")
_SMALL = (7.2, 4.3)  # inches of 72 pixels


def context(inputs: Inputs) -> dict[str, Any]:
    return {"figures": figures(inputs), "over_training": over_training(inputs)}


def figures(inputs: Inputs) -> dict[str, str]:
    """Every figure as an inline svg element, by name."""
    with svg.pyplot() as plt:
        return {
            "raises": _first_in(plt, inputs, "raise"),
            "limps": _first_in(plt, inputs, "limp"),
            "touched": _touched(plt, inputs),
            "visits": _visits(plt, inputs),
            "winrate": _win_rate(plt, inputs),
        }


def over_training(inputs: Inputs) -> list[dict[str, Any]]:
    """For each snapshot: iterations, win rate against the fixed opponent, first-in play."""
    rows = []
    for row in inputs.matches["over_training"]["snapshots"]:
        record = inputs.history[row["after_interval"] - 1]
        spots = inputs.snapshots[row["after_interval"]]["first_in"]
        rows.append({**row, "iterations": record["iterations"], "spots": spots})
    return rows


def _unit(inputs: Inputs) -> tuple[float, str]:
    """The unit of iterations: its size and name."""
    return (1e6, "million") if inputs.history[-1]["iterations"] >= 1e6 else (1e3, "thousand")


def _iterations(inputs: Inputs, intervals: list[int]) -> np.ndarray:
    """Done after each of ``intervals``, in the unit."""
    return np.array([inputs.history[k - 1]["iterations"] for k in intervals]) / _unit(inputs)[0]


def _first_in(plt: Any, inputs: Inputs, kind: str) -> str:
    """One line a seat over the snapshots, and the blueprint to the right."""
    figure, axes = plt.subplots(figsize=_SMALL)
    intervals = sorted(inputs.snapshots)
    x = _iterations(inputs, intervals)
    step = (x[-1] - x[0]) / max(len(x) - 1, 1) or x[-1] / 4
    end, ends = x[-1] + step, []
    for i, spot in enumerate(inputs.first_in["first_in"]):
        y = [inputs.snapshots[k]["first_in"][i][kind] for k in intervals]
        colour = svg.PURPLE if spot["name"] == "SB" else _COLOURS[i % len(_COLOURS)]
        style = {"color": colour, "marker": _MARKERS[i % len(_MARKERS)]}
        axes.plot(x, y, **style, clip_on=False)
        axes.plot([x[-1], end], [y[-1], spot[kind]], color=colour, ls=":", lw=1.5)
        axes.plot([end], [spot[kind]], **style, mfc=svg.PAPER, mew=2, ls="", clip_on=False)
        ends.append((spot[kind], spot["name"], colour))
    axes.set_ylim(0)
    _label_ends(axes, end, step * 0.14, ends)
    axes.axvspan(end - step * 0.35, end + step * 0.15, color=svg.GRID, alpha=0.5, lw=0)
    axes.set_xticks([*_few(x), end], [*(f"{v:g}" for v in _few(x)), "blueprint"])
    axes.set_xlim(x[0] - step * 0.3, end + step * 0.9)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(f"snapshot after … {_unit(inputs)[1]} iterations")
    axes.set_title(f"First in: {kind}, % of hands")
    label = f"First-in {kind} frequency of each seat over training"
    return svg.inline(plt, figure, f"{kind}s", label)


def _few(x: np.ndarray, most: int = 6) -> np.ndarray:
    """At most ``most`` of ``x``, the last among them."""
    step = -(-len(x) // most)
    return x[::-1][::step][::-1]


def _label_ends(axes: Any, x: float, step: float, ends: list[tuple[float, str, str]]) -> None:
    """Names beside the ends of lines at ``x``, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    gap, at = (high - low) * 0.07, -np.inf
    for y, name, colour in sorted(ends):
        at = max(y, at + gap)
        if at - y > gap / 3:
            axes.plot([x + step / 2, x + step * 1.6], [y, at], color=colour, lw=0.8, clip_on=False)
        axes.text(x + step * 1.8, at, name, color=colour, va="center", fontweight="bold")


def _touched(plt: Any, inputs: Inputs) -> str:
    figure, axes = plt.subplots(figsize=_SMALL)
    x = _iterations(inputs, [record["interval"] for record in inputs.history])
    ends = []
    for r in range(len(inputs.history[0]["touched"])):
        y = [100 * record["touched"][r] for record in inputs.history]
        axes.plot(x, y, color=_COLOURS[r], marker=_MARKERS[r], clip_on=False)
        ends.append((y[-1], ROUNDS[r], _COLOURS[r]))
    axes.set_ylim(0, 100)
    _label_ends(axes, x[-1], x[-1] * 0.03, ends)
    axes.set_xlim(0, x[-1] * 1.18)
    axes.set_xticks(_few(x), [f"{v:g}" for v in _few(x)])
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(f"{_unit(inputs)[1]} iterations")
    axes.set_title("Regrets that training has touched, %")
    return svg.inline(plt, figure, "touched", "Share of regrets that are not zero, by round")


def _visits(plt: Any, inputs: Inputs) -> str:
    figure, axes = plt.subplots(figsize=_SMALL)
    k = np.array([record["interval"] for record in inputs.history])
    visited = [record["nodes"] / 1e6 for record in inputs.history]
    pruned = [record["pruned"] / 1e6 for record in inputs.history]
    axes.bar(k - 0.2, visited, 0.38, color=svg.BLUE, label="decision nodes visited")
    axes.bar(k + 0.2, pruned, 0.38, color=svg.ORANGE, label="actions pruned")
    axes.set_xticks(_few(k, 16))
    axes.set_ylim(0, max(*visited, *pruned) * 1.22 or 1)
    axes.grid(visible=False, axis="x")
    axes.legend(frameon=False, loc="upper left", ncols=2, borderaxespad=0)
    axes.set_xlabel("training interval")
    axes.set_title("Work of each interval, millions")
    return svg.inline(plt, figure, "visits", "Decision nodes visited and actions pruned")


def _win_rate(plt: Any, inputs: Inputs) -> str:
    """Each snapshot against the fixed opponent, and the blueprint beside them."""
    training = inputs.matches["over_training"]
    rows = training["snapshots"]
    same = [r for r in inputs.matches["matches"] if r["b"] == training["opponent"]]
    opponent = words.agent(training["opponent"], inputs.check["bias"])
    figure, axes = plt.subplots(figsize=_SMALL)
    x = _iterations(inputs, [row["after_interval"] for row in rows])
    step = (x[-1] - x[0]) / max(len(x) - 1, 1) or x[-1] / 4
    axes.axhline(0, color=svg.MUTED, lw=1)
    _intervals(axes, x, rows, svg.BLUE)
    axes.plot(x, [row["mean"] for row in rows], color=svg.BLUE, lw=1.2, alpha=0.5)
    marks, names = list(_few(x)), [f"{v:g}" for v in _few(x)]
    if same:
        end = x[-1] + step
        _intervals(axes, np.array([end]), same[:1], svg.ORANGE)
        axes.axvspan(end - step * 0.35, end + step * 0.35, color=svg.GRID, alpha=0.5, lw=0)
        marks, names = [*marks, end], [*names, "blueprint"]
    axes.set_xticks(marks, names)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(f"snapshot after … {_unit(inputs)[1]} iterations")
    axes.yaxis.set_major_formatter(lambda value, _: words.count(value))
    axes.set_title(f"Win rate against the {opponent}, mbb/game")
    return svg.inline(plt, figure, "winrate", "Win rate of each snapshot with its interval")


def _intervals(axes: Any, x: np.ndarray, rows: list[dict[str, Any]], colour: str) -> None:
    mean = np.array([row["mean"] for row in rows])
    around = np.abs(np.array([row["interval"] for row in rows]).T - mean)
    axes.errorbar(
        x, mean, around, fmt="o", color=colour, capsize=4, elinewidth=2, capthick=2, zorder=3
    )


def provenance(inputs: Inputs) -> dict[str, Any]:
    """The settings that the training is a function of: (section, [(key, value)])."""
    every = inputs.settings.items()
    loose = [(key, json.dumps(value)) for key, value in every if not isinstance(value, dict)]
    sections = [(k, list(_flat(value, ""))) for k, value in every if isinstance(value, dict)]
    return {"settings": [("run", loose), *sections]}


def _flat(values: dict[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for i, item in enumerate(value):
                yield f"{before}{key}[{i}]", json.dumps(item)[1:-1].replace('"', "")
        else:
            yield f"{before}{key}", value if isinstance(value, str) else json.dumps(value)
