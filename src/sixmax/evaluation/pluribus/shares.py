"""How often Pluribus does what, beside how often an agent of a run does it."""

from typing import Any

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.evaluation.agents.policies import class_weights
from sixmax.evaluation.pluribus.decisions import KINDS, NAME, Decision, proportion
from sixmax.evaluation.pluribus.first_in import first_in, totals
from sixmax.evaluation.pluribus.habits import SIZES
from sixmax.game.betting import positions
from sixmax.game.notation import Record

ROUNDS = ("preflop", "flop", "turn", "river")


def by_seat(run: Run, policy: np.ndarray, own: list[Decision]) -> list[dict[str, Any]]:
    """What each seat does first in, in percent."""
    share = class_weights(run) / class_weights(run).sum()
    names, rows = positions(run.game.seats, run.game.first[0]), []
    for spot in first_in(run.tree, run.layout, policy):
        here = [d for d in own if d.first_in and d.seat == spot.seat]
        rows.append(
            {
                "name": names[spot.seat],
                "pluribus": {
                    kind: proportion(sum(d.kind == k for d in here), len(here))
                    for k, kind in enumerate(KINDS)
                },
                "agent": dict(zip(KINDS, (100 * (spot.kinds @ share)).tolist(), strict=True)),
            }
        )
    return rows


def overall(
    run: Run, policy: np.ndarray, records: list[Record], own: list[Decision]
) -> dict[str, Any]:
    """VPIP, PFR, three-bets and the defence of the big blind, of both, in percent."""
    preflop = [d for d in own if d.in_round == 0]
    played = sum(NAME in record.names for record in records)
    chips = {id(d.record) for d in preflop if d.kind == 2 or (d.kind == 1 and d.to_call > 0)}
    raised = {id(d.record) for d in preflop if d.kind == 2}
    facing = [d for d in preflop if d.raises == 1]
    blind = [d for d in facing if d.seat == 1]
    theirs = {
        "vpip": proportion(len(chips), played),
        "pfr": proportion(len(raised), played),
        "three_bet": proportion(sum(d.kind == 2 for d in facing), len(facing)),
        "bb_defends": proportion(sum(d.kind > 0 for d in blind), len(blind)),
    }
    whole = totals(run.tree, run.layout, policy, class_weights(run))
    ours = {
        "vpip": whole.vpip.mean(), "pfr": whole.pfr.mean(),
        "three_bet": whole.three_bet, "bb_defends": whole.bb_defends,
    }  # fmt: skip
    return {k: {"pluribus": theirs[k], "agent": 100 * float(ours[k])} for k in theirs}


def sizes(own: list[Decision], counted: np.ndarray) -> list[dict[str, Any]]:
    """How raises are spread over sizes, by round: the first raise of a round, and later ones.

    ``counted`` are those of self-play, as in ``habits.Habits``.
    """
    rows = []
    for r, name in enumerate(ROUNDS):
        for later in range(2):
            here = [d for d in own if d.in_round == r and min(d.raises, 1) == later]
            theirs = np.bincount([d.size for d in here if d.size >= 0], minlength=len(SIZES))
            rows.append(
                {
                    "round": name,
                    "raise": ("first", "later")[later],
                    "sizes": list(SIZES),
                    "pluribus": theirs.tolist(),
                    "agent": counted[r, later].tolist(),
                }
            )
    return rows


def donk(made: list[Decision], counted: np.ndarray) -> dict[str, Any]:
    """Donk bets in percent of the chances for one, over all rounds and in each after the first."""
    rows = [
        {"round": name, **_donk([d for d in made if d.in_round == r], counted[r])}
        for r, name in enumerate(ROUNDS[1:], start=1)
    ]
    return {**_donk(made, counted.sum(axis=0)), "rounds": rows}


def _donk(made: list[Decision], counted: np.ndarray) -> dict[str, Any]:
    chances = [d for d in made if d.donk]
    split = [[d for d in chances if (d.name == NAME) == own] for own in (True, False)]
    bets = [proportion(sum(d.kind == 2 for d in part), len(part)) for part in split]
    of, hits = counted.tolist()
    return {"pluribus": bets[0], "professionals": bets[1], "agent": proportion(hits, of)}
