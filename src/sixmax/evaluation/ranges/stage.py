"""The stage ``ranges``: the charts of play before the flop as one record."""

from typing import Any

import numpy as np

from sixmax.agents.rule import class_weights
from sixmax.base import options
from sixmax.base.progress import say
from sixmax.base.stage import stage
from sixmax.betting.state import positions, spell
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.ranges.spots import FIRST_IN, KINDS, RangeSpot, spots
from sixmax.evaluation.records import RANGES
from sixmax.store.records import write

DIGITS = 2  # of percentages


@stage
def ranges(folder: options.FoundRun, agent: options.Agent, out: options.Out) -> None:
    """Write the ranges before the flop, by seat and opponent.

    All others fold; a raise is of the size that its range takes most.

    \b
    sixmax ranges --run results/default --out ranges.json
    """
    run = open_run(folder)
    values = record(run, run.policy(agent), class_weights(run))
    ranks = run.ranks if run.game.cards == "holdem" else None
    write(out, RANGES, {"agent": agent, "cards": run.game.cards, "ranks": ranks, **values})
    for kind in KINDS:
        say(f"{kind.replace('_', ' ')}: {len(values[kind])} ranges")


def record(run: Run, policy: np.ndarray, weight: np.ndarray) -> dict[str, Any]:
    """Lists of spots under FIRST_IN, RAISE and THREE_BET, as plain JSON values in percent.

    ``policy`` uint8[layout.size]; ``weight`` float64[classes]: how often a hand class is dealt. Of
    a spot: ``seat`` and ``against`` by name, ``actions`` before it in ACPC notation, the
    ``options`` in the same words with their ``total`` over the range, and by hand class ``reach``
    (the probability of the seat's own actions before) and the ``classes``' frequencies, a list of
    options each. ``trained``: the share of hands dealt that training came to there.
    """
    names = positions(run.game.seats, run.game.first[0])
    lists: dict[str, Any] = {kind: [] for kind in KINDS}
    for spot in spots(run, policy, weight):
        lists[spot.kind].append(_values(spot, weight, names))
    return {"unit": "percent", "sample": "none: computed over all hands", **lists}


def _values(spot: RangeSpot, weight: np.ndarray, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "seat": names[spot.seat],
        "against": None if spot.kind == FIRST_IN else names[spot.against],
        "actions": "".join(map(spell, spot.path)),
        "options": [spell(int(action)) for action in spot.action],
        "total": _percent(spot.total(weight)),
        "trained": round(100 * float(weight @ spot.trained / weight.sum()), DIGITS),
        "reach": _percent(spot.reach),
        "classes": [_percent(row) for row in spot.strategy],
    }


def _percent(shares: np.ndarray) -> list[float]:
    return np.round(100 * shares, DIGITS).tolist()
