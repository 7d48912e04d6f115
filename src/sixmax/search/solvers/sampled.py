"""SEARCH of Algorithm 2: solve a subgame from the beliefs at its root.

The subgame is a game like any other, so the kernels that train the blueprint solve it: Monte Carlo
Linear CFR on its tree, with a dealer that draws hands from the beliefs
(:mod:`sixmax.search.solvers.deal`) and with roll-outs of the continuations where it ends before the
hand does (:mod:`sixmax.cfr.sampled.rollout`).
"""

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout
from sixmax.cfr.packed_actions import Bits
from sixmax.cfr.policy import shares
from sixmax.cfr.sampled.log import CEILING, COUNT
from sixmax.cfr.sampled.rollout import Beyond
from sixmax.cfr.sampled.train import Held, Schedule, new_table, train
from sixmax.continuation.compress import bit_layout
from sixmax.continuation.stage import load
from sixmax.game.rules import POT, SEATS, STACKS
from sixmax.game.tree import DECISION, Tree
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import Subgame
from sixmax.search.warm_start import WarmStart

_FINEST = 1000.0  # regret units a chip
_TRUST = 10.0  # pots: first regrets where a prior is given; linear weights shrink them to a fifth
_WHOLE = 1 << 24  # regret units of a frozen row


class Ground(NamedTuple):
    """What every search of a run stands on: the blueprint, opened once.

    packed: uint8[strategies, bytes] the continuations; ranks: of the deck; bits: where the actions
    of the continuations lie, made by :func:`ground`.
    """

    tree: Tree
    layout: Layout
    buckets: Buckets
    packed: np.ndarray
    ranks: int
    bits: Bits | None = None


def ground(run: Run, packed: np.ndarray | None = None) -> Ground:
    """The ground of a run; ``packed`` are its continuations where not those in its folder."""
    packed = load(run) if packed is None else packed
    bits = bit_layout(run.tree, run.layout)[0]
    return Ground(run.tree, run.layout, run.buckets, packed, run.ranks, bits)


class Effort(NamedTuple):
    """How long to search, and how. Iterations as in :class:`sixmax.cfr.sampled.train.Schedule`."""

    iterations: int  # at most
    seconds: float = 0.0  # stop after so many; 0 = never: the result is a function of the seed
    batch: int = 100  # iterations that read the same frozen regrets
    discounts: int = 50  # discounts of Linear CFR, evenly spread over the iterations
    count_every: int = 1  # iterations between updates of the average
    boards: int = 4  # dealt at once, for who is all-in in the current round


class FrozenRow(NamedTuple):
    """An own action that was taken already: the row of the hand held at one node stays as it is.

    node: of the subgame's tree, in its round 0; hole: hole_id of the hand held; row: float[actions]
    """

    node: int
    hole: int
    row: np.ndarray


class Solution(NamedTuple):
    """A solved subgame. Strategies are float64[layout.size], as cfr.policy.shares gives them.

    last: that of the last iterate, which is played; average: over all iterations, which beliefs
    are updated with. A hand that was never dealt plays the prior, or uniformly without one.
    """

    last: np.ndarray
    average: np.ndarray
    iterations: int
    nodes: int  # decision nodes visited


