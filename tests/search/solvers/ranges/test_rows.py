"""Rows of hands and of buckets, against numpy."""

import numpy as np
import pytest

from sixmax.base.jit import njit
from sixmax.cfr.regret import matched
from sixmax.search.solvers.ranges import rows


@njit
def _matched_by_bucket(table, at, size, bucket, out):
    rows.matched_by_bucket(table, at, size, bucket, out)


@njit
def _learnt_by_bucket(added, total, bucket, given, keep):
    prior, value, mean, strategy, own = given
    rows.weigh_regrets(value, mean, prior, keep)
    rows.add_by_bucket(value, bucket, added)
    rows.weigh_strategy(strategy, own, prior, keep)
    rows.add_by_bucket(strategy, bucket, total)


@pytest.mark.parametrize("hands", [1, 6, 103])
def test_matched_by_bucket__is_the_row_of_each_hands_bucket(hands):
    random = np.random.default_rng(hands)
    table = random.normal(size=2 + 3 * 9).astype(np.float32)
    bucket = random.integers(0, 9, hands).astype(np.int32)
    out = np.full((3, hands + 2), 7, np.float32)
    table[[5, 14, 23]] = -1  # none positive: uniform
    bucket[0] = 3
    _matched_by_bucket(table, 2, 9, bucket, out)
    by_bucket = matched(table[2:].reshape(3, 9).T.astype(np.float64))
    np.testing.assert_allclose(out[:, :hands], by_bucket[bucket].T, rtol=1e-6)
    assert (out[:, hands:] == 7).all()


@pytest.mark.parametrize("hands", [1, 6, 103])
def test_add_by_bucket__are_the_sums_of_the_hands_in_each(hands):
    random, keep = np.random.default_rng(hands), np.array([1, 1, 1, 3.0, 0.01])
    given = random.random((5, hands)).astype(np.float32)
    bucket = random.integers(0, 9, hands).astype(np.int32)
    added, total = np.full((2, 12), 7, np.float32)
    _learnt_by_bucket(added, total, bucket, tuple(given.copy()), keep)
    prior, value, mean, strategy, own = given
    regrets = np.bincount(bucket, 3 * prior * (value - mean), 12)
    np.testing.assert_allclose(added, 7 + regrets, rtol=1e-4)
    np.testing.assert_allclose(
        total, 7 + np.bincount(bucket, 3 * prior * (own + 0.01) * strategy, 12), rtol=1e-4
    )


def next_regrets(regret, gain, keep):
    """Those that are kept, and those of a predictive method with the last once more."""
    kept = (regret + gain) * np.where(regret + gain > 0, keep[0], keep[1])
    return kept, kept + gain


@pytest.mark.parametrize("predicts", [False, True])
def test_discount_shared__is_of_the_rows_of_one_player_by_bucket(predicts):
    """Two rounds, the second of three buckets; players of four and two columns."""
    of = rows.HandRows(np.array([[18, 30], [0, 12]]), np.array([[3, 5], [4, 2]]),
                       np.array([0, 3]), 18, True, 60)  # fmt: skip
    random, keep = np.random.default_rng(3), np.array([0.7, 0.2, 1.0, 1.0])
    before, added = random.normal(size=60).astype(np.float32), random.normal(size=18)
    added, mine = added.astype(np.float32), slice(0, 12)
    table, regret = before.copy(), before.copy() if predicts else np.zeros(0, np.float32)
    given = added.copy()
    rows.discount_shared(of, 0, regret, table, added, keep)
    kept, expected = next_regrets(before[mine], given[mine], keep)
    np.testing.assert_allclose(table[mine], expected if predicts else kept, atol=1e-6)
    if predicts:
        np.testing.assert_allclose(regret[mine], kept, atol=1e-6)
    assert not added[mine].any()
    assert np.array_equal(added[12:], given[12:])
    assert np.array_equal(table[12:], before[12:])
