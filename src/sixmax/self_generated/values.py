"""The values of leaves where a player plays one strategy and the other the blueprint."""

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import n_holes
from sixmax.continuation.generate import Continuation
from sixmax.continuation.mixed import mixed_play
from sixmax.search.solvers.limited.hands import collected, hands_on
from sixmax.search.solvers.limited.leaf_values import roll_outs
from sixmax.search.solvers.problem import LeafGame, Problem
from sixmax.search.subgame import SubgameCards, leaf_nodes
from sixmax.self_generated.trunk import NO_BOARD, first_round, range_at


def leaf_starts(run: Run) -> np.ndarray:
    """The decisions of the blueprint's tree with which flops begin: int32[L]."""
    subgame = first_round(run, 1, 0)
    return subgame.tree.node[leaf_nodes(subgame.tree), 2].copy()


def estimated(run: Run, policy: np.ndarray, deals: int, seed: int) -> np.ndarray:
    """Net chips of seat 0 at the leaves: float32[L, C, C], [leaf, its class, the other's].

    Both play ``policy`` uint8[layout.size] from there on. ``seed`` draws the ``deals`` and all
    actions, so that their luck is the same for every policy.
    """
    subgame = first_round(run, 1, 0)
    mixed = mixed_play(run, [Continuation("response", policy)])
    leaves = LeafGame(run.tree, None, np.zeros((1, 0), np.uint8), mixed=mixed)
    cards, beliefs = SubgameCards(run.ranks, run.buckets), np.ones((2, n_holes(run.ranks)))
    problem = Problem(subgame, beliefs, seed, cards, leaf_values=leaves)
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    return roll_outs(problem, hands, deals)[0].transpose(0, 2, 1).astype(np.float32)


def weakened(
    run: Run, policy: np.ndarray, seat: int, node: np.ndarray, base: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """``values`` lowered so that no class of ``seat`` wins more than by the ``base``.

    Both are float32[L, C, C], net chips of seat 0 at the leaves ``node`` int32[L] of the
    blueprint's tree. A class is judged against the range that the other brings there by ``policy``
    uint8[layout.size], and loses the same number of chips against every class of the other.
    """
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    out, sign = values.copy(), 1 - 2 * seat
    for i, x in enumerate(node):
        weight = range_at(run, policy, hands, int(x), 1 - seat)
        less = excess(hands.apart, hands.apart * base[i], hands.apart * values[i], weight, seat)
        out[i] -= sign * (less[:, None] if seat == 0 else less)
    return out


def excess(
    share: np.ndarray, base: np.ndarray, values: np.ndarray, weight: np.ndarray, seat: int
) -> np.ndarray:
    """The chips that each class of ``seat`` wins more by ``values`` than by ``base``, or 0.

    All are float64[C, C], [class of seat 0, the other's]: ``share`` is the chance of a pair of
    classes, and the others the net chips of seat 0 times that chance. The result is float64[C], a
    mean over the other's range ``weight`` float64[C]; 0 where that range is empty: leaves to which
    the other never comes stay as they are.
    """
    met, old, new = (_against(table, weight, seat) for table in (share, base, values))
    more = np.maximum((1 - 2 * seat) * (new - old), 0)
    return np.divide(more, met, out=np.zeros(met.shape), where=met > 0)


def _against(table: np.ndarray, weight: np.ndarray, seat: int) -> np.ndarray:
    """The sums of ``table`` [class of seat 0, other's] by class of ``seat``: float64[C].

    ``weight`` float64[C] is that of the other's classes. No product of matrices, whose last bits
    depend on the processor.
    """
    return (table * weight).sum(axis=1) if seat == 0 else (table * weight[:, None]).sum(axis=0)


def won(run: Run, policy: np.ndarray, seat: int, node: np.ndarray, chips: np.ndarray) -> float:
    """The mean of ``chips`` float64[L, C, C] of seat 0 that ``seat`` wins, a hand.

    Both play ``policy`` uint8[layout.size] up to the leaves ``node`` int32[L].
    """
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    everyone = collected(hands, np.ones((1, len(hands.of_hole))))[0]
    total = 0.0
    for x, table in zip(node, chips, strict=True):
        first, second = (range_at(run, policy, hands, int(x), p) for p in (0, 1))
        total += (first * _against(hands.apart * table, second, 0)).sum()
    every_pair = (everyone * _against(hands.apart, everyone, 0)).sum()
    return float((1 - 2 * seat) * total / every_pair)
