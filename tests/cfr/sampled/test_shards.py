"""A stretch of training dealt out to shards: their sum, whatever their order and threads."""

import itertools

import numpy as np
import pytest

from cfr.games import PLAIN, small, three_handed
from sixmax.base.jit import set_threads
from sixmax.cfr.sampled import log, shards, train

PRUNED = PLAIN._replace(
    batch=20, discount_every=40, discount_until=300, prune_after=100, prune_share=0.95,
    prune_threshold=-200_000, regret_floor=-250_000,
)  # fmt: skip


def copy(table):
    return train.Table(table.regret.copy(), table.count.copy())


def trained(game, table, schedule, first, last, of, threads=1):
    """The tables of ``of`` shards after the stretch, and their statistics."""
    actual = []
    for shard in range(of):
        set_threads(threads)
        mine = game._replace(table=copy(table))
        stats = mine.train(schedule, first, last, 7, shard=shard, shards=of)
        actual.append((mine.table, stats))
    return actual


def changes_of(table, before, factors):
    """The changes of one array, cut into parts of odd lengths as a store may cut them."""
    return shards.changes(table.copy(), np.array_split(before, 3), factors)


def merged(table, schedule, first, last, tables):
    """``table`` after the stretch, by the changes of all shards."""
    total = copy(table)
    factors = [f for _, f in schedule.discounts(first, last)]
    for array, *mine in zip(total, *tables, strict=True):
        found = [changes_of(each, array.copy(), factors) for each in mine]
        shards.add_mean(array, factors, in_parts(found))
    return total


def in_parts(changes):
    """The arrays of each of ``changes`` in two parts."""
    return [tuple(np.array_split(array, 2) for array in one) for one in changes]


def plain_mean(table, schedule, first, last, tables):
    """The same without bits and parts: the first table, discounted, and the mean change."""
    total = copy(table)
    for array in total:
        for _, factor in schedule.discounts(first, last):
            array[:] = np.rint(array * factor)
    for i, array in enumerate(total):
        change = np.sum([each[i].astype(np.int64) - array for each in tables], axis=0)
        array += np.rint(change / len(tables)).astype(np.int32)
    return total


def sharded(game, schedule, last, every, of, counted=1):
    """Training to ``last`` in stretches of ``every`` iterations with ``of`` shards."""
    table = game.counting(counted).table
    for first in range(1, last + 1, every):
        end = first + every - 1
        tables = [t for t, _ in trained(game, table, schedule, first, end, of)]
        table = merged(table, schedule, first, end, tables)
    return table


def test_shards__one_adds_what_training_in_one_piece_adds():
    game = three_handed()
    game.train(PRUNED, 1, 400, 7)
    actual, expected = sharded(game, PRUNED, 400, 200, 1), game.table
    assert np.count_nonzero(expected.regret < 0) > 100
    assert (expected.regret == PRUNED.regret_floor).any()
    assert np.array_equal(actual.regret, expected.regret)
    assert np.array_equal(actual.count, expected.count)


def test_merge__same_bits_in_any_order_and_for_any_threads(monkeypatch):
    monkeypatch.setattr(train, "_FEW", 0)
    game = three_handed()
    game.train(PRUNED, 1, 200, 7)
    table = game.table
    tables = [t for t, _ in trained(game, table, PRUNED, 201, 400, 3)]
    for one, two in zip(tables, trained(game, table, PRUNED, 201, 400, 3, threads=2), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two[0], strict=True))
    assert not np.array_equal(tables[0].regret, tables[1].regret)
    expected = plain_mean(table, PRUNED, 201, 400, tables)
    for order in itertools.permutations(tables):
        actual = merged(table, PRUNED, 201, 400, order)
        assert np.array_equal(actual.regret, expected.regret)
        assert np.array_equal(actual.count, expected.count)
    assert expected.regret.min() == PRUNED.regret_floor


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 50, 2 * 64 + 3, 3 * shards._BLOCK - 5])
def test_changes__are_those_of_plain_integers(monkeypatch, size):
    """Small ones in blocks of 64; also where a table is no multiple of a byte or of a block."""
    if size < shards._BLOCK:
        monkeypatch.setattr(shards, "_BLOCK", 64)
    rng = np.random.default_rng(size)
    before = rng.integers(-1000, 1000, size).astype(np.int32)
    tables = [before + rng.integers(-3, 4, size).astype(np.int32) for _ in range(3)]
    actual = [changes_of(table, before, []) for table in tables]
    for table, (changed, change) in zip(tables, actual, strict=True):
        assert np.array_equal(changed, np.packbits(table != before))
        assert np.array_equal(change, (table - before)[table != before])
    total = before.copy()
    shards.add_mean(total, [], in_parts(actual))
    mean = np.rint(sum(t.astype(np.int64) - before for t in tables) / 3)
    assert np.array_equal(total, before + mean.astype(np.int32))


