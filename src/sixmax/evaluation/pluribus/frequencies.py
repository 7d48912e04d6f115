"""The frequencies of Pluribus's actions, beside those of an agent of a run.

First-in play, VPIP and the like are computed from the strategy. Sizes of raises and donk bets are
counted in hands that the agent plays with copies of itself. A donk bet starts a round by betting
although the player ended the round before with a call: the last raiser of that round is still to
act (Brown and Sandholm 2019: Pluribus does it far more often than professionals).
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.agents.rule import class_weights
from sixmax.base.jit import njit
from sixmax.betting.config import GameConfig
from sixmax.betting.notation import Line
from sixmax.betting.rules import RAISES, apply, begin
from sixmax.betting.tree import round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.deals import Dealer
from sixmax.evaluation.match.play import self_play
from sixmax.evaluation.pluribus.decisions import (
    KINDS,
    NAME,
    SIZES,
    PlayedDecision,
    may_donk,
    proportion,
    size_bin,
)
from sixmax.evaluation.pluribus.first_in import totals
from sixmax.evaluation.ranges import first_in
from sixmax.ongoing.policies import MatchGame, Policy


class Habits(NamedTuple):
    """Counts over hands of self-play."""

    sizes: np.ndarray  # int64[rounds, 2, sizes]: raises, the first of the round and later ones
    donk: np.ndarray  # int64[rounds, 2]: chances for a donk bet, and donk bets


def habits(
    agent: Policy, match_game: MatchGame, dealer: Dealer, game: GameConfig, hands: int, seed: int
) -> Habits:
    """Counts of ``agent`` in ``hands`` hands with copies of itself; the same for the same seed."""
    rounds = len(game.rounds)
    counts = Habits(np.zeros((rounds, 2, len(SIZES)), np.int64), np.zeros((rounds, 2), np.int64))
    for _, end, _ in self_play(match_game, dealer, agent, hands, seed):
        _count_kernel(match_game.tree, begin(game), end, *counts)
    return counts


@njit
def _count_kernel(tree, start, end, sizes, donk):
    """Add the raises and the donk bets of hands that ended at the nodes ``end`` int64[n]."""
    raiser, path = np.empty(len(donk), np.int64), np.empty(256, np.int64)
    for i in range(len(end)):
        hand, x, depth = start.copy(), end[i], 0
        while x > 0:
            path[depth] = x
            x = np.int64(tree.parent[x])
            depth += 1
        raiser[:] = -1
        for k in range(depth - 1, -1, -1):
            head, action = tree.node[x, 0], np.int64(tree.action[path[k]])
            seat, in_round = seat_of(head), round_of(head)
            if may_donk(hand, raiser):
                donk[in_round, 0] += 1
                donk[in_round, 1] += action > 0
            if action > 0:
                sizes[in_round, min(hand[RAISES], 1), size_bin(hand, action)] += 1
                raiser[in_round] = seat
            apply(hand, action)
            x = path[k]


def by_seat(run: Run, policy: np.ndarray, own: list[PlayedDecision]) -> list[dict[str, Any]]:
    """First-in play of each seat by ``policy`` uint8[layout.size] and in ``own``, in percent."""
    share = class_weights(run) / class_weights(run).sum()
    names, rows = run.game.positions, []
    for spot in first_in(run, policy):
        here = [d for d in own if d.first_in and d.seat == spot.seat]
        ours = (100 * (spot.kinds @ share)).tolist()
        theirs = [proportion(sum(d.kind == k for d in here), len(here)) for k in range(len(KINDS))]
        both = {"pluribus": theirs, "agent": ours}
        row = {name: dict(zip(KINDS, values, strict=True)) for name, values in both.items()}
        rows.append({"name": names[spot.seat]} | row)
    return rows


def overall(
    run: Run, policy: np.ndarray, records: list[Line], own: list[PlayedDecision]
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
    ours = totals(run.tree, run.layout, policy, class_weights(run)).means()
    return {k: {"pluribus": theirs[k], "agent": 100 * ours[k]} for k in theirs}


def sizes(own: list[PlayedDecision], counted: np.ndarray) -> list[dict[str, Any]]:
    """Sizes of raises by round, first and later; the agent's are ``counted`` as in Habits."""
    rows = []
    for r, name in enumerate(ROUNDS):
        for later in range(2):
            here = [d for d in own if d.in_round == r and min(d.raises, 1) == later]
            theirs = np.bincount([d.size for d in here if d.size >= 0], minlength=len(SIZES))
            rows.append({
                "round": name, "raise": ("first", "later")[later], "sizes": list(SIZES),
                "pluribus": theirs.tolist(), "agent": counted[r, later].tolist(),
            })  # fmt: skip
    return rows


def donk(decisions: list[PlayedDecision], counted: np.ndarray) -> dict[str, Any]:
    """Donk bets in percent of the chances, in all rounds and each; ``counted`` as in Habits."""
    rows = [
        {"round": name, **_donk([d for d in decisions if d.in_round == r], counted[r])}
        for r, name in enumerate(ROUNDS[1:], start=1)
    ]
    return {**_donk(decisions, counted.sum(axis=0)), "rounds": rows}


def _donk(decisions: list[PlayedDecision], counted: np.ndarray) -> dict[str, Any]:
    chances = [d for d in decisions if d.donk]
    split = [[d for d in chances if (d.name == NAME) == own] for own in (True, False)]
    bets = [proportion(sum(d.kind == 2 for d in part), len(part)) for part in split]
    of, hits = counted.tolist()
    return {"pluribus": bets[0], "professionals": bets[1], "agent": proportion(hits, of)}
