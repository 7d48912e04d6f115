"""Small games that the tests of this part share."""

import numpy as np

from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.layout import layout
from sixmax.cfr.sampled.average import turns
from sixmax.cfr.sampled.batch import EVERY_SEAT, Dealt, run_batch
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import new_table
from sixmax.cfr.sampled.traverse import Learner
from sixmax.games import GAMES

PLAIN = Schedule(
    batch=1,
    discount_every=10**9,
    discount_until=0,
    count_every=1,
    count_after=0,
    prune_after=0,
    prune_share=0.0,
    prune_threshold=-(10**8),
    regret_floor=-(10**9),
    scale=1000.0,
)


def small(name, seats):
    """Tree, dealer, layout and an empty table of Kuhn or Leduc."""
    tree, dealer = build(GAMES[name].config(seats)), TableDealer(GAMES[name].deals(seats))
    regret_layout = layout(tree, dealer.buckets)
    return tree, dealer, regret_layout, new_table(regret_layout)


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
    config = GameConfig(
        stacks=[300, 700, 1100],
        blinds=[50, 100, 0],
        antes=[0, 0, 0],
        first=[2, 0, 0, 0][:rounds],
        rounds=[{"sizes": [[1], ["A"]], "max_raises": 2, "max_players": 3}] * rounds,
    )
    tree, dealer = build(config), TableDealer(Deals(bucket, rank))
    regret_layout = layout(tree, dealer.buckets)
    return tree, dealer, regret_layout, new_table(regret_layout)


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


def random_regrets(size, low=-100_000, high=100_000):
    return np.random.default_rng(3).integers(low, high, size).astype(np.int32)
