"""The twins of `python -m benchmarks ideas`: an idea may change how fast, and never what."""

import json
import mmap

import numpy as np
import pytest
from benchmarks import ideas, ideas_pairs
from benchmarks import ideas_kernels as kernels
from benchmarks import ideas_rows as by_row
from benchmarks.__main__ import main
from benchmarks.ideas_counts import _any, counts, order
from click.testing import CliRunner

from sixmax.cfr.layout import infoset
from sixmax.cfr.sampled.log import CHUNKS, apply_part, new_log
from sixmax.cfr.sampled.traverse import new_scratch
from sixmax.game.tree import kind_of, n_actions, round_of, seat_of
from sixmax.jit import set_threads

SEED = np.uint64(3)


@pytest.fixture(scope="module")
def on():
    set_threads(1)
    return ideas.filled(2000, small=True)


@pytest.fixture(scope="module")
def deals(on):
    return on.dealer.deal(np.uint64(7), 1, 300)


def walk(on, deals, shared=True):
    return kernels.walk(
        shared, on.tree, on.layout, on.table.regret, deals, SEED, on.schedule.pruning(),
        new_log(4096, 1024, 16), new_scratch(deals),
    )  # fmt: skip


@pytest.mark.parametrize("everywhere", [False, True])
def test_walk_recursive__is_the_walk_with_a_stack(on, deals, everywhere):
    expected = walk(on, deals)
    assert expected[0] > 3 * len(deals.bucket)
    actual = kernels.walk_recursive(
        everywhere, on.tree, on.layout, on.table.regret, deals, SEED, new_log(4096, 1024, 16),
        new_scratch(deals), np.empty(1, np.uint64), np.empty(2, np.int64),
    )  # fmt: skip
    assert actual == expected


def test_walk__without_sharing_has_one_traversal_a_deal(on, deals):
    seats = deals.bucket.shape[1]
    same = type(deals)(*(np.repeat(part, seats, axis=0) for part in deals))
    assert walk(on, same, shared=False) == walk(on, deals)


@pytest.mark.parametrize("each", [False, True])
def test_walk_looking__finds_the_buckets_of_the_dealer(on, deals, each):
    cards = on.dealer.cards(np.uint64(7), 1, 300)
    bucket, perm = np.empty(deals.bucket.shape[1:], np.int32), np.empty(4, np.int8)
    actual = kernels.walk_looking(
        each, on.tree, on.layout, on.table.regret, cards, on.dealer.tables, deals.rank, SEED,
        on.schedule.pruning(), new_log(4096, 1024, 16), new_scratch(deals), bucket, perm,
    )  # fmt: skip
    assert actual == walk(on, deals)
    for i in range(len(cards)):
        kernels.bucket_ids(cards[i], on.dealer.tables, bucket, perm)
        assert np.array_equal(bucket, deals.bucket[i])


def test_descend__is_the_same_packed_split_and_scattered(on):
    node, seed = on.tree.node, np.uint64(5)
    expected = kernels.descend(node, 5000, seed)
    fields = (np.ascontiguousarray(node[:, k]) for k in range(4))
    assert kernels.descend_split(*fields, 5000, seed) == expected
    moved, child = ideas_pairs.scatter(node)
    assert not np.array_equal(moved, node)
    assert kernels.descend_scattered(moved, child, 5000, seed) == expected


def test_sampled__is_the_same_wherever_the_rows_lie(on, deals):
    tree, where, regret = on.tree, on.layout, on.table.regret
    expected = by_row.sampled(tree, where, regret, deals, SEED)
    assert expected != by_row.sampled(tree, where, np.zeros_like(regret), deals, SEED)
    turned, record = ideas_pairs.by_node(on)
    assert by_row.sampled_by_node(tree, where, turned, record, deals, SEED) == expected
    for lanes in (1, 3, 1000):
        scratch = by_row.new_lanes(lanes)
        assert by_row.sampled_in_lanes(tree, where, regret, deals, SEED, scratch) == expected


def test_sampled_by_epoch__discounts_each_row_that_is_met_once(on, deals):
    """A factor of -1 makes every regret that was positive negative, until it is met again."""
    wide, table, slot = ideas_pairs.by_epoch(on)
    assert wide.size > on.layout.size

    def play(now, factor):
        return by_row.sampled_by_epoch(on.tree, wide, table, slot, deals, SEED, now, factor)

    expected = by_row.sampled(on.tree, on.layout, on.table.regret, deals, SEED)
    turned = by_row.sampled(on.tree, on.layout, -on.table.regret, deals, SEED)
    assert play(0, -1.0) == expected != turned
    assert play(1, -1.0) == turned
    assert play(1, -1.0) == turned


