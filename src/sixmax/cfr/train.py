"""The loop of Algorithm 1: batches of traversals, discounts, pruning, action counters."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.counting import turns
from sixmax.cfr.deal import Dealer
from sixmax.cfr.layout import Layout
from sixmax.cfr.log import Log, apply_log, new_log
from sixmax.cfr.mccfr import Pruning, run_batch
from sixmax.cfr.regret import discount
from sixmax.game.tree import Tree
from sixmax.jit import threads_in_use
from sixmax.rng import child

_PRUNING_OFF = 1 << 62


class Schedule(NamedTuple):
    """Everything that shapes training besides the game. Counted in iterations: one iteration is
    one traversal for each seat (t in Algorithm 1)."""

    batch: int  # iterations that read the same frozen regrets
    discount_every: int  # Discount_Interval
    discount_until: int  # LCFR_Threshold
    count_every: int  # Strategy_Interval
    count_after: int  # the average of the first round begins here
    prune_after: int  # Prune_Threshold
    prune_share: float
    prune_threshold: int  # C, in regret units
    regret_floor: int
    scale: float  # regret units a chip

    def pruning(self) -> Pruning:
        share = self.prune_share if self.prune_share > 0 else 0.0
        after = self.prune_after if share else _PRUNING_OFF
        return Pruning(after, share, self.prune_threshold, self.regret_floor)

    def discount_factor(self, t: int) -> float | None:
        """What regrets and counters are multiplied by after iteration t, None for nothing."""
        if t < self.discount_until and t % self.discount_every == 0:
            k = t // self.discount_every
            return k / (k + 1)
        return None


class Table(NamedTuple):
    """What training changes: ``regret`` int32[layout.size], and ``count`` int32, the counters of
    UPDATE-STRATEGY, laid out like the regrets of the first rounds: those that are counted."""

    regret: np.ndarray
    count: np.ndarray


class Stats(NamedTuple):
    """What a stretch of training did."""

    traversals: int
    nodes: int  # decision nodes visited
    pruned: int  # actions left out
    discounts: tuple[tuple[int, float], ...]  # (iteration, factor)


def new_table(layout: Layout, counted: int = 1) -> Table:
    """Zero regrets, and zero counters for the first ``counted`` rounds (the paper: one); the system
    backs them with memory when they are touched."""
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
) -> Stats:
    """Run iterations ``first`` … ``last`` (counted from 1) on ``table``, in place.

    A stretch that ends where another begins continues it bit for bit, whatever the threads, as
    long as both ends fall between batches (ValueError otherwise).
    """
    if (first - 1) % schedule.batch or last % schedule.batch:
        raise ValueError(f"iterations {first}..{last} cut a batch of {schedule.batch}")
    seats = tree.columns.shape[1]
    deal_seed, walk_seed = child(seed, "deal"), child(seed, "walk")
    pruning, log = schedule.pruning(), new_log(4096, 1024, _widest(tree))
    counted = turns(tree, int(np.searchsorted(layout.start, table.count.size)))
    nodes = pruned = 0
    discounts = []
    for t in range(first, last + 1, schedule.batch):
        deals = dealer.deal(deal_seed, t, schedule.batch)
        count_every = schedule.count_every if t > schedule.count_after else 0
        while not run_batch(
            tree, layout, table.regret, deals, t, walk_seed, pruning, count_every, counted,
            schedule.scale, log,
        ):  # fmt: skip
            log = _larger(log)
        apply_log(table.regret, table.count, log, schedule.regret_floor, threads_in_use())
        nodes += int(log.used[:, 2].sum())
        pruned += int(log.used[:, 3].sum())
        done = t + schedule.batch - 1
        if (factor := schedule.discount_factor(done)) is not None:
            discount(table.regret, factor)
            discount(table.count, factor)
            discounts.append((done, factor))
        progress(schedule.batch)
    return Stats((last - first + 1) * seats, nodes, pruned, tuple(discounts))


def _widest(tree: Tree) -> int:
    return int((tree.node[:, 0] >> 12 & 255).max())


def _larger(log: Log) -> Log:
    return new_log(2 * log.row.shape[1], 2 * log.visit.shape[1], log.delta.shape[2])
