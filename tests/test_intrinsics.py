"""Atomic additions and rows of lanes against plain arithmetic; types that they refuse."""

import numpy as np
import pytest
from numba import TypingError

from sixmax.intrinsics import ALL, LANES, add_left, add_shared, claim, left, meet
from sixmax.jit import njit, parallel, prange


@parallel
def _claimed(counter, out):
    for _ in prange(len(out)):
        _claim_for(counter, out)


@njit
def _claim_for(counter, out):
    while True:
        n = claim(counter)
        if n >= out.size:
            return
        out[n % len(out), n // len(out)] += 1


def test_claim__gives_every_number_once():
    counter, out = np.zeros(1, np.int64), np.zeros((4, 50_000), np.int64)
    _claimed(counter, out)
    assert (out == 1).all()
    assert counter[0] >= out.size  # a thread that finds none left has claimed too


@parallel
def _added(array, parts, times):
    for _ in prange(parts):
        _add_often(array, times)


@njit
def _add_often(array, times):
    for k in range(times):
        add_shared(array, k % 2, np.int32(3))


def test_add_shared__loses_nothing_that_others_add():
    array = np.array([7, -7, 1], np.int32)
    _added(array, 4, 100_000)
    assert array.tolist() == [7 + 4 * 50_000 * 3, -7 + 4 * 50_000 * 3, 1]


def test_add_shared__returns_the_sum():
    array = np.array([7, -7], np.int32)
    sums = njit(lambda a: (add_shared(a, 1, np.int32(5)), add_shared(a, 1, np.int32(-9))))(array)
    assert sums == (-2, -11)
    assert array.tolist() == [7, -11]


@njit
def _claim_one(counter):
    return claim(counter)


@njit
def _add_one(array):
    return add_shared(array, 0, np.int32(1))


@njit
def _add_much(array):
    return add_shared(array, 0, 1 << 40)


@njit
def _add_fraction(array):
    return add_shared(array, 0, 2.7)


def shielded(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("kernel", "array"),
    [
        (_claim_one, np.zeros(1, np.int32)),
        (_claim_one, np.zeros(1)),
        (_claim_one, np.zeros((1, 1), np.int64)),
        (_claim_one, shielded(np.zeros(1, np.int64))),
        (_add_one, np.zeros(1, np.float32)),
        (_add_one, np.zeros(1, np.int64)),
        (_add_one, np.zeros(1, np.uint32)),
        (_add_one, np.zeros((1, 1), np.int32)),
        (_add_one, shielded(np.zeros(1, np.int32))),
        (_add_much, np.zeros(1, np.int32)),
        (_add_fraction, np.zeros(1, np.int32)),
    ],
)
def test_shared__refuse_what_they_cannot_add(kernel, array):
    """They would add to the bits of what is there, cut the number, or write where nobody may."""
    with pytest.raises(TypingError):
        kernel(array)


@njit
def _meet_all(held, low, high, lanes):
    for i in range(low.size):
        meet(held, low[i], high[i], lanes, i)


@njit
def _left_for(out, i, held, low, high, lanes, same):
    left(out, i, held, low, high, lanes, same)
    add_left(out, i, held, low, high, lanes, same)


def hands_and_weights():
    """Three hands, two of which share a card, their weights, and a row of zeros."""
    low, high = np.array([3, 3, 0], np.uint8), np.array([51, 7, 1], np.uint8)
    lanes = np.zeros((4, LANES), np.float32)
    lanes[:3] = np.random.default_rng(3).random((3, LANES))
    return low, high, lanes


def test_meet__adds_a_row_to_all_and_to_both_cards():
    low, high, lanes = hands_and_weights()
    held = np.zeros((ALL + 1, LANES))
    _meet_all(held, low, high, lanes)
    wide = lanes.astype(np.float64)
    expected = np.zeros_like(held)
    expected[ALL] = wide[0] + wide[1] + wide[2]
    expected[3] = wide[0] + wide[1]
    expected[51], expected[7], expected[0], expected[1] = wide[0], wide[1], wide[2], wide[2]
    assert np.array_equal(held, expected)


def test_left__is_the_weight_that_shares_no_card():
    low, high, lanes = hands_and_weights()
    held, out = np.zeros((ALL + 1, LANES)), np.full((2, LANES), 9, np.float32)
    _meet_all(held, low, high, lanes)
    _left_for(out, 1, held, 3, 7, lanes, 1)  # the second hand: the third alone shares no card
    assert out[1] == pytest.approx(2 * lanes[2], abs=1e-7)
    _left_for(out, 1, held, 3, 9, lanes, 3)  # in no range
    assert out[1] == pytest.approx(2 * lanes[2], abs=1e-7)
    assert (out[0] == 9).all()


@pytest.mark.parametrize("kinds", [(np.float32, np.float32), (np.float64, np.float64)])
def test_meet__refuses_numbers_of_another_width(kinds):
    low, high, lanes = hands_and_weights()
    with pytest.raises(TypingError):
        _meet_all(np.zeros((ALL + 1, LANES), kinds[0]), low, high, lanes.astype(kinds[1]))
    with pytest.raises(TypingError):
        _meet_all(np.zeros((LANES, ALL + 1)).T, low, high, lanes)


def test_lanes__are_not_written_where_nobody_may():
    low, high, lanes = hands_and_weights()
    held, out = np.zeros((ALL + 1, LANES)), np.zeros((2, LANES), np.float32)
    with pytest.raises(TypingError):
        _meet_all(shielded(held.copy()), low, high, lanes)
    with pytest.raises(TypingError):
        _left_for(shielded(out), 1, held, 3, 7, lanes, 1)
