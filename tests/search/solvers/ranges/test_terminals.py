"""Terminals of every hand in one sweep, against every pair of hands; rows of lanes."""

import numpy as np
import pytest
from numba import TypingError

from oracles.cards import ends as pairs
from oracles.cards import holes
from sixmax.base.jit import njit
from sixmax.search.solvers.ranges.boards import that_follow
from sixmax.search.solvers.ranges.hands import hands
from sixmax.search.solvers.ranges.lanes import ALL, LANES, TILE, add_left, left, meet
from sixmax.search.solvers.ranges.terminals import value_ends

RANKS = 5
BOARDS = [[0, 1, 6, 11, 19], [3, 7, 11, 15, 18], [2, 5, 9, 12, 16]]  # a pair, and four of a suit
SOURCES = 43  # more than go at once


@njit
def value_on_first(ends, players, reach, value, sums):
    value_ends(ends, players, 0, reach, value, sums)


def both_players(board, alike):
    random = np.random.default_rng(5)
    held = random.random((2, len(holes(RANKS)))) < 0.6
    return hands(
        that_follow(board, RANKS), held[:1].repeat(2, axis=0) if alike else held, ranks=RANKS
    )


def valued(board, players, ends, stake):
    """Reach float32[SOURCES, theirs] and the values float32[slots, mine] of ``ends``."""
    mine, theirs = players
    n, m = len(mine.first), len(theirs.first)
    wide = max(n, m) + -max(n, m) % TILE
    reach = np.random.default_rng(6).random((SOURCES, wide)).astype(np.float32)
    reach[:, ::3] = 0
    value = np.full((2 * SOURCES + 1, wide), np.nan, np.float32)  # the last slot is nobody's
    room = (np.full((wide + 1, LANES), np.nan, np.float32) for _ in range(3))
    held, scale = np.full((ALL + 1, LANES), np.nan, np.float32), np.zeros((3, LANES), np.float32)
    value_on_first((ends, stake), players, reach, value, (*room, held, scale))
    return reach[:, :m], value[:-1, :n]


def expected(board, players, reach, kind, stake):
    """The value of a fold or a showdown for each hand, pair by pair."""
    mine, theirs = ([holes(RANKS)[h] for h in player.first] for player in players)
    weight = dict.fromkeys(holes(RANKS), 0.0)
    weight |= {h: float(w) for h, w in zip(theirs, reach, strict=True)}
    twin = pairs(board, weight, RANKS)
    fold, tie, win = stake
    left = np.array([twin[h][0] for h in mine])
    won = np.array([twin[h][1] for h in mine])
    return fold * left if kind == "fold" else tie * left + win * (2 * won - left)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("alike", [True, False])
def test_value_ends__equals_every_pair_of_hands(board, alike):
    """Sources with a showdown, with both, and with a fold alone; the lanes hold rubbish before."""
    players, slot = both_players(board, alike), np.arange(SOURCES)
    fold = np.where(slot < 3, -1, slot)
    show = np.where(slot < 9, SOURCES + slot, -1)
    ends = np.stack([slot, fold, show], axis=1).astype(np.int32)
    stake = np.random.default_rng(7).normal(size=(SOURCES, 3)) * 10
    reach, value = valued(board, players, ends, stake)
    for k in range(SOURCES):
        for kind, at in (("fold", fold[k]), ("showdown", show[k])):
            if at >= 0:
                twin = expected(board, players, reach[k], kind, stake[k])
                assert value[at] == pytest.approx(twin, rel=1e-6, abs=2e-4), (k, kind)
    written = {*fold[fold >= 0], *show[show >= 0]}
    assert np.isnan(value[[k for k in range(2 * SOURCES) if k not in written]]).all()


def test_value_ends__before_the_last_card_are_folds():
    players = both_players(BOARDS[0][:4], False)
    ends, stake = np.array([[4, 1, -1]], np.int32), np.array([[7.0, 0, 0]])
    reach, value = valued(BOARDS[0][:4], players, ends, stake)
    mine, theirs = ([set(holes(RANKS)[h]) for h in player.first] for player in players)
    twin = [7 * sum(w for t, w in zip(theirs, reach[4], strict=True) if not t & m) for m in mine]
    assert value[1] == pytest.approx(twin, rel=1e-5)


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
    held = np.zeros((ALL + 1, LANES), np.float32)
    _meet_all(held, low, high, lanes)
    wide = lanes
    expected = np.zeros_like(held)
    expected[ALL] = wide[0] + wide[1] + wide[2]
    expected[3] = wide[0] + wide[1]
    expected[51], expected[7], expected[0], expected[1] = wide[0], wide[1], wide[2], wide[2]
    assert np.array_equal(held, expected)


def test_left__is_the_weight_that_shares_no_card():
    low, high, lanes = hands_and_weights()
    held, out = np.zeros((ALL + 1, LANES), np.float32), np.full((2, LANES), 9, np.float32)
    _meet_all(held, low, high, lanes)
    _left_for(out, 1, held, 3, 7, lanes, 1)  # the second hand: the third alone shares no card
    assert out[1] == pytest.approx(2 * lanes[2], rel=1e-6)
    _left_for(out, 1, held, 3, 9, lanes, 3)  # in no range
    assert out[1] == pytest.approx(2 * lanes[2], rel=1e-6)
    assert (out[0] == 9).all()


@pytest.mark.parametrize("kinds", [(np.float64, np.float32), (np.float32, np.float64)])
def test_meet__refuses_numbers_of_another_width(kinds):
    low, high, lanes = hands_and_weights()
    with pytest.raises(TypingError):
        _meet_all(np.zeros((ALL + 1, LANES), kinds[0]), low, high, lanes.astype(kinds[1]))
    with pytest.raises(TypingError):
        _meet_all(np.zeros((LANES, ALL + 1), np.float32).T, low, high, lanes)


def test_lanes__are_not_written_where_nobody_may():
    low, high, lanes = hands_and_weights()
    held, out = np.zeros((ALL + 1, LANES), np.float32), np.zeros((2, LANES), np.float32)
    with pytest.raises(TypingError):
        _meet_all(shielded(held.copy()), low, high, lanes)
    with pytest.raises(TypingError):
        _left_for(shielded(out), 1, held, 3, 7, lanes, 1)
