"""Terminals of every hand by sums over the other's, against every pair of hands; lanes."""

import numpy as np
import pytest
from numba import TypingError

from oracles.cards import ends as pairs
from oracles.cards import holes
from sixmax.base.jit import njit
from sixmax.base.vectors import TILE
from sixmax.search.solvers.ranges.boards import that_follow
from sixmax.search.solvers.ranges.hands import CARDS, hands
from sixmax.search.solvers.ranges.terminals import ahead, left, pile, value_ends

RANKS = 5
BOARDS = [[0, 1, 6, 11, 19], [3, 7, 11, 15, 18], [2, 5, 9, 12, 16]]  # a pair, and four of a suit
SOURCES = 43  # more than go at once


@njit
def value_on_first(ends, players, reach, value, room):
    value_ends(ends, players, 0, reach, value, room)


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
    sizes = wide + 1, 3 * m + CARDS + 1, wide + 1, wide + 1, 3
    room = tuple(np.full((size, TILE), np.nan, np.float32) for size in sizes)
    room[-1][:] = 0
    value_on_first((ends, stake), players, reach, value, room)
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
    ends = np.stack([slot, fold, show], axis=1).astype(np.int64)
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
    ends, stake = np.array([[4, 1, -1]]), np.array([[7.0, 0, 0]])
    reach, value = valued(BOARDS[0][:4], players, ends, stake)
    mine, theirs = ([set(holes(RANKS)[h]) for h in player.first] for player in players)
    twin = [7 * sum(w for t, w in zip(theirs, reach[4], strict=True) if not t & m) for m in mine]
    assert value[1] == pytest.approx(twin, rel=1e-5)


def shielded(array):
    array.flags.writeable = False
    return array


@njit
def _pile_all(sums, lanes, order, at):
    pile(sums, lanes, order, at)


@njit
def _left_for(alive, sums, lanes, at):
    left(alive, sums, lanes, at)


@njit
def _ahead_for(alive, won, sums, lanes, at):
    ahead(alive, won, sums, lanes, at)


def lanes_and_sums():
    """Weights of four hands, the weakest first, a row of zeros, and the rows of sums.

    The hands have the cards 3 and 51, 3 and 7, 0 and 1, 7 and 51.
    """
    lanes = np.zeros((5, TILE), np.float32)
    lanes[:4] = np.random.default_rng(3).random((4, TILE))
    order = np.array([0, 1, 2, 3, 0, 1, 1, 3, 0, 3], np.int16)  # all; cards 3, 7 and 51
    sums = np.full((15, TILE), 9, np.float32)
    for at in ((0, 0, 4), (5, 4, 2), (8, 6, 2), (11, 8, 2)):
        _pile_all(sums, lanes, order, at)
    return lanes, sums


def test_pile__sums_over_more_and_more_hands():
    lanes, sums = lanes_and_sums()
    for first, some in ((0, [0, 1, 2, 3]), (5, [0, 1]), (8, [1, 3]), (11, [0, 3])):
        for k in range(len(some) + 1):
            expected = lanes[some[:k]].sum(axis=0)
            assert sums[first + k] == pytest.approx(expected, rel=1e-6)
    assert (sums[14] == 9).all()


def test_left__is_the_weight_that_shares_no_card():
    lanes, sums = lanes_and_sums()
    alive = np.full((2, TILE), 9, np.float32)
    _left_for(alive, sums, lanes, (1, 4, 7, 10, 1))  # cards 3 and 7: the third hand alone is left
    assert alive[1] == pytest.approx(lanes[2], rel=1e-5)
    lanes[2] = 0
    sums[4] = lanes[:4].sum(axis=0)
    _left_for(alive, sums, lanes, (1, 4, 7, 10, 1))  # none is left, but for rounding
    assert (alive[1] == 0).all()
    assert (alive[0] == 9).all()


def test_ahead__is_the_weight_beaten_less_that_which_beats():
    lanes, sums = lanes_and_sums()
    alive, won = np.full((2, 2, TILE), 9, np.float32)
    # Of 3 and 7: the third hand alone shares no card, and beats it.
    _ahead_for(alive, won, sums, lanes, (0, 4, 7, 10, 1, 1, 6, 8, 2, 7, 9))
    assert alive[0] == pytest.approx(lanes[2], rel=1e-5, abs=1e-6)
    assert won[0] == pytest.approx(-lanes[2], rel=1e-5, abs=1e-6)
    # Of 7 and 51, the strongest.
    _ahead_for(alive, won, sums, lanes, (0, 4, 10, 13, 3, 3, 9, 12, 4, 10, 13))
    assert alive[0] == pytest.approx(lanes[2], rel=1e-5, abs=1e-6)
    assert won[0] == pytest.approx(lanes[2], rel=1e-5, abs=1e-6)
    # Without cards of the others: it beats the first and loses to the second, which are all.
    zero = 14
    sums[zero] = 0
    lanes[2:] = 0
    sums[4] = lanes.sum(axis=0)
    _ahead_for(alive, won, sums, lanes, (0, 4, zero, zero, 2, 1, zero, zero, 1, zero, zero))
    assert won[0] == pytest.approx(lanes[0] - lanes[1], rel=1e-4, abs=1e-6)
    assert (won[1] == 9).all()


@pytest.mark.parametrize("kind", [np.float64, np.int32])
def test_pile__refuses_numbers_of_another_width(kind):
    lanes, sums = lanes_and_sums()
    order, at = np.zeros(4, np.int16), (0, 0, 4)
    for wrong in (
        (sums.astype(kind), lanes, order),
        (sums, lanes.astype(kind), order),
        (sums, lanes, order.astype(kind)),
        (np.asfortranarray(sums), lanes, order),
    ):
        with pytest.raises(TypingError):
            _pile_all(*wrong, at)


def test_lanes__are_not_written_where_nobody_may():
    lanes, sums = lanes_and_sums()
    with pytest.raises(TypingError):
        _pile_all(shielded(sums.copy()), lanes, np.zeros(4, np.int16), (0, 0, 4))
    with pytest.raises(TypingError):
        _left_for(shielded(sums.copy()), sums, lanes, (0, 4, 7, 10, 1))