@pytest.mark.skipif(not hasattr(mmap, "MADV_NOHUGEPAGE"), reason="Linux can be asked for pages")
def test_on_pages__is_a_copy(on):
    actual = ideas_pairs.on_pages(on.table.regret, mmap.MADV_NOHUGEPAGE)
    assert np.array_equal(actual, on.table.regret)
    assert not np.shares_memory(actual, on.table.regret)


@pytest.mark.parametrize("skipped", range(17))
def test_aligned__begins_with_a_cache_line(skipped):
    array = np.arange(100, dtype=np.int32)[skipped:]
    actual = ideas_pairs.aligned(array)
    assert actual.ctypes.data % 64 == 0
    assert actual.size > array.size - 16


def test_crossing__counts_rows_across_two_lines(on):
    """By every row of the layout, one by one."""
    expected = np.zeros((len(on.layout.buckets), 3), np.int64)
    for head, _, slot, _ in on.tree.node.tolist():
        if kind_of(head) != by_row.DECISION:
            continue
        p, r, n = seat_of(head), round_of(head), n_actions(head)
        for b in range(on.layout.buckets[r]):
            at = infoset(on.layout, r, p, b, slot)
            expected[r] += (1, at // 16 != (at + n - 1) // 16, 1 << (n - 1).bit_length())
    assert np.array_equal(by_row.crossing(on.tree, on.layout), expected)


def test_logs__add_up_to_the_same_but_for_rounding(on):
    rounded, exact = ideas_pairs.logs(on, ideas_pairs.SMALL, 0)
    assert np.array_equal(rounded.used, exact.used)
    tables = on.table.regret.copy(), on.table.regret.astype(np.float32)
    for table, log in zip(tables, (rounded, exact), strict=True):
        apply_part(table, on.table.count, log, -(10**9), CHUNKS)
    added = int(rounded.used[:, 0].sum())
    assert added > 20
    assert 0 < np.abs(tables[0] - tables[1]).max() < added / 2


def test_order__of_float32_sums_matters(on):
    count = order(on, ideas_pairs.SMALL._replace(batch=500))
    assert 0 < count.part < count.whole


def test_counts__are_of_the_table(on):
    """By Python, entry by entry, on a table with regrets of every size."""
    regret = (on.table.regret * 1000).copy()
    found = list(counts(on._replace(table=on.table._replace(regret=regret)), ideas_pairs.SMALL))
    entries = regret.tolist()
    met = [r for r in entries if r != 0]
    assert (found[0].part, found[0].whole) == (len(met), len(entries))
    beyond = sum(not -32_768 <= r <= 32_767 for r in met)
    assert 0 < beyond < len(met)
    assert found[1].part == pytest.approx(beyond, abs=met.count(-32_768))
    rows = sum(on.layout.buckets[round_of(h)] for h in on.tree.node[:, 0] if kind_of(h) == 0)
    assert found[-2].part == rows == found[-4].whole


def test_any__is_of_each_stretch():
    assert _any(np.array([0, 0, 0, 5, 0], np.int32), 2).tolist() == [False, True, False]


def test_compare__measures_both_forms_on_the_same_work_after_other_work():
    seen = []
    pair = ideas_pairs.Pair(
        "idea", "things", lambda number: number, lambda w: seen.append(("with", w)) or 2.0,
        lambda w: seen.append(("without", w)) or 1.0,
    )  # fmt: skip
    found = ideas.compare(pair, 1)
    assert seen == [("without", 0), ("without", 1), ("with", 0), ("with", 1),
                    ("with", 2), ("with", 3), ("without", 2), ("without", 3)]  # fmt: skip
    assert (found.idea, found.turns) == ("idea", 1)
    assert found.ratios == (found.gain, found.gain)
    assert found.gain == pytest.approx(found.having / found.without)


def test_markdown__has_a_table_of_rates_and_one_of_counts():
    text = ideas.markdown([
        ideas.Found("idea", "nodes", 3e6, 2e6, 1.55, (1.4, 1.6), 5),
        ideas.Found("counted", "entries", 1.0, 4.0, 0.25, (0.2, 0.3), 0),
    ])  # fmt: skip
    assert "| idea | 3 M | 2 M | nodes | 1.55 x | 1.40 to 1.60 | 5 |" in text
    assert "| counted | 1 | 4 entries | 25.0% | 20.0% to 30.0% |" in text


@pytest.mark.slow
def test_ideas__measure_every_form(tmp_path):
    run = ["ideas", "--small", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, run, catch_exceptions=False).exit_code == 0
    found = [ideas.Found(**x) for x in json.loads((tmp_path / "ideas.json").read_text())["found"]]
    assert {f.turns for f in found} == {0, 1}
    for f in found:
        assert f.without > 0
        assert f.having > 0 or not f.turns