def test_changes__discounts_what_the_stretch_began_with():
    before = np.array([100, -7, 0, 3], np.int32)
    halved = np.array([50, -4, 0, 2], np.int32)  # to the nearest, the even one of two
    changed, change = changes_of(halved + np.array([0, 5, 0, -9], np.int32), before, [0.5])
    assert np.unpackbits(changed).tolist() == [0, 1, 0, 1, 0, 0, 0, 0]
    assert change.tolist() == [5, -9]


def test_changes__stay_within_bounds():
    table, before = np.array([log.CEILING], np.int32), np.array([-log.CEILING], np.int32)
    assert shards.changes(table, [before], []).change.tolist() == [log.CEILING]


def test_add_mean__rounds_the_sum_once_and_halves_to_the_even():
    one, all_bits = np.array([1, 2, 3, 5], np.int32), np.array([0b11110000], np.uint8)
    none = (np.array([0], np.uint8), np.zeros(0, np.int32))
    table = np.zeros(4, np.int32)
    shards.add_mean(table, [], [([all_bits], [one]), tuple([part] for part in none)])
    assert table.tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("bits", "change"),
    [([128, 0], [1]), ([128], [1, 1]), ([192], [1]), ([0], [1]), ([130], [1, 1]), ([], [])],
)
def test_add_mean__refuses_bits_and_changes_that_do_not_fit(bits, change):
    """A table of six entries; 130 has a bit beyond it. Nothing is read or written out of bounds."""
    parts = [np.array(bits, np.uint8)], [np.array(change, np.int32)]
    with pytest.raises(ValueError, match="other numbers than the table wants"):
        shards.add_mean(np.zeros(6, np.int32), [], [parts])


@pytest.mark.parametrize(("size", "said"), [(3, "fewer"), (5, "more")])
def test_changes__refuses_another_size(size, said):
    with pytest.raises(ValueError, match=f"{said} entries than the table"):
        shards.changes(np.zeros(4, np.int32), [np.zeros(size, np.int32)], [])


def test_shards__together_run_every_batch_once():
    game, asked = small("kuhn", 2), []

    class Recorder:
        def deal(self, seed, first, n):
            asked.extend(range(first, first + n))
            return game.dealer.deal(seed, first, n)

    recorded = game._replace(dealer=Recorder())
    tables = trained(recorded, game.table, PLAIN._replace(batch=20), 1, 140, 3)
    assert sorted(asked) == list(range(1, 141))
    assert [stats.traversals for _, stats in tables] == [120, 80, 80]


def test_shards__apply_every_discount_where_it_falls():
    """Halved after 100, times 2/3 after 200, 3/4 after 300: a quarter of what the stretch began
    with, wherever nobody came; and the counters of a lone shard as in one piece."""
    schedule = PLAIN._replace(batch=50, discount_every=100, discount_until=400)
    game = three_handed()
    table = game.table
    table.regret[:] = 1_000_000
    parts = trained(game, table, schedule, 1, 400, 2)
    for _, stats in parts:
        assert stats.discounts == ((100, 1 / 2), (200, 2 / 3), (300, 3 / 4))
    tables = [t for t, _ in parts]
    unvisited = (tables[0].regret == 250_000) & (tables[1].regret == 250_000)
    actual = merged(table, schedule, 1, 400, tables)
    assert 0 < np.count_nonzero(unvisited) < unvisited.size
    assert (actual.regret[unvisited] == 250_000).all()


def test_sharded__kuhn_converges():
    """Untrained: NashConv 11/12 (OpenSpiel 2.0.2)."""
    game = small("kuhn", 2)
    assert game.untrained().total == pytest.approx(11 / 12)
    trained = game.nash_conv(sharded(game, PLAIN._replace(batch=50), 100_000, 400, 4).count)
    assert trained.total < 0.05
    assert trained.values[0] == pytest.approx(-1 / 18, abs=0.02)


@pytest.mark.parametrize("every", [400, 4000])
def test_sharded__four_machines_are_better_than_one_of_the_same_time(every):
    """Leduc, untrained: NashConv 4.747. Sixty seeds are in docs/notebook/training/shards.md."""
    game, schedule = small("leduc", 2), PLAIN._replace(batch=50)
    alone, together = (
        game.nash_conv(sharded(game, schedule, 20_000 * of, of * every, of, 2).count).total
        for of in (1, 4)
    )
    assert together < 0.8 * alone < 0.4
