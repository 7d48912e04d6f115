"""SEARCH of Algorithm 2: solve a subgame from the beliefs at its root.

The subgame is a game like any other, so the kernels that train the blueprint solve it: Monte Carlo
Linear CFR on its tree, with a dealer that draws hands from the beliefs
(:mod:`sixmax.search.deal`) and with roll-outs of the continuations where it ends before the hand
does (:mod:`sixmax.cfr.rollout`).
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.cfr.layout import Layout
from sixmax.game.tree import Tree


class Ground(NamedTuple):
    """What every search of a run stands on: the blueprint, opened once.

    packed: uint8[strategies, bytes] the continuations; ranks: of the deck.
    """

    tree: Tree
    layout: Layout
    buckets: Buckets
    packed: np.ndarray
    ranks: int


class Effort(NamedTuple):
    """How long to search, and how. Iterations as in :class:`sixmax.cfr.train.Schedule`."""

    iterations: int  # at most
    seconds: float = 0.0  # stop after so many; 0 = never: the result is a function of the seed
    batch: int = 100  # iterations that read the same frozen regrets
    discounts: int = 50  # discounts of Linear CFR, evenly spread over the iterations
    count_every: int = 1  # iterations between updates of the average
    boards: int = 4  # dealt at once, for who is all-in in the current round


class Frozen(NamedTuple):
    """An own action that was taken already: the row of the hand held at one node stays as it is.

    node: of the subgame's tree, in its round 0; hole: hole_id of the hand held; row: float[actions]
    """

    node: int
    hole: int
    row: np.ndarray


class Solution(NamedTuple):
    """A solved subgame. Strategies are float64[layout.size], as cfr.policy.shares gives them.

    last: that of the last iterate, which is played; average: over all iterations, which beliefs
    are updated with; visits: int64 traverser's visits by round-0 row, int64[seats, 1326].
    """

    last: np.ndarray
    average: np.ndarray
    iterations: int
    nodes: int  # decision nodes visited


def solve(
    subgame,  # sixmax.search.subgame.Subgame
    beliefs: np.ndarray,
    ground: Ground,
    effort: Effort,
    seed: int,
    frozen: Iterable[Frozen] = (),
    later=None,  # sixmax.search.buckets.FlopBuckets of the flop, where rounds are to come
    progress: Callable[[int], None] = lambda n: None,
) -> Solution:
    """Solve ``subgame`` with ``beliefs`` float64[seats, 1326] at its root.

    Folded seats' beliefs count for card removal; a row of zeros means uniform. The same arguments
    give the same solution bit for bit, whatever the threads, unless ``effort.seconds`` is set.
    ``progress`` is told of iterations. Raises UserError where no deal is possible.
    """
    raise NotImplementedError


def strategy_at(tree: Tree, layout: Layout, strategy: np.ndarray, node: int) -> np.ndarray:
    """The rows of all buckets at a decision node: float64[buckets, actions] of a Solution's
    strategy. In the subgame's round 0 buckets are holes (hole_id)."""
    head = int(tree.node[node, 0])
    in_round, seat, n = head >> 8 & 15, head >> 4 & 15, head >> 12 & 255
    first, columns = layout.base[in_round, seat], layout.columns[in_round, seat]
    slabs = strategy[first : first + layout.buckets[in_round] * columns].reshape(-1, columns)
    slot = tree.node[node, 2]
    return slabs[:, slot : slot + n]
