"""A stretch of training dealt out to shards: their sum, whatever their order and threads."""

import itertools

import numpy as np
import pytest

from cfr.games import PLAIN, small, three_handed
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.policy import from_regrets, shares, uniform
from sixmax.cfr.sampled import shards
from sixmax.cfr.sampled import train as train_module
from sixmax.cfr.sampled.log import CEILING
from sixmax.cfr.sampled.train import Table, new_table, train
from sixmax.jit import set_threads

PRUNED = PLAIN._replace(
    batch=20, discount_every=40, discount_until=300, prune_after=100, prune_share=0.95,
    prune_threshold=-200_000, regret_floor=-250_000,
)  # fmt: skip


def copy(table):
    return Table(table.regret.copy(), table.count.copy())


def discounted(table, schedule, first, last):
    """The first table of the stretch after all discounts of the stretch."""
    left = copy(table)
    shards.discount_all(left, [f for _, f in schedule.discounts(first, last)])
    return left


def parts_of(game, table, schedule, first, last, of, threads=1):
    """The changes by each of ``of`` shards, and their statistics."""
    tree, dealer, layout, _ = game
    actual = []
    for shard in range(of):
        set_threads(threads)
        mine = copy(table)
        stats = train(tree, layout, dealer, mine, schedule, 7, first, last, shard=shard, shards=of)
        shards.subtract(mine, discounted(table, schedule, first, last))
        actual.append((mine, stats))
    return actual


def merged(table, schedule, first, last, parts):
    total = discounted(table, schedule, first, last)
    for part in parts:
        shards.add(total, part)
    shards.hold(total, schedule.regret_floor)
    return total


def sharded(game, schedule, last, every, of):
    """Training to ``last`` in stretches of ``every`` iterations with ``of`` shards."""
    table = new_table(game[2])
    for first in range(1, last + 1, every):
        end = first + every - 1
        parts = parts_of(game, table, schedule, first, end, of)
        table = merged(table, schedule, first, end, [part for part, _ in parts])
    return table


def test_shards__one_adds_what_training_in_one_piece_adds():
    game = three_handed()
    tree, dealer, layout, expected = game
    train(tree, layout, dealer, expected, PRUNED, 7, 1, 400)
    actual = sharded(game, PRUNED, 400, 200, 1)
    assert np.count_nonzero(expected.regret < 0) > 100
    assert (expected.regret == PRUNED.regret_floor).any()
    assert np.array_equal(actual.regret, expected.regret)
    assert np.array_equal(actual.count, expected.count)


def test_shards__same_bits_in_any_order_and_for_any_threads(monkeypatch):
    monkeypatch.setattr(train_module, "_FEW", 0)
    game = three_handed()
    tree, dealer, layout, table = game
    train(tree, layout, dealer, table, PRUNED, 7, 1, 200)
    parts = [p for p, _ in parts_of(game, table, PRUNED, 201, 400, 3)]
    for one, two in zip(parts, parts_of(game, table, PRUNED, 201, 400, 3, threads=2), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two[0], strict=True))
    assert not np.array_equal(parts[0].regret, parts[1].regret)
    expected = merged(table, PRUNED, 201, 400, parts)
    for order in itertools.permutations(parts):
        actual = merged(table, PRUNED, 201, 400, order)
        assert np.array_equal(actual.regret, expected.regret)
        assert np.array_equal(actual.count, expected.count)
    assert expected.regret.min() == PRUNED.regret_floor


def test_shards__together_run_every_batch_once():
    tree, dealer, layout, table = small("kuhn", 2)
    asked = []

    class Recorder:
        buckets = dealer.buckets

        def deal(self, seed, first, n):
            asked.extend(range(first, first + n))
            return dealer.deal(seed, first, n)

    game = (tree, Recorder(), layout, table)
    parts = parts_of(game, table, PLAIN._replace(batch=20), 1, 140, 3)
    assert sorted(asked) == list(range(1, 141))
    assert [stats.traversals for _, stats in parts] == [120, 80, 80]


def test_shards__apply_every_discount_where_it_falls():
    """Halved after 100, times 2/3 after 200, 3/4 after 300: a quarter of what the stretch began
    with, wherever nobody came; and the counters of a lone shard as in one piece."""
    schedule = PLAIN._replace(batch=50, discount_every=100, discount_until=400)
    game = three_handed()
    table = game[3]
    table.regret[:] = 1_000_000
    parts = parts_of(game, table, schedule, 1, 400, 2)
    for _, stats in parts:
        assert stats.discounts == ((100, 1 / 2), (200, 2 / 3), (300, 3 / 4))
    unvisited = (parts[0][0].regret == 0) & (parts[1][0].regret == 0)
    actual = merged(table, schedule, 1, 400, [part for part, _ in parts])
    assert 0 < np.count_nonzero(unvisited) < unvisited.size
    assert (actual.regret[unvisited] == 250_000).all()


def test_add__sums_as_plain_integers_do_and_stays_within_bounds():
    rng = np.random.default_rng(1)
    one, two = (rng.integers(-CEILING, CEILING, 1000).astype(np.int32) for _ in range(2))
    expected = np.clip(one.astype(np.int64) + two, -CEILING, CEILING)
    total = Table(one.copy(), one[:10].copy())
    shards.add(total, Table(two, two[:10]))
    assert np.array_equal(total.regret, expected)
    assert np.array_equal(total.count, expected[:10])
    assert (np.abs(expected) == CEILING).any()
    left = Table(one.copy(), one[:10].copy())
    shards.subtract(left, Table(two, two[:10]))
    assert np.array_equal(left.regret, np.clip(one.astype(np.int64) - two, -CEILING, CEILING))
    shards.hold(total, -500)
    assert np.array_equal(total.regret, np.maximum(expected, -500))


def test_sharded__kuhn_converges():
    """Untrained: NashConv 11/12 (OpenSpiel 2.0.2)."""
    game = small("kuhn", 2)
    tree, dealer, layout, _ = game
    untrained = nash_conv(tree, layout, dealer.deals, uniform(tree, layout))
    assert untrained.total == pytest.approx(11 / 12)
    table = sharded(game, PLAIN._replace(batch=50), 100_000, 400, 4)
    trained = nash_conv(tree, layout, dealer.deals, shares(tree, layout, table.count))
    assert trained.total < 0.05
    assert trained.values[0] == pytest.approx(-1 / 18, abs=0.02)


def test_sharded__leduc_pays_for_stale_regrets_and_converges():
    """Untrained: NashConv 4.747. Regrets of other shards are stale by a stretch of 1,000."""
    game = small("leduc", 2)
    tree, dealer, layout, _ = game
    scores = []
    for of in (1, 4):
        table, total = new_table(layout), np.zeros(layout.size)
        for first in range(1, 40_001, 1000):
            schedule = PLAIN._replace(batch=50)
            parts = parts_of(game, table, schedule, first, first + 999, of)
            table = merged(table, schedule, first, first + 999, [part for part, _ in parts])
            total += from_regrets(tree, layout, table.regret)
        scores.append(nash_conv(tree, layout, dealer.deals, shares(tree, layout, total)).total)
    assert scores[0] < scores[1] < 1.0
