"""Training whose threads add to the shared regrets as they go: faster, and never twice the same.

What the reproducible way of :mod:`sixmax.cfr.sampled.train` costs is measured against this
(benchmarks/determinism.py). Which regrets a traversal reads, and which of two additions to one
regret survives, depends on the timing of the threads.
"""

import numpy as np

from sixmax.cfr.deals import Dealer
from sixmax.cfr.layout import Layout
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.log import CEILING, CHUNKS, COUNT, MAX_ACTIONS, new_log
from sixmax.cfr.sampled.train import Schedule, Stats, Table, widest
from sixmax.cfr.sampled.traverse import new_scratch, run_items
from sixmax.game.tree import Tree
from sixmax.jit import claim, njit, parallel, prange, threads_in_use
from sixmax.rng import child


def train(
    tree: Tree,
    layout: Layout,
    dealer: Dealer,
    table: Table,
    schedule: Schedule,
    seed: int,
    first: int,
    last: int,
) -> Stats:
    """Run iterations ``first`` … ``last`` on ``table``, in place:
    :func:`sixmax.cfr.sampled.train.train` without its frozen regrets. ``schedule.batch`` iterations
    are dealt at a time.

    Raises ValueError where the stretch cuts a batch, RuntimeError where one iteration of the tree
    needs more than the log has room for.
    """
    schedule.check(first, last)
    deal_seed, walk_seed = child(seed, "deal"), child(seed, "walk")
    pruning, log = schedule.pruning(), new_log(1 << 14, 1 << 14, widest(tree))
    counted = turns(tree, int(np.searchsorted(layout.start, table.count.size)))
    discounts, done = dict(schedule.discounts(first, last)), np.zeros(2, np.int64)
    for t in range(first, last + 1, schedule.batch):
        deals = dealer.deal(deal_seed, t, schedule.batch)
        count_every = schedule.count_every if t > schedule.count_after else 0
        spent = _run_kernel(
            tree, layout, table.regret, table.count, deals, t, walk_seed, pruning, count_every,
            counted, schedule.scale, log, threads_in_use(),
        )  # fmt: skip
        if spent.min() < 0:
            raise RuntimeError(f"one iteration of this tree makes more than {1 << 14} updates")
        done += spent.sum(axis=0)
        if (factor := discounts.get(t + schedule.batch - 1)) is not None:
            discount(table.regret, factor)
            discount(table.count, factor)
    traversals = (last - first + 1) * tree.columns.shape[1]
    return Stats(traversals, int(done[0]), int(done[1]), tuple(discounts.items()))


@parallel
def _run_kernel(
    tree, layout, regret, count, deals, first, seed, pruning, count_every, turns, scale, log,
    parts,
):  # fmt: skip
    """All of ``deals``; [decision nodes, pruned] by chunk, -1 where the log was too small."""
    spent, taken = np.zeros((CHUNKS, 2), np.int64), np.zeros(1, np.int64)
    for _ in prange(parts):
        _run_chunks(
            tree, layout, regret, count, deals, first, seed, pruning, count_every, turns, scale,
            log, spent, taken,
        )  # fmt: skip
    return spent


@njit
def _run_chunks(
    tree, layout, regret, count, deals, first, seed, pruning, count_every, turns, scale, log,
    spent, taken,
):  # fmt: skip
    n = deals.bucket.shape[0]
    while True:
        c = claim(taken)
        if c >= CHUNKS:
            return
        _run_chunk(
            tree, layout, regret, count, deals, first, seed, pruning, count_every, turns, scale,
            log, c, n * c // CHUNKS, n * (c + 1) // CHUNKS, spent[c],
        )  # fmt: skip


@njit
def _run_chunk(
    tree, layout, regret, count, deals, first, seed, pruning, count_every, turns, scale, log,
    c, deal, end, spent,
):  # fmt: skip
    """Iteration by iteration: the traversers of one deal walk, then what they found is added."""
    seats, memory = deals.bucket.shape[1], new_scratch(deals)
    for i in range(deal, end):
        if not run_items(
            tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale,
            log, c, i * seats, (i + 1) * seats, memory,
        ):  # fmt: skip
            spent[:] = -1
            return
        for e in range(log.used[c, 0]):
            at, n = log.row[c, e] // MAX_ACTIONS, log.row[c, e] % MAX_ACTIONS + 1
            for a in range(n):
                both = np.int64(regret[at + a]) + log.delta[c, e, a]
                regret[at + a] = min(max(both, pruning.floor), CEILING)
        for e in range(log.used[c, 1]):
            at = log.visit[c, e]
            count[at] = min(np.int64(count[at]) + COUNT, CEILING)
        spent[0] += log.used[c, 2]
        spent[1] += log.used[c, 3]
