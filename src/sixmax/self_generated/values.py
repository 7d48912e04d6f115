"""The first round with the strategies so far at its leaves, and their values there.

At a leaf one player plays a strategy of its own, the other the blueprint.
"""

from typing import NamedTuple

import numpy as np

from sixmax.betting.rules import begin
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import n_holes
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR
from sixmax.continuation.generate import Continuation
from sixmax.continuation.mixed import mixed_play
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.ongoing.locate import places
from sixmax.search.solvers.first_round import NO_BOARD, FirstRound
from sixmax.search.solvers.limited.ends import betting_round
from sixmax.search.solvers.limited.hands import BoardHands, collected, hands_on
from sixmax.search.solvers.limited.leaf_values import roll_outs
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.search.solvers.problem import LeafGame, Problem
from sixmax.search.subgame import PublicState, Subgame, SubgameCards, build, depth, leaf_nodes

_AT_ONCE = 100  # iterations


def first_round(run: Run, choices: int, chooser: int) -> Subgame:
    """The whole first round; at its leaves the seat ``chooser`` has so many ``choices``."""
    state = PublicState(run.game, begin(run.game), NO_BOARD, (), ())
    buckets = int(run.buckets.counts.max())
    scope = depth(state)._replace(choices=choices, choosers=1 << chooser)
    return build(state, run.game.rounds, places(run.game, run.tree), run.ranks, buckets, scope)


class SolvedRound(NamedTuple):
    """A solution of the first round."""

    strategy: np.ndarray  # float64[entries of the first round], of the seat that does not choose
    value: float  # net chips of the seat that chooses


def solve(run: Run, kept: FirstRound, chooser: int, iterations: int) -> SolvedRound:
    """The equilibrium of the first round where ``chooser`` has the values ``kept`` at leaves."""
    subgame = first_round(run, kept.chips.shape[1], chooser)
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    game = betting_round(
        subgame.tree, hands, kept.lead, kept.at(subgame, places(run.game, run.tree))
    )
    solver = LimitedSolver(game, np.ones((2, len(hands.of_hole))), DCFR)
    for done in range(0, iterations, _AT_ONCE):
        solver.run(min(_AT_ONCE, iterations - done))
    value, met = solver.values(chooser)
    prior = solver.prior[chooser]
    mean = float((prior * value).sum() / (prior * met).sum())
    return SolvedRound(_in_tree(run, subgame, solver, 1 - chooser), mean)


def _in_tree(run: Run, subgame: Subgame, solver: LimitedSolver, seat: int) -> np.ndarray:
    """The rows of ``seat`` as the blueprint's tree has them: float64[first round's entries].

    A bucket plays the mean of its holes; entries of the other seat are zero.
    """
    bucket = blueprint_buckets(run, NO_BOARD)
    holes = np.bincount(bucket, minlength=int(run.layout.buckets[0]))
    out = np.zeros(int(run.layout.start[1]))
    todo, strategy = [(0, 0)], solver.strategy()
    while todo:
        x, y = todo.pop()
        head = int(run.tree.node[y, 0])
        if not is_decision(head) or round_of(head) > 0:
            continue
        ways = list(zip(subgame.tree.children(x), run.tree.children(y), strict=True))
        if any(subgame.tree.action[a] != run.tree.action[b] for a, b in ways):
            raise ValueError(f"node {y}: the first round has other actions than the blueprint's")
        todo += ways
        if seat_of(head) != seat:
            continue
        first, n = int(solver.game.first[x]), n_actions(head)
        rows = strategy[first : first + n, solver.game.hands.of_hole]
        for a in range(n):
            mean = np.bincount(bucket, rows[a], len(holes)) / np.maximum(holes, 1)
            at = infoset(run.layout, 0, seat, np.arange(len(holes)), run.tree.node[y, 2])
            out[at + a] = mean
    return out


def leaf_starts(run: Run) -> np.ndarray:
    """The decisions of the blueprint's tree with which flops begin: int32[L]."""
    subgame = first_round(run, 1, 0)
    return subgame.tree.node[leaf_nodes(subgame.tree), 2].copy()


def estimated(run: Run, policy: np.ndarray, deals: int, seed: int) -> np.ndarray:
    """Net chips of seat 0 at the leaves: float32[L, C, C], [leaf, its class, the other's].

    Both play ``policy`` uint8[layout.size]. ``seed`` draws the ``deals`` and all actions, so that
    their luck is the same for every policy.
    """
    subgame = first_round(run, 1, 0)
    mixed = mixed_play(run, [Continuation("response", policy)])
    leaves = LeafGame(run.tree, None, np.zeros((1, 0), np.uint8), mixed=mixed)
    cards, beliefs = SubgameCards(run.ranks, run.buckets), np.ones((2, n_holes(run.ranks)))
    problem = Problem(subgame, beliefs, seed, cards, leaf_values=leaves)
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    return roll_outs(problem, hands, deals)[0].transpose(0, 2, 1).astype(np.float32)


def weakened(
    hands: BoardHands, ranges: np.ndarray, seat: int, base: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """``values`` lowered so that no class of ``seat`` wins more than by the ``base``.

    Both are float32[L, C, C], net chips of seat 0 at leaves. A class is judged against the range
    that the other brings there, by ``ranges`` float64[2, L, C], and loses the same number of chips
    against every class of the other.
    """
    out, sign = values.copy(), 1 - 2 * seat
    for i, weight in enumerate(ranges[1 - seat]):
        less = excess(hands.apart, hands.apart * base[i], hands.apart * values[i], weight, seat)
        out[i] -= sign * (less[:, None] if seat == 0 else less)
    return out


def excess(
    share: np.ndarray, base: np.ndarray, values: np.ndarray, weight: np.ndarray, seat: int
) -> np.ndarray:
    """The chips that each class of ``seat`` wins more by ``values`` than by ``base``, or 0.

    All are float64[C, C], [class of seat 0, the other's]: ``share`` is the chance of a pair of
    classes, and the others the net chips of seat 0 times that chance. The result is float64[C], a
    mean over the other's range ``weight`` float64[C]; 0 where that range is empty.
    """
    met, old, new = (_against(table, weight, seat) for table in (share, base, values))
    more = np.maximum((1 - 2 * seat) * (new - old), 0)
    return np.divide(more, met, out=np.zeros(met.shape), where=met > 0)


def _against(table: np.ndarray, weight: np.ndarray, seat: int) -> np.ndarray:
    """The sums of ``table`` [class of seat 0, other's] by class of ``seat``: float64[C].

    ``weight`` float64[C] is of the other's classes. BLAS would sum as the processor likes.
    """
    return (table * weight).sum(axis=1) if seat == 0 else (table * weight[:, None]).sum(axis=0)


def won(hands: BoardHands, ranges: np.ndarray, seat: int, chips: np.ndarray) -> float:
    """The mean of ``chips`` float64[L, C, C] of seat 0 that ``seat`` wins, a hand.

    Both come to the leaves by ``ranges`` float64[2, L, C].
    """
    everyone = collected(hands, np.ones((1, len(hands.of_hole))))[0]
    total = 0.0
    for first, second, table in zip(*ranges, chips, strict=True):
        total += (first * _against(hands.apart * table, second, 0)).sum()
    every_pair = (everyone * _against(hands.apart, everyone, 0)).sum()
    return float((1 - 2 * seat) * total / every_pair)
