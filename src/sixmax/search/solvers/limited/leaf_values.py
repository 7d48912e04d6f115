"""Values of leaves: class against class, by roll-outs of the continuations chosen there.

A matrix for each leaf and choice of continuations is estimated once, before the first iteration
(Brown, Sandholm and Amos 2018, section 4). All leaves are rolled out with the same deals and draws,
so that their luck cancels where actions are compared.
"""

import math
import time
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import in_parts, njit
from sixmax.base.rng import child, stream
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.betting.tree import MAX_ACTIONS
from sixmax.cfr.sampled.leaves import LeafDeal
from sixmax.continuation.mixed import Mixing, roll_out
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.solvers.limited.hands import BoardHands, edges, edges_of_classes
from sixmax.search.solvers.problem import Problem
from sixmax.search.subgame import leaf_chips, leaf_nodes

_AT_ONCE = 1 << 14  # deals in memory
_LEAST = 1e-6  # variance of luck or edge, so that chips can be seen to go up with it


class RollOutSums(NamedTuple):
    """Sums over deals by pair of classes [C, C], that of seat 0 first, and by leaf.

    ``edge`` is the chance that the hand of seat 0 wins less that it loses, over all boards that may
    follow; ``luck`` is the same on the board that does, less ``edge``.
    """

    count: np.ndarray  # float64[C, C]
    edge: np.ndarray  # float64[C, C]
    luck: np.ndarray  # float64[C, C]
    chips: np.ndarray  # float64[leaves, C, C], of seat 0
    products: np.ndarray  # float64[leaves, 3]: chips times edge, luck and chips
    squares: np.ndarray  # float64[3], of edge and luck, and edge times luck


class Pairs(NamedTuple):
    """Deals of a pair of hands, and of the cards to come."""

    rank: np.ndarray  # int32[deals, boards, seats]
    future: np.ndarray  # int32[deals, seats, rounds]
    of: np.ndarray  # int64[deals, 2]: the classes of the hands
    edge: np.ndarray  # float64[deals], edge and luck: see RollOutSums
    luck: np.ndarray
    first: int  # number of the first deal
    seed: np.uint64  # of the actions


def roll_outs(
    problem: Problem, hands: BoardHands, deals: int, until: float = math.inf
) -> np.ndarray:
    """Net chips at a leaf: float64[2, leaves, C, C], [player, leaf, other's class, own class].

    Each of ``deals`` is rolled out once at every leaf. Half of the hands are drawn by the beliefs,
    half from all hands alike. No more deals begin after ``until``. Raises ValueError for a leaf of
    more continuations than there are.
    """
    subgame = problem.subgame
    leaves = leaf_nodes(subgame.tree)
    if not len(leaves):
        return np.zeros((2, 0, hands.classes, hands.classes))
    mixed = problem.leaf_values.mixed
    number = 0 if mixed is None else len(mixed.of)
    if number < subgame.choices:
        raise ValueError(f"{number} continuations that mix, wanted {subgame.choices}")
    edge = edges(hands, subgame.state.board, problem.cards.ranks)
    sums = _sums(problem, hands, edge, deals, until)
    return leaf_chips(subgame, _means(sums, edges_of_classes(hands, edge)))


def _sums(
    problem: Problem, hands: BoardHands, edges: np.ndarray, deals: int, until: float = math.inf
) -> RollOutSums:
    subgame, bits = problem.subgame, choice_bits(problem.subgame.choices)
    dealer = SubgameDealer(_weights(problem.beliefs, hands), subgame.state.board, 1, problem.cards)
    _, node, choices = subgame.tree.node[leaf_nodes(subgame.tree), 1:].astype(np.int64).T
    chosen = np.stack([choice_of(choices, seat, bits) for seat in range(2)], axis=1)
    seed, actions = child(problem.seed, "roll-outs"), child(problem.seed, "actions")
    classes, leaves = (hands.classes,) * 2, len(node)
    sums = RollOutSums(
        *np.zeros((3, *classes)), np.zeros((leaves, *classes)), np.zeros((leaves, 3)), np.zeros(3)
    )
    for first in range(0, deals, _AT_ONCE):
        if first and time.monotonic() > until:
            break
        dealt = dealer.deal(seed, first, min(_AT_ONCE, deals - first))
        pair = hands.of_hole[dealt.bucket[:, :, 0]]
        edge = edges[pair[:, 0], pair[:, 1]].astype(np.float64)
        rank = dealt.rank[:, 0].astype(np.int64)
        luck = np.sign(rank[:, 0] - rank[:, 1]) - edge
        of = hands.of[pair]
        for total, values in ((sums.count, 1.0), (sums.edge, edge), (sums.luck, luck)):
            np.add.at(total, (of[:, 0], of[:, 1]), values)
        sums.squares[:] += (edge * edge).sum(), (luck * luck).sum(), (edge * luck).sum()
        pairs = Pairs(dealt.rank, dealt.future, of, edge, luck, first, actions)
        mixed = problem.leaf_values.mixed
        in_parts(leaves, _roll_out_kernel, mixed, node, chosen, pairs, sums)
    return sums