def solve(
    subgame: Subgame,
    beliefs: np.ndarray,
    ground: Ground,
    effort: Effort,
    seed: int,
    frozen: Iterable[FrozenRow] = (),
    later: FlopBuckets | None = None,
    progress: Callable[[int], None] = lambda n: None,
    priors: Iterable[WarmStart] = (),
) -> Solution:
    """Solve ``subgame`` with ``beliefs`` float64[seats, 1326] at its root.

    ``later`` are the buckets of the rounds after the current one, None for the blueprint's;
    ``priors`` what decisions of the current round start from.
    Folded seats' beliefs count for card removal; a row of zeros means uniform. The same arguments
    give the same solution bit for bit, whatever the threads, unless ``effort.seconds`` is set.
    ``progress`` is told of iterations. Raises UserError where no deal is possible.
    """
    tree, layout, state = subgame.tree, subgame.layout, subgame.state
    rounds = len(tree.columns)
    dealer = SubgameDealer(
        beliefs, state.board, rounds, ground.buckets, ground.ranks, later, effort.boards
    )
    table = new_table(layout, rounds)
    schedule, last = _schedule(subgame, effort)
    trust = min(_TRUST * float(state.root[POT]) * schedule.scale, CEILING)
    for node, rows in priors:
        at = _entries(tree, layout, node)
        table.regret[at], table.count[at] = np.rint(rows * trust), np.rint(rows * COUNT)
    held = _held(tree, layout, frozen)
    table.regret[held.at] = held.regret
    until = time.monotonic() + (effort.seconds or np.inf)
    leaves, done, nodes = beyond(subgame, ground), 0, 0
    while done < last and time.monotonic() < until:
        end = min(done + schedule.discount_every, last)
        nodes += train(
            tree, layout, dealer, table, schedule, seed, done + 1, end, progress,
            beyond=leaves, held=held,
        ).nodes  # fmt: skip
        done = end
    table.count[held.at] = held.regret
    regret = np.maximum(table.regret, 0)
    return Solution(shares(tree, layout, regret), shares(tree, layout, table.count), done, nodes)


def beyond(subgame: Subgame, ground: Ground) -> Beyond | None:
    """What lies beyond the leaves of ``subgame``; None where it has none."""
    if subgame.to_the_end:
        return None
    bits = bit_layout(ground.tree, ground.layout)[0] if ground.bits is None else ground.bits
    leaves = subgame.leaves
    return Beyond(
        ground.tree.node, ground.tree.contributed, *bits, ground.packed, leaves.chips, leaves.ratio
    )


def _schedule(subgame: Subgame, effort: Effort) -> tuple[Schedule, int]:
    """The schedule of Linear CFR, and its last iteration: a whole number of batches.

    Regrets are as fine as int32 allows: an iteration adds no more than two stacks, and linear
    weights halve the sum.
    """
    batches = -(-effort.iterations // effort.batch)
    every = -(-batches // effort.discounts) * effort.batch
    last = batches * effort.batch
    deepest = int(subgame.state.root[STACKS : STACKS + subgame.state.root[SEATS]].max())
    scale = min(_FINEST, CEILING / (last * deepest))
    schedule = Schedule(
        batch=effort.batch, discount_every=every, discount_until=last,
        count_every=effort.count_every, count_after=0, prune_after=0, prune_share=0.0,
        prune_threshold=0, regret_floor=-CEILING, scale=scale,
    )  # fmt: skip
    return schedule, last


def _held(tree: Tree, layout: Layout, frozen: Iterable[FrozenRow]) -> Held:
    """The rows of ``frozen`` as regrets whose regret matching gives them back."""
    at, regret = [], []
    for node, hole, row in frozen:
        head = int(tree.node[node, 0])
        if head & 15 != DECISION or head >> 8 & 15 or len(row) != head >> 12 & 255:
            raise ValueError(f"node {node}: no decision of round 0 with {len(row)} actions")
        at.extend(_entries(tree, layout, node)[hole])
        regret.extend(np.rint(np.asarray(row) * _WHOLE))
    return Held(np.array(at, np.int64), np.array(regret, np.int32))


def strategy_at(tree: Tree, layout: Layout, strategy: np.ndarray, node: int) -> np.ndarray:
    """The rows of all buckets at a decision node: float64[buckets, actions] of a Solution's
    strategy. In the subgame's round 0 buckets are holes (hole_id)."""
    return strategy[_entries(tree, layout, node)]


def _entries(tree: Tree, layout: Layout, node: int) -> np.ndarray:
    """Where the rows of all buckets at a decision lie: int64[buckets, actions]."""
    head = int(tree.node[node, 0])
    in_round, seat, n = head >> 8 & 15, head >> 4 & 15, head >> 12 & 255
    bucket = np.arange(layout.buckets[in_round], dtype=np.int64) * layout.columns[in_round, seat]
    return layout.base[in_round, seat] + tree.node[node, 2] + bucket[:, None] + np.arange(n)
