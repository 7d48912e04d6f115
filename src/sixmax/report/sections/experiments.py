"""The paper's experiments on the page: tables of scores and participants, and the course."""

import math
from typing import Any

import numpy as np

from sixmax.evaluation.experiments.experiment import ALONE, COPIES, Experiment
from sixmax.report import svg, words
from sixmax.report.gather import Inputs
from sixmax.scores.power import samples_needed, spread
from sixmax.scores.statistics import Result

EDGE = 20.0  # mbb/game: the page says the number of hands that would see it
_SCORES = {
    "played": "hands as played",
    "control": "less the Control",
    "duplicate": "duplicate: every seat of a deal",
}
_WIDE, _FIRST = (7.2, 6.4), 0.05  # inches of 72 pixels; share of the course left out of the scale


def context(inputs: Inputs) -> dict[str, Any]:
    return {"figures": courses(inputs), "experiments": shown(inputs), "edge": EDGE}


def shown(inputs: Inputs) -> list[dict[str, Any]]:
    """Every experiment of the run in words and rows."""
    return [_shown(name, e, inputs.check["bias"]) for name, e in inputs.experiments.items()]


def _shown(name: str, experiment: Experiment, bias: float) -> dict[str, Any]:
    first = experiment.scores[0].result
    scores = [_row(_SCORES.get(s.name, s.name), s.result, first) for s in experiment.scores]
    each = [
        _row(words.agent(r.b if experiment.kind == COPIES else r.a, bias), r, first)
        for r in experiment.each
    ]
    return {
        "name": name, "kind": experiment.kind, "title": title(experiment, bias),
        "control": words.agent(experiment.control, bias), "alike": 100 * experiment.alike,
        "scores": scores, "each": each, "protocol": experiment.best.result.protocol,
    }  # fmt: skip


def title(experiment: Experiment, bias: float) -> str:
    """1 + 5: blueprint among five others."""
    others, agent = experiment.best.result.protocol.seats - 1, words.agent(experiment.agent, bias)
    if experiment.kind == ALONE:
        among = f"other{'s' * (others > 1)}"
        if len(experiment.participants) == 1:
            copies = "copy" if others == 1 else "copies"
            among = f"{copies} of {words.agent(experiment.participants[0], bias)}"
        return f"1 + {others}: {agent} among {words.small(others)} {among}"
    return f"{others} + 1: {agent} in {words.small(others)} seats, another in one"


def _row(name: str, result: Result, first: Result) -> dict[str, Any]:
    """The figures of ``result``, a score or a participant.

    ``variance`` is of a hand, as a share of that of hands as played, which ``first`` has;
    ``needed`` are the hands that see EDGE.
    """
    of, beside = spread(name, result), spread(name, first)
    share = of.deviation**2 * of.hands / beside.deviation**2 if beside.deviation else math.nan
    needed = samples_needed(of.deviation, EDGE) * of.hands
    return result.to_json() | {"name": name, "variance": share, "needed": needed}


def courses(inputs: Inputs) -> dict[str, str]:
    """A figure for each experiment, as inline svg: ``course-alone`` and so on."""
    with svg.pyplot() as plt:
        return {
            f"course-{name}": _course(plt, f"course-{name}", experiment)
            for name, experiment in inputs.experiments.items()
        }


def _course(plt: Any, name: str, experiment: Experiment) -> str:
    """Figure 5: the win rate and the chips won, with a standard error on either side."""
    best = experiment.best
    figure, (rate, chips) = plt.subplots(2, 1, figsize=_WIDE, sharex=True)
    sums = [s for s in best.course if s.n > 1]
    samples = np.array([s.n for s in sums])
    hands = samples * best.result.hands / best.result.deals.n
    mean, error = (np.array([getattr(s, k) for s in sums]) for k in ("mean", "standard_error"))
    won = hands * best.result.protocol.big_blind / 1000  # chips a mbb/game
    size, unit = _unit(hands[-1])
    many, chips_unit = _unit(won[-1] * (abs(mean[-1]) + error[-1]))
    colour = svg.BLUE if experiment.kind == ALONE else svg.GREEN
    for axes, scale in ((rate, 1.0), (chips, won / many)):
        axes.axhline(0, color=svg.MUTED, lw=1)
        axes.plot(hands / size, mean * scale, color=colour)
        for side in (-1, 1):
            axes.plot(hands / size, (mean + side * error) * scale, color=colour, lw=1.3, ls="--")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}".replace("-", words.MINUS))
        axes.grid(visible=False, axis="x")
    late = samples >= _FIRST * samples[-1]
    low, high = min(0, (mean - error)[late].min()), max(0, (mean + error)[late].max())
    rate.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low) or 1)
    rate.set_xlim(0)
    at = f"{words.signed(mean[-1])} ± {error[-1]:.1f}"
    rate.set_title(f"Win rate, mbb/game: {at} at the end")
    chips.set_title(f"Won so far, {chips_unit} chips".replace("  ", " "))
    chips.set_xlabel(f"{unit} hands")
    figure.get_layout_engine().set(hspace=0.08)
    label = "Win rate and chips won over the hands, with a standard error on either side"
    return svg.inline(plt, figure, name, label)


def _unit(largest: float) -> tuple[float, str]:
    """The unit of numbers up to ``largest``: its size and name."""
    if largest >= 2e6:
        return 1e6, "million"
    return (1e3, "thousand") if largest >= 2e3 else (1.0, "")
