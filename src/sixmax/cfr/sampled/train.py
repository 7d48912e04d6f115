"""The loop of Algorithm 1: batches of traversals, discounts, pruning, action counters."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import threads_in_use
from sixmax.base.progress import Done, quiet
from sixmax.base.rng import child
from sixmax.betting.tree import Tree, n_actions
from sixmax.cfr.deals import Dealer
from sixmax.cfr.layout import Layout
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.batch import EVERY_SEAT, Dealt, run_batches, run_in_turn
from sixmax.cfr.sampled.leaves import Leaves
from sixmax.cfr.sampled.log import CEILING, COUNT, Log, new_log
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.traverse import Learner

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


class Training(NamedTuple):
    """A game and how it is trained.

    A ``tree`` with leaves needs their values ``leaves``, and deals with the field ``future``;
    ``frozen`` regrets do not learn. A single ``learner`` comes to a best response to the others'
    regrets.
    """

    tree: Tree
    layout: Layout
    dealer: Dealer
    table: Table
    schedule: Schedule
    seed: int
    leaves: Leaves | None = None
    frozen: FrozenRegrets | None = None
    learner: int = EVERY_SEAT


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
    """Zero regrets, and zero counters for the first ``counted`` rounds (the paper: one)."""
    counters = int(layout.start[counted])
    return Table(np.zeros(layout.size, np.int32), np.zeros(counters, np.int32))


def train(
    training: Training,
    first: int,
    last: int,
    progress: Done = quiet,
    shard: int = 0,
    shards: int = 1,
) -> Stats:
    """Run iterations ``first`` … ``last`` (counted from 1) on ``training.table``, in place.

    Stretches continue each other bit for bit, whatever the threads; their ends must fall between
    batches (else ValueError). Of several ``shards``, number ``shard`` (from 0) runs its share of
    the batches and all discounts (:mod:`sixmax.cfr.sampled.shards`). Raises UserError where a
    counter is full.
    """
    table, schedule, frozen = training.table, training.schedule, training.frozen
    schedule.check(first, last)
    learner, seats = _learner(training), training.tree.columns.shape[1]
    threads, batch = threads_in_use(), schedule.batch
    few = threads == 1 or batch * seats < _FEW
    deal_seed, log = child(training.seed, "deal"), new_log(4096, 1024, widest(training.tree))
    discounts, total = dict(schedule.discounts(first, last)), np.zeros(2, np.int64)
    traversals = 0
    at_once = max(1, _DEALT // batch) * batch if shards == 1 else batch
    most = batch if frozen is not None and frozen.at.size else at_once  # iterations of a call
    for t, iterations in _blocks(first, last, at_once, discounts):
        if (t - first) // at_once % shards == shard:
            deals, done = training.dealer.deal(deal_seed, t, iterations), 0
            future = deals.bucket if training.leaves is None else deals.future
            while done < iterations:
                part = slice(done, done + most)
                dealt = Dealt(deals.bucket[part], deals.rank[part], future[part], t + done)
                given = learner, table, dealt, log, total
                batches = run_in_turn(*given) if few else run_batches(*given, threads)
                done += batches * batch
                progress(batches * batch)
                if batches * batch < len(dealt.rank):
                    log = _larger(log)
                _restore(table, frozen)
            traversals += iterations * (seats if training.learner == EVERY_SEAT else 1)
        if (factor := discounts.get(t + iterations - 1)) is not None:
            discount(table.regret, factor)
            discount(table.count, factor)
            _restore(table, frozen)
    if table.count.max(initial=0) >= CEILING:
        raise UserError(
            f"a counter of the average is full after iteration {last:,}: it holds "
            f"{CEILING // COUNT:,} visits; wanted a larger count_every, or a later count_after"
        )
    return Stats(traversals, int(total[0]), int(total[1]), tuple(discounts.items()))


def _learner(training: Training) -> Learner:
    """What its traversals read. Raises ValueError for a table with too few counters."""
    tree, layout, _, table, schedule, seed, leaves, _, seat = training
    if schedule.prune_half and table.count.size < layout.size:
        raise ValueError(
            f"counters of {table.count.size} entries: wanted {layout.size}, those of every round"
        )
    counted = turns(tree, int(np.searchsorted(layout.start, table.count.size)))
    return Learner(
        tree, layout, leaves, counted, schedule.pruning(), schedule.batch, schedule.count_every,
        schedule.count_after, schedule.scale, child(seed, "walk"), seat,
    )  # fmt: skip


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
