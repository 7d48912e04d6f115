"""Where infosets lie: every entry belongs to one action, counted off one after the other."""

import numpy as np
import pytest

from cfr.games import small, three_handed
from sixmax.cfr.layout import infoset, layout, section, slabs
from sixmax.cfr.policy import rows

BUCKETS = {"kuhn": [3], "leduc": [3, 9], "hold'em": [2, 1, 3, 2]}


@pytest.mark.parametrize("name", BUCKETS)
def test_infoset__counts_off_bucket_by_bucket(name):
    tree = (three_handed() if name == "hold'em" else small(name, 2)).tree
    regret_layout, table = layout(tree, BUCKETS[name]), rows(tree)
    rounds, seats = tree.columns.shape
    expected = 0
    for r in range(rounds):
        for p in range(seats):
            first = expected
            group = slice(*table.start[r * seats + p : r * seats + p + 2])
            for b in range(BUCKETS[name][r]):
                for slot, n in zip(table.slot[group], table.n[group], strict=True):
                    assert infoset(regret_layout, r, p, b, slot) == expected
                    expected += int(n)
            assert section(regret_layout, r, p) == slice(first, expected)
    assert regret_layout.size == expected


def test_slabs__are_those_of_each_bucket():
    regret_layout = layout(small("leduc", 2)[0], BUCKETS["leduc"])
    bucket = np.array([[[0, 2, 1], [8, 0, 3]], [[1, 1, 0], [2, 7, 5]]])
    expected = [
        [[infoset(regret_layout, r, p, b, 0) for b in bucket[p, r]] for r in range(2)]
        for p in range(2)
    ]
    np.testing.assert_array_equal(slabs(regret_layout, bucket), expected)
    by_round = np.asfortranarray(bucket)
    np.testing.assert_array_equal(slabs(regret_layout, by_round), expected)
    assert slabs(regret_layout, by_round).flags.c_contiguous


def test_infoset__of_more_entries_than_32_bits_count():
    """A tree 30,000 times as large as that of Leduc, with 30,000 buckets."""
    tree = small("leduc", 2)[0]
    tree = tree._replace(columns=tree.columns * 30_000)
    regret_layout = layout(tree, [169, 30_000])
    assert regret_layout.size == int(tree.columns.sum(axis=1) @ [169, 30_000]) > 1 << 32
    last, columns = 29_999, int(tree.columns[1, 1])
    expected = regret_layout.size - columns
    assert infoset(regret_layout, 1, 1, last, 0) == expected
    bucket = np.full((2, 2, 1), last, np.int32)
    assert slabs(regret_layout, bucket)[1, 1, 0] == expected
    assert section(regret_layout, 1, 1).stop == regret_layout.size


@pytest.mark.parametrize("buckets", [[3], [3, 0], [3, 9, 1]])
def test_layout__refuses_other_counts(buckets):
    with pytest.raises(ValueError, match="one positive count for each round"):
        layout(small("leduc", 2)[0], buckets)
