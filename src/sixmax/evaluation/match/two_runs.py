"""Duplicate matches between agents of two runs, each with its own tree and buckets.

The hands are real ones: betting by the rules alone, cards and all. Each agent follows them in the
game of its own run, by pseudo-harmonic translation both ways (:mod:`sixmax.play.translate`): the
others' raises become raises of its tree, and its own become the same share of the real pot.

As in :mod:`sixmax.evaluation.match.duplicate` the cards stay and the seats rotate. The number
that decides an action is a function of (seed, deal, betting so far), and so is that of its
translation: all copies of an agent see one translated hand.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.agents.policies import MatchGame, Policy, act
from sixmax.base.errors import UserError
from sixmax.base.jit import parallel, prange, uncounted
from sixmax.base.rng import child, stream, unit
from sixmax.betting.pots import payoffs
from sixmax.betting.rules import (
    ACTOR,
    BETTING,
    CALL,
    CHIPS,
    FOLD,
    LENGTH,
    PHASE,
    ROUND,
    apply,
    begin,
    contenders,
)
from sixmax.blueprint import identity
from sixmax.blueprint.run import Run
from sixmax.play.translate import follow, real_action, stand
from sixmax.scores.statistics import PAYOFF, Protocol, Result, measure

DESIGN = (
    "1 against copies of an agent of another run, duplicate: cards and draws of a deal fixed, one "
    "hand from each seat; real betting, each agent translates it into its own game"
)
SAMPLE = "deal (mean over the seats)"
CHUNK = 8192  # deals played between two reports of progress
_PARTS = 64  # work items of a chunk, whatever the threads
_DECIDE, _TRANSLATE = np.uint64(1) << np.uint64(62), np.uint64(1) << np.uint64(63)  # no action


class Side(NamedTuple):
    """A policy with the game of its run, and the hand of that game before the first action."""

    game: MatchGame
    policy: Policy
    start: np.ndarray  # int64[LENGTH]


def protocol(run: Run) -> Protocol:
    """The protocol of matches between ``run`` and others of the same real game."""
    return Protocol(
        DESIGN, PAYOFF, SAMPLE, run.game.seats, run.big_blind, identity.digest(real(run))
    )


def real(run: Run) -> dict:
    """The game that is really played: rules and deck, without bet sizes and buckets."""
    rules = run.game.model_dump(mode="json", include={"stacks", "blinds", "antes", "first"})
    cards = {"cards": run.game.cards, "ranks": run.ranks, "board_cards": run.game.board_cards}
    return {**cards, "rounds": len(run.game.rounds), **rules}


def refuse_other_games(a: Run, b: Run) -> None:
    """Raise UserError where the two runs are not of one real game of hold'em."""
    if a.buckets is None or b.buckets is None:
        odd = a if a.buckets is None else b
        raise UserError(
            f"{odd.folder}: a run of {odd.game.cards}, wanted one of hold'em; leave out --against"
        )
    of_a, of_b = real(a), real(b)
    for key, value in of_a.items():
        if value != of_b[key]:
            raise UserError(
                f"{b.folder}: found {key} = {of_b[key]}, {a.folder} has {value}; wanted two runs "
                "of one game, whatever their bet sizes and buckets"
            )


def play(
    names: tuple[str, str],
    runs: tuple[Run, Run],
    agents: tuple[tuple[MatchGame, Policy], tuple[MatchGame, Policy]],
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Result:
    """Play ``deals`` deals of the first agent against copies of the second, of ``runs``.

    The same whatever the threads. Raises UserError like :func:`refuse_other_games`, and ValueError
    like :func:`sixmax.scores.statistics.measure`. ``progress`` counts deals.
    """
    refuse_other_games(*runs)
    sides = tuple(
        Side(game, policy, begin(run.game))
        for run, (game, policy) in zip(runs, agents, strict=True)
    )

    def net(first: int, n: int) -> np.ndarray:
        return net_chips(sides, runs, seed, first, n)[..., None]

    return measure(names, [protocol(runs[0])], seed, deals, CHUNK, net, progress)[0]


def net_chips(
    sides: tuple[Side, Side], runs: tuple[Run, Run], seed: int, first: int, n: int
) -> np.ndarray:
    """Net chips of the first side in each seat of deals ``first`` …: float64[n, seats]."""
    a, b = (run.dealer.deal(child(seed, "deals"), first, n) for run in runs)
    rank = np.ascontiguousarray(a.rank[:, 0])  # of the board dealt, not the mean over boards
    net, start = np.empty(rank.shape), begin(runs[0].game)
    (game_a, *side_a), (game_b, *side_b) = sides
    _play_kernel(
        *game_a, *side_a, *game_b, *side_b, start, a.bucket, b.bucket, rank, np.uint64(first),
        child(seed, "draws"), net,
    )  # fmt: skip
    return net


@parallel
def _play_kernel(
    tree_a, layout_a, bits_a, policy_a, start_a, tree_b, layout_b, bits_b, policy_b, start_b, start,
    bucket_a, bucket_b, rank, first, seed, net,
):  # fmt: skip
    n, seats = net.shape
    for part in prange(_PARTS):
        # Parallel loops take no tuples in tuples.
        a = Side(MatchGame(tree_a, layout_a, bits_a), policy_a, start_a)
        b = Side(MatchGame(tree_b, layout_b, bits_b), policy_b, start_b)
        hands, out = np.empty((3, LENGTH), np.int64), np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(seed, first + np.uint64(i))
            for hero in range(seats):
                hands[0], hands[1], hands[2] = start, start_a, start_b
                _hand(a, b, hero, hands, bucket_a[i], bucket_b[i], rank[i], draws, out)
                net[i, hero] = out[hero]


@uncounted
def _hand(a, b, hero, hands, bucket_a, bucket_b, rank, draws, out):
    """Play one hand with ``a`` in seat ``hero`` and ``b`` in all others; the chips to ``out``.

    ``hands`` int64[3, LENGTH] are the real hand and each side's before the first action. The hand
    ends early where the hero folds: nothing afterwards changes its loss.
    """
    real, at_a, at_b = hands[0], np.int64(0), np.int64(0)
    while real[PHASE] == BETTING:
        seat, in_round = real[ACTOR], real[ROUND]
        u = unit(stream(draws, _DECIDE))
        if seat == hero:
            at_a, action = _decide(a, at_a, hands[1], real, bucket_a[seat, in_round], u)
        else:
            at_b, action = _decide(b, at_b, hands[2], real, bucket_b[seat, in_round], u)
        if seat == hero and action == FOLD:
            out[hero] = -np.float64(real[CHIPS + hero])
            return
        u = unit(stream(draws, _TRANSLATE))
        at_a, _ = follow(a.game.tree, at_a, hands[1], real, action, u)
        at_b, _ = follow(b.game.tree, at_b, hands[2], real, action, u)
        apply(real, action)
        draws = stream(draws, np.uint64(action + 1))
    payoffs(real[CHIPS : CHIPS + rank.size], contenders(real), rank, out)


@uncounted
def _decide(side, x, hand, real, bucket, u):
    """Let the ``hand`` of ``side`` at ``x`` catch up; returns its node and the real action."""
    x, met = stand(side.game.tree, x, hand, real)
    if not met:
        return x, np.int64(CALL)  # its own round is over and the real one is not
    chosen = act(side.policy, side.game, x, bucket, u)
    return x, real_action(side.game.tree, x, hand, real, chosen)
