"""Small games that the tests of this part share."""

from typing import NamedTuple

import numpy as np

from oracles.games import holdem
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.policy import shares
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.batch import EVERY_SEAT, Dealt, run_batch
from sixmax.cfr.sampled.schedule import Pruning, Schedule
from sixmax.cfr.sampled.train import Table, Training, new_table, train
from sixmax.cfr.sampled.traverse import Learner
from sixmax.games import GAMES

PLAIN = Schedule(
    batch=1, discount_every=10**9, discount_until=0, count_every=1, count_after=0, prune_after=0,
    prune_share=0.0, prune_threshold=-(10**8), regret_floor=-(10**9), scale=1000.0,
)  # fmt: skip
OFF = Pruning(1 << 62, 0.0, -(10**8), -(10**9))


class SmallGame(NamedTuple):
    """A game with all its deals, and a table to train."""

    tree: Tree
    dealer: TableDealer
    layout: Layout
    table: Table

    def counting(self, rounds):
        """The same with an empty table that counts so many rounds."""
        return self._replace(table=new_table(self.layout, rounds))

    def train(self, schedule, first, last, seed=1, **options):
        """Iterations ``first`` to ``last`` on the table, with the options of :func:`train`."""
        more = {name: options.pop(name) for name in options.keys() & Training._fields}
        tree, dealer, layout, table = self
        training = Training(tree, layout, dealer, table, schedule, seed, **more)
        return train(training, first, last, **options)

    def nash_conv(self, weight):
        """Of the strategy in proportion to ``weight``."""
        strategy = shares(self.tree, self.layout, weight)
        return nash_conv(self.tree, self.layout, self.dealer.deals, strategy)

    def untrained(self):
        """NashConv of the uniform strategy."""
        return self.nash_conv(np.zeros(self.layout.size))


def _game(tree, deals):
    dealer = TableDealer(deals)
    regret_layout = layout(tree, dealer.buckets)
    return SmallGame(tree, dealer, regret_layout, new_table(regret_layout))


def small(name, seats):
    """Kuhn or Leduc poker, and an empty table."""
    return _game(build(GAMES[name].config(seats)), GAMES[name].deals(seats))


def three_handed():
    """Four rounds, three unequal stacks, side pots, random buckets and ranks."""
    rng = np.random.default_rng(1)
    bucket = rng.integers(0, 3, (50, 3, 4)).astype(np.int32)
    return _unequal(bucket, rng.integers(0, 4, (50, 4, 3)).astype(np.int32))


def remembered():
    """The same in two rounds, with buckets that remember the first and with one board."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, (12, 3)).astype(np.int32)
    second = first * 2 + rng.integers(0, 2, (12, 3)).astype(np.int32)
    ranks = rng.integers(0, 4, (12, 1, 3)).astype(np.int32)
    return _unequal(np.stack([first, second], axis=2), ranks)


def _unequal(bucket, rank):
    rounds = bucket.shape[2]
    game = holdem([300, 700, 1100], [[1], ["A"]], 2, rounds=rounds)
    return _game(build(game), Deals(bucket, rank))


def learner(tree, layout, pruning, seed, scale=1000.0, count_every=1, counted=1, leaves=None):
    """What the traversals of a batch read, on a game or on a part of one."""
    return Learner(
        tree, layout, leaves, turns(tree, counted), pruning, 1, count_every, 0, scale, seed,
        EVERY_SEAT,
    )  # fmt: skip


def run(learner, regret, deals, log, first=1, parts=1):
    """One batch of ``deals``, logged; false where the log was too small."""
    future = deals.bucket if learner.leaves is None else deals.future
    return run_batch(learner, regret, Dealt(deals.bucket, deals.rank, future, first), log, parts)


def random_strategy(tree, layout, seed=2):
    return shares(tree, layout, np.random.default_rng(seed).random(layout.size) ** 3)


def random_regrets(size, low=-100_000, high=100_000):
    return np.random.default_rng(3).integers(low, high, size).astype(np.int32)
