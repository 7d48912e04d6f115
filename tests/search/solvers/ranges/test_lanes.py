"""Rows of lanes against plain arithmetic; types that they refuse."""

import numpy as np
import pytest
from numba import TypingError

from sixmax.base.jit import njit
from sixmax.search.solvers.ranges.lanes import ALL, LANES, add_left, left, meet


def shielded(array):
    array.flags.writeable = False
    return array


@njit
def _meet_all(held, low, high, lanes):
    for i in range(low.size):
        meet(held, low[i], high[i], lanes, i)


@njit
def _left_for(out, i, held, low, high, lanes, same):
    at = i, low, high, same
    left(out, held, lanes, at)
    add_left(out, held, lanes, at)


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
