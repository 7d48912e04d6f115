"""Values of leaves: class against class, by roll-outs of the continuations chosen there.

A search of a betting round needs no more of the rounds after it than a matrix for each leaf and
choice of continuations. It is estimated once, before the first iteration (Brown, Sandholm and Amos
2018, section 4: roll-outs in real time). All leaves are rolled out with the same deals, so that the
luck of cards cancels where actions are compared.
"""

import numpy as np

from sixmax.cfr.sampled.rollout import leaf_value
from sixmax.jit import in_parts, njit
from sixmax.rng import child
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.solvers.limited.game import BoardHands, leaf_nodes
from sixmax.search.solvers.problem import Problem
from sixmax.search.solvers.sampled import beyond
from sixmax.search.subgame import Subgame

_AT_ONCE = 1 << 14  # deals in memory


def roll_outs(problem: Problem[Subgame], hands: BoardHands, deals: int) -> np.ndarray:
    """Net chips at a leaf: float64[2, leaves, C, C], [player, leaf, other's class, own class].

    Means over so many ``deals`` of a pair of hands and of the cards to come, each rolled out once
    at every leaf. Half of the hands are drawn by the beliefs, half from all hands alike. A pair of
    classes counts one deal more, whose value is that of the two classes apart: the mean of the one
    and the mean of the other, less that of all.
    """
    tree, classes = problem.subgame.tree, hands.classes
    leaves = leaf_nodes(tree)
    count, total = np.zeros((classes, classes)), np.zeros((len(leaves), classes, classes))
    after = beyond(problem.subgame, problem.leaf_values)
    if after is None or not len(leaves):
        return np.zeros((2, 0, classes, classes))
    cards, weights = problem.cards, _weights(problem.beliefs, hands)
    dealer = SubgameDealer(weights, problem.subgame.state.board, 1, cards.buckets, cards.ranks)
    of, seed = np.full(weights.shape[1], -1), child(problem.seed, "roll-outs")
    of[hands.hole] = hands.of
    for first in range(0, deals, _AT_ONCE):
        dealt = dealer.deal(seed, first, min(_AT_ONCE, deals - first))
        pair = of[dealt.bucket[:, :, 0]]
        np.add.at(count, (pair[:, 0], pair[:, 1]), 1)
        in_parts(
            len(leaves), _roll_out_kernel, after, tree.node, tree.contributed, leaves, dealt.rank,
            dealt.future, pair, total,
        )  # fmt: skip
    own = _means(count, total)
    return np.stack([own.transpose(0, 2, 1), -own]).copy()


def _weights(beliefs: np.ndarray, hands: BoardHands) -> np.ndarray:
    """The weights by which hands are drawn: float64[2, holes]."""
    free = np.zeros(beliefs.shape[1])
    free[hands.hole] = 1 / len(hands.hole)
    known = np.where(free > 0, np.maximum(beliefs, 0.0), 0.0)
    whole = known.sum(axis=1, keepdims=True)
    return free + np.divide(known, whole, out=np.zeros(known.shape), where=whole > 0)


def _means(count: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Mean chips of player 0 by pair of classes: float64[leaves, C, C]."""
    every = total.sum(axis=(1, 2)) / max(count.sum(), 1)
    every = every[:, None, None]
    rows = (total.sum(axis=2, keepdims=True) + every) / (count.sum(axis=1)[:, None] + 1)
    columns = (total.sum(axis=1, keepdims=True) + every) / (count.sum(axis=0) + 1)
    return (total + rows + columns - every) / (count + 1)


@njit
def _roll_out_kernel(beyond, node, contributed, leaves, rank, future, pair, total, start, stop):
    """Add the chips of player 0 in each deal to ``total`` float64[leaves, C, C], by leaf."""
    net = np.empty(2)
    for i in range(start, stop):
        for d in range(len(pair)):
            total[i, pair[d, 0], pair[d, 1]] += leaf_value(
                beyond, node, contributed, leaves[i], rank[d], future[d], 0, net
            )