def _weights(beliefs: np.ndarray, hands: BoardHands) -> np.ndarray:
    """The weights by which hands are drawn: float64[2, holes]."""
    free = (hands.of_hole >= 0).astype(np.float64)
    known = np.maximum(beliefs, 0.0) * free
    whole = known.sum(axis=1, keepdims=True)
    return free / free.sum() + np.divide(known, whole, out=np.zeros(known.shape), where=whole > 0)


def _means(sums: RollOutSums, edge: np.ndarray) -> np.ndarray:
    """Mean chips of seat 0 by pair of classes: float64[leaves, C, C].

    Chips go up with luck and with the edge. The part of luck is taken away, and the part of the
    edge stands by its exact mean ``edge``. The rest is a mean over all, a share of each class, and
    one of each pair. A share counts as much as its variance does beside the noise of the deals that
    it stands on (empirical Bayes), leaf by leaf.
    """
    count, n = sums.count, sums.count.sum()
    total, by_edge, square = _rest(sums)
    mean = total.sum(axis=(1, 2)) / n
    pairs = np.count_nonzero(count)
    if n < 2 * pairs:  # few pairs were dealt twice: all differences count as noise
        noise = square / n - mean * mean
    else:
        inside = square - (total * total / np.maximum(count, 1)).sum(axis=(1, 2))
        noise = inside / (n - pairs)
    noise = np.maximum(noise, 0)
    result = mean[:, None, None] + by_edge[:, None, None] * edge
    total = total - mean[:, None, None] * count
    for axis in (2, 1):  # the own class, then the other's
        share = _shrunk(total.sum(axis=axis), count.sum(axis=axis - 1), noise)
        result = result + np.expand_dims(share, axis)
        total = total - np.expand_dims(share, axis) * count
    return result + _shrunk(total, count, noise)


def _rest(sums: RollOutSums) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chips less the parts of luck and edge, the part of a unit of edge, squares of the rest.

    The first and the last are sums: float64[leaves, C, C], [leaves] and [leaves]. A part is 0 where
    the deals do not differ enough to tell it.
    """
    n, edges = sums.count.sum(), sums.edge.sum()
    (of_edge, of_luck, of_chips), (edge, luck, both) = sums.products.T, sums.squares
    by_luck = of_luck / luck if luck > _LEAST * n else np.zeros(len(of_luck))
    total = sums.chips - by_luck[:, None, None] * sums.luck
    spread = edge - edges * edges / n
    more = of_edge - by_luck * both - total.sum(axis=(1, 2)) * edges / n
    by_edge = more / spread if spread > _LEAST * n else np.zeros(len(more))
    total = total - by_edge[:, None, None] * sums.edge
    square = of_chips + by_luck * (by_luck * luck - 2 * of_luck)
    square += by_edge * (by_edge * edge - 2 * of_edge + 2 * by_luck * both)
    return total, by_edge, square


def _shrunk(total: np.ndarray, count: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Means of ``total`` [leaves, …] over ``count`` […], each shrunk as its leaf's noise wants."""
    axes = tuple(range(1, total.ndim))
    noise = noise.reshape(-1, *(1 for _ in axes))
    square = (total * total / np.maximum(count, 1)).sum(axis=axes, keepdims=True)
    variance = np.maximum(square - np.count_nonzero(count) * noise, 0) / count.sum()
    return total * variance / np.maximum(count * variance + noise, 1e-300)


@njit
def _roll_out_kernel(mixed, node, chosen, pairs, sums, start, stop):
    """Add the chips of seat 0 in each deal to ``sums``, by leaf.

    Leaves begin at ``node`` int64[leaves] of the blueprint's tree, and ``chosen`` int64[leaves, 2]
    are the continuations of the seats.
    """
    of, edge, luck = pairs.of, pairs.edge, pairs.luck
    scratch = Mixing(np.empty(2), np.empty(MAX_ACTIONS))
    for d in range(len(of)):
        deal = LeafDeal(pairs.rank[d], pairs.future[d])
        draws = stream(pairs.seed, np.uint64(pairs.first + d))
        for i in range(start, stop):
            won = roll_out(mixed, node[i], chosen[i], deal, draws, scratch)
            sums.chips[i, of[d, 0], of[d, 1]] += won
            sums.products[i, 0] += won * edge[d]
            sums.products[i, 1] += won * luck[d]
            sums.products[i, 2] += won * won
