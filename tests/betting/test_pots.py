"""Side pots: by hand, and random contributions against a chip-by-chip twin."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracles import game as oracle
from sixmax.betting.pots import payoffs, return_uncalled


def net(put, contenders, rank):
    out = np.empty(len(put))
    mask = sum(1 << seat for seat in contenders)
    payoffs(np.array(put, np.int32), mask, np.array(rank, np.int32), out)
    return out.tolist()


@pytest.mark.parametrize(
    ("put", "contenders", "rank", "expected"),
    [
        ([100, 100, 100], [0, 1, 2], [3, 1, 2], [200, -100, -100]),
        ([100, 100, 50], [0, 1], [5, 5, 9], [25, 25, -50]),  # the folded rank does not count
        ([50, 100, 25], [0, 1], [5, 5, 0], [12.5, 12.5, -25]),  # uncalled 50, halves
        ([30, 80, 200, 200], [0, 1, 2, 3], [9, 8, 7, 6], [90, 70, 40, -200]),
        ([30, 80, 200, 200], [0, 1, 2, 3], [1, 1, 1, 1], [0, 0, 0, 0]),
        ([30, 80, 200, 200], [0, 1, 3], [1, 1, 9, 0], [30, 130, -200, 40]),
        ([100, 40, 100], [1, 0], [1, 2, 0], [-40 + 60, 80, -100]),
        ([300, 100, 100], [0], [0, 0, 0], [200, -100, -100]),  # all but one folded
        ([0, 0, 0], [0, 1, 2], [1, 2, 3], [0, 0, 0]),
    ],
)
def test_payoffs__by_hand(put, contenders, rank, expected):
    assert net(put, contenders, rank) == expected


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(0, 3)), min_size=2))
def test_payoffs__agree_with_the_twin(seats):
    seats = seats[:10]
    put, left, rank = (list(column) for column in zip(*seats, strict=True))
    contenders = [seat for seat, stays in enumerate(left) if stays]
    assume(any(put[seat] for seat in contenders))
    expected = [float(chips) for chips in oracle.payoffs(put, contenders, rank)]
    actual = net(put, contenders, rank)
    np.testing.assert_allclose(actual, expected, atol=1e-9)
    assert abs(sum(actual)) < 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=10))
def test_return_uncalled__agrees_with_the_twin(put):
    actual = np.array(put)
    back = return_uncalled(actual)
    assert actual.tolist() == oracle.returned(put)
    assert back == sum(put) - actual.sum()


@given(st.permutations(range(6)), st.lists(st.integers(1, 9), min_size=6, max_size=6))
def test_payoffs__seats_permuted_give_permuted_payoffs(order, put):
    rank = [3, 1, 3, 0, 2, 2]
    contenders = [0, 2, 3, 5]
    expected = net(put, contenders, rank)
    actual = net(
        [put[seat] for seat in order],
        [order.index(seat) for seat in contenders],
        [rank[seat] for seat in order],
    )
    assert actual == pytest.approx([expected[seat] for seat in order])
