"""Terminals of every hand in one sweep, against every pair of hands."""

import numpy as np
import pytest

from oracles.cards import ends as pairs
from oracles.cards import holes
from sixmax.base.jit import njit
from sixmax.search.solvers.ranges.boards import that_follow
from sixmax.search.solvers.ranges.hands import hands
from sixmax.search.solvers.ranges.lanes import ALL, LANES
from sixmax.search.solvers.ranges.terminals import Ends, SweepRoom, value_ends

RANKS = 5
BOARDS = [[0, 1, 6, 11, 19], [3, 7, 11, 15, 18], [2, 5, 9, 12, 16]]  # a pair, and four of a suit
SOURCES = 11  # more than go at once


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
    reach = np.random.default_rng(6).random((SOURCES, m)).astype(np.float32)
    reach[:, ::3] = 0
    value = np.full((2 * SOURCES, n), np.nan, np.float32)
    room = (np.full((max(n, m) + 1, LANES), np.nan, np.float32) for _ in range(3))
    held = np.full((ALL + 1, LANES), np.nan)
    value_on_first(Ends(ends, stake), players, reach, value, SweepRoom(*room, held))
    return reach, value


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
                assert value[at] == pytest.approx(twin, abs=2e-4), (k, kind)
    written = {*fold[fold >= 0], *show[show >= 0]}
    assert np.isnan(value[[k for k in range(2 * SOURCES) if k not in written]]).all()


def test_value_ends__before_the_last_card_are_folds():
    players = both_players(BOARDS[0][:4], False)
    ends, stake = np.array([[4, 1, -1]], np.int32), np.array([[7.0, 0, 0]])
    reach, value = valued(BOARDS[0][:4], players, ends, stake)
    mine, theirs = ([set(holes(RANKS)[h]) for h in player.first] for player in players)
    twin = [7 * sum(w for t, w in zip(theirs, reach[4], strict=True) if not t & m) for m in mine]
    assert value[1] == pytest.approx(twin, rel=1e-5)
