"""The sweep by strength, hand by hand, against every pair of hands."""

import itertools

import numpy as np
import pytest

from oracles.cards import best_hand, ends, holes
from sixmax.cards.strength_ladder import Rungs, add_beaten, add_pairs, climb, ladder, live

RANKS = 6  # 24 cards: 171 hands on a river
BOARDS = [[0, 1, 6, 11, 23], [3, 7, 11, 15, 18], [2, 5, 9, 12, 16]]  # a pair, and four of a suit


def hands(board):
    """The order of the holes on ``board``, their cards, and the ends of ties."""
    s = ladder(RANKS)
    size = climb(np.array(board, np.int8), RANKS, s)
    return (field[:size].copy() for field in (s.order, s.low, s.high, s.stop))


@pytest.mark.parametrize("board", BOARDS)
def test_climb__by_ascending_strength_and_ties_end_together(board):
    order, low, high, stop = hands(board)
    free = [hole for hole in holes(RANKS) if not set(hole) & set(board)]
    climbed = list(zip(low.tolist(), high.tolist(), strict=True))
    assert climbed == [holes(RANKS)[h] for h in order]
    assert sorted(climbed) == sorted(free)
    value = [best_hand((*hole, *board), RANKS) for hole in climbed]
    assert value == sorted(value)
    assert stop.tolist() == [len(value) - value[::-1].index(v) for v in value]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sweep__of_weights_equals_every_pair_of_hands(board, dtype):
    order, low, high, stop = hands(board)
    random = np.random.default_rng(7)
    lanes = random.random((len(order), 3)).astype(dtype)
    lanes[random.random(lanes.shape) < 0.3] = 0
    out, held = np.empty((len(lanes), 3), dtype), np.empty((4 * RANKS, 3))
    left, win = np.array([1.0, 2.0, -3.0]), np.array([0.5, 0.0, 10.0])
    live(lanes, Rungs(low, high, stop), left, out, held)
    add_beaten(lanes, Rungs(low, high, stop), win, out, held)
    for k in range(3):
        hole = [holes(RANKS)[h] for h in order]
        weight = dict.fromkeys(holes(RANKS), 0.0)
        weight |= {h: float(w) for h, w in zip(hole, lanes[:, k], strict=True)}
        twin = ends(board, weight, RANKS)
        expected = [left[k] * twin[h][0] + 2 * win[k] * twin[h][1] for h in hole]
        assert out[:, k] == pytest.approx(expected, abs=1e-6 if dtype == np.float64 else 1e-3)


@pytest.mark.parametrize("tied", [True, False])
def test_sweep__of_sets_counts_as_that_of_weights_does(tied):
    """Lanes that say of each hand to which it belongs, and rows that several hands share."""
    order, low, high, stop = hands(BOARDS[0])
    random = np.random.default_rng(8)
    lane, rows = random.integers(0, 4, (2, len(order)))
    gain, held = np.array([1, 2, 3, 5], np.int32), np.empty((4 * RANKS, 4), np.int32)
    actual = np.zeros((4, 4), np.int32)
    add_beaten(lane, Rungs(low, high, stop), gain, actual, held, rows, tied)
    weights, each = np.eye(4)[lane], np.zeros((len(order), 4))
    hand = Rungs(low, high, stop)
    add_beaten(weights, hand, gain.astype(float), each, held.astype(float), None, tied)
    expected = np.zeros((4, 4))
    np.add.at(expected, rows, each)
    assert np.array_equal(actual, expected)
    left = np.empty((len(order), 4), np.int32)
    live(lane, hand, gain, left, held)
    live(weights, hand, gain.astype(float), each, held.astype(float))
    assert np.array_equal(left, each)


@pytest.mark.parametrize("board", BOARDS)
def test_add_pairs__equals_every_pair_of_hands_by_class(board):
    order, low, high, stop = hands(board)
    random, hole = np.random.default_rng(6), [holes(RANKS)[h] for h in order]
    ranges = random.random((2, 2, len(hole)))
    ranges[random.random(ranges.shape) < 0.3] = 0
    first, second = ranges
    of, gain, shown = random.integers(0, 5, len(hole)), np.array([2.0, -3.0]), [False, True]
    strength = [best_hand((*h, *board), RANKS) for h in hole]
    expected = np.ones((5, 5))  # is added to
    for i, j in itertools.product(range(len(hole)), repeat=2):
        if set(hole[i]).isdisjoint(hole[j]):
            win = (strength[i] > strength[j]) - (strength[i] < strength[j])
            for t, sign in enumerate((1, win)):
                expected[of[i], of[j]] += sign * gain[t] * first[t, i] * second[t, j]
    actual = np.ones((5, 5))
    add_pairs(ranges, of, Rungs(low, high, stop), np.array(shown), gain, actual)
    assert actual == pytest.approx(expected)
