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


def test_matched__shares_of_the_positive_regrets():
    table = np.array([9, 9, 1, -2, -1, 3, -5, -1, 0, 2, -3, 4], np.float32)  # rows begin at 2
    out = np.full((3, 5), 7, np.float32)
    _matched(table, 2, 3, 3, out)
    assert out[:, 0] == pytest.approx([0.25, 0.75, 0])
    assert out[:, 1] == pytest.approx([0, 0, 1])
    assert out[:, 2] == pytest.approx([1 / 3, 1 / 3, 1 / 3]), "none positive: uniform"
    assert (out[:, 3:] == 7).all()
