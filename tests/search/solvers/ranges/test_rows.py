"""Rows of hands and of buckets, against numpy."""

import numpy as np
import pytest

from sixmax.base.jit import njit
from sixmax.search.solvers.ranges import rows


@njit
def _summed(row, prior, bucket, parts, out):
    rows.sum_by_bucket(row, prior, bucket, parts, out)


@njit
def _matched(table, at, n, size, out):
    rows.matched(table, at, n, size, out)


@pytest.mark.parametrize("hands", [1, 6, 103])
def test_sum_by_bucket__is_numpys(hands):
    random = np.random.default_rng(hands)
    row, prior = random.random((2, hands + 5)).astype(np.float32)  # rows may be longer
    bucket = random.integers(0, 9, hands).astype(np.int32)
    parts, out = np.full((4, 12), 7, np.float32), np.full(12, 7, np.float32)
    _summed(row, prior, bucket, parts, out)
    expected = np.bincount(bucket, (prior * row)[:hands], 12)
    assert out == pytest.approx(expected, abs=1e-5)


@njit
def _learnt(regret, table, value, mean, keep):
    if regret.size:
        rows.add_predicted(regret, table, value, mean, keep)
    else:
        rows.add_regrets(table, value, mean, keep)


def next_regrets(regret, gain, keep):
    """Those that are kept, and those of a predictive method with the last once more."""
    kept = (regret + gain) * np.where(regret + gain > 0, keep[0], keep[1])
    return kept, kept + gain


def test_add_predicted__expects_the_last_regrets_again():
    random, keep = np.random.default_rng(2), np.array([0.7, 0.2, 1.0, 1.0])
    before, value, mean = random.normal(size=(3, 50)).astype(np.float32)
    regret, table, plain = before.copy(), np.zeros(50, np.float32), before.copy()
    _learnt(regret, table, value, mean, keep)
    kept, expected = next_regrets(before, value - mean, keep)
    np.testing.assert_allclose(regret, kept, atol=1e-6)
    np.testing.assert_allclose(table, expected, atol=1e-6)
    _learnt(np.zeros(0, np.float32), plain, value, mean, keep)
    np.testing.assert_allclose(plain, kept, atol=1e-6)


@pytest.mark.parametrize("predicts", [False, True])
def test_discount_shared__is_of_the_rows_of_one_player_that_boards_share(predicts):
    """Two rounds, the second of three buckets; players of four and two columns."""
    of = rows.HandRows(np.array([[18, 30], [0, 12]]), np.array([[3, 5], [4, 2]]),
                       np.array([0, 3]), 18, 60)  # fmt: skip
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


def test_matched__shares_of_the_positive_regrets():
    table = np.array([9, 9, 1, -2, -1, 3, -5, -1, 0, 2, -3, 4], np.float32)  # rows begin at 2
    out = np.full((3, 5), 7, np.float32)
    _matched(table, 2, 3, 3, out)
    assert out[:, 0] == pytest.approx([0.25, 0.75, 0])
    assert out[:, 1] == pytest.approx([0, 0, 1])
    assert out[:, 2] == pytest.approx([1 / 3, 1 / 3, 1 / 3]), "none positive: uniform"
    assert (out[:, 3:] == 7).all()
