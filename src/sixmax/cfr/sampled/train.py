"""The loop of Algorithm 1: batches of traversals, discounts, pruning, action counters."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import threads_in_use
from sixmax.base.rng import child
from sixmax.betting.tree import Tree, n_actions
from sixmax.cfr.deals import Dealer, Deals
from sixmax.cfr.layout import Layout
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.batch import EVERY_SEAT, run_batches, run_in_turn
from sixmax.cfr.sampled.leaves import Leaves
from sixmax.cfr.sampled.log import CEILING, COUNT, Log, new_log
from sixmax.cfr.sampled.schedule import Schedule

_FEW = 64  # traversals: a batch of fewer is not worth a second thread
_DEALT = 4096  # deals at a time, for as many batches: a parallel kernel is dear to enter


class Table(NamedTuple):
    """The tables of training: ``regret`` int32[layout.size], and ``count`` int32[entries].

    The counters of UPDATE-STRATEGY are laid out like the regrets of the counted, first rounds.
    """

    regret: np.ndarray
    count: np.ndarray


class FrozenRegrets(NamedTuple):
    """Regrets that do not learn: ``table.regret[at]`` is ``regret`` after every batch."""

    at: np.ndarray  # int64[entries]
    regret: np.ndarray  # int32[entries]


class Stats(NamedTuple):
    """Counts of a stretch of training."""

    traversals: int
    nodes: int  # decision nodes visited
    pruned: int  # actions left out
    discounts: tuple[tuple[int, float], ...]  # (iteration, factor)

    def __add__(self, other: "Stats") -> "Stats":
        """The counts of both stretches, one after the other."""
        return Stats(*(mine + its for mine, its in zip(self, other, strict=True)))


NO_STATS = Stats(0, 0, 0, ())


def new_table(layout: Layout, counted: int = 1) -> Table:
    """Zero regrets, and zero counters for the first ``counted`` rounds (the paper: one).

    The system backs them with memory when they are touched.
    """
    counters = int(layout.start[counted])
    return Table(np.zeros(layout.size, np.int32), np.zeros(counters, np.int32))


def train(
    tree: Tree,
    layout: Layout,
    dealer: Dealer,
    table: Table,
    schedule: Schedule,
    seed: int,
    first: int,
    last: int,
    progress: Callable[[int], None] = lambda n: None,
    shard: int = 0,
    shards: int = 1,
    beyond: Leaves | None = None,
    frozen: FrozenRegrets | None = None,
    learner: int = EVERY_SEAT,
) -> Stats:
    """Run iterations ``first`` … ``last`` (counted from 1) on ``table``, in place.

    A stretch that ends where another begins continues it bit for bit, whatever the threads, as
    long as both ends fall between batches (ValueError otherwise). Of several ``shards``, that of
    number ``shard`` (from 0) runs its share of the batches and all of the discounts: see
    :mod:`sixmax.cfr.sampled.shards`. A tree with leaves needs their values ``beyond``, and
    deals with the field ``future`` (:mod:`sixmax.cfr.sampled.leaves`); ``frozen`` regrets do not
    learn. With one seat as ``learner`` the others play on as their regrets say, so that it comes
    to a best response. Raises UserError where a counter is full.
    """
    schedule.check(first, last)
    if schedule.prune_half and table.count.size < layout.size:
        raise ValueError(
            f"counters of {table.count.size} entries: wanted {layout.size}, those of every round"
        )
    seats, threads, batch = tree.columns.shape[1], threads_in_use(), schedule.batch
    few = threads == 1 or batch * seats < _FEW
    deal_seed, walk_seed = child(seed, "deal"), child(seed, "walk")
    pruning, log = schedule.pruning(), new_log(4096, 1024, widest(tree))
    counted = turns(tree, int(np.searchsorted(layout.start, table.count.size)))
    discounts, total = dict(schedule.discounts(first, last)), np.zeros(2, np.int64)
    traversals = 0
    at_once = max(1, _DEALT // batch) * batch if shards == 1 else batch
    most = batch if frozen is not None and frozen.at.size else at_once  # iterations of a call
    for t, iterations in _blocks(first, last, at_once, discounts):
        if (t - first) // at_once % shards == shard:
            deals, done = dealer.deal(deal_seed, t, iterations), 0
            if beyond is None:  # one kernel for all trees without leaves
                deals = Deals(deals.bucket, deals.rank)
            while done < iterations:
                left = type(deals)(*(part[done : done + most] for part in deals))
                given = (
                    tree, layout, table, left, t + done, batch, walk_seed, pruning,
                    schedule.count_every, schedule.count_after, counted, schedule.scale, log, total,
                )  # fmt: skip
                rest = beyond, learner
                batches = run_in_turn(*given, *rest) if few else run_batches(*given, threads, *rest)
                done += batches * batch
                progress(batches * batch)
                if batches * batch < len(left.rank):
                    log = _larger(log)
                _restore(table, frozen)
            traversals += iterations * (seats if learner == EVERY_SEAT else 1)
        if (factor := discounts.get(t + iterations - 1)) is not None:
            discount(table.regret, factor)
            discount(table.count, factor)
            _restore(table, frozen)
    _refuse_full(table, last)
    return Stats(traversals, int(total[0]), int(total[1]), tuple(discounts.items()))


def _refuse_full(table: Table, last: int) -> None:
    if table.count.max(initial=0) >= CEILING:
        raise UserError(
            f"a counter of the average is full after iteration {last:,}: it holds "
            f"{CEILING // COUNT:,} visits; wanted a larger count_every, or a later count_after"
        )


def _restore(table: Table, frozen: FrozenRegrets | None) -> None:
    if frozen is not None:
        table.regret[frozen.at] = frozen.regret


def _blocks(
    first: int, last: int, at_once: int, discounts: dict[int, float]
) -> Iterator[tuple[int, int]]:
    """Iterations ``first`` … ``last`` in blocks: the first of each, and their number.

    A block ends where a discount falls, or after ``at_once``.
    """
    t = first
    for stop in sorted({*discounts, last}):
        while t <= stop:
            iterations = min(at_once, stop + 1 - t)
            yield t, iterations
            t += iterations


def widest(tree: Tree) -> int:
    """The most actions of a decision."""
    return int(n_actions(tree.node[:, 0]).max())


def _larger(log: Log) -> Log:
    return new_log(2 * log.row.shape[1], 2 * log.visit.shape[1], log.delta.shape[2])
