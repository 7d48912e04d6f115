"""The hands of two players on every board, against a list of holes and their strengths."""

import numpy as np
import pytest

from oracles.cards import best_hand, holes
from sixmax.search.solvers.ranges.boards import that_follow
from sixmax.search.solvers.ranges.hands import hands

RANKS, FLOP = 4, [0, 5, 10]
HOLES = holes(RANKS)


def half_of_the_holes(seed):
    return np.random.default_rng(seed).random(len(HOLES)) < 0.5


@pytest.fixture(scope="module", params=["one range", "two ranges"])
def case(request):
    """Boards of a flop, the two ranges, and the hands."""
    dealt = that_follow(FLOP, RANKS)
    held = np.array([half_of_the_holes(1), half_of_the_holes(1 + (request.param == "two ranges"))])
    return dealt, held, hands(dealt, held, ranks=RANKS)


def on_boards(dealt, player):
    """Of each board: its cards, the holes, and the slice of the entries."""
    every = [board.tolist() for boards in dealt for board in boards]
    for b, board in enumerate(every):
        here = slice(player.begin[b], player.begin[b + 1])
        yield b, board, [HOLES[h] for h in player.hole[here]], here


def test_hands__are_those_of_the_range_that_a_board_leaves(case):
    dealt, held, players = case
    for mine, player in zip(held, players, strict=True):
        in_range = [HOLES[h] for h in np.flatnonzero(mine)]
        for _, board, hole, here in on_boards(dealt, player):
            left = [h for h in in_range if not set(h) & set(board)]
            if len(board) == 5:
                assert sorted(hole) == sorted(left)
                value = [best_hand((*h, *board), RANKS) for h in hole]
                assert value == sorted(value)
            else:
                assert hole == sorted(left, key=HOLES.index)
            assert list(zip(player.low[here], player.high[here], strict=True)) == hole


def test_hands__up_is_the_number_on_the_board_before(case):
    dealt, _, players = case
    for player in players:
        boards = list(on_boards(dealt, player))
        number = {tuple(board): hole for _, board, hole, _ in boards}
        for _, board, hole, here in boards[1:]:
            before = number[tuple(board[:-1])]
            assert [before[i] for i in player.up[here]] == hole


def test_hands__are_placed_among_those_of_the_opponent(case):
    dealt, _, players = case
    for mine, theirs in (players, players[::-1]):
        opposed = {b: hole for b, _, hole, _ in on_boards(dealt, theirs)}
        for b, board, hole, here in on_boards(dealt, mine):
            same = [opposed[b].index(h) if h in opposed[b] else len(opposed[b]) for h in hole]
            assert mine.same[here].tolist() == same
            if len(board) == 5:
                value = [best_hand((*h, *board), RANKS) for h in opposed[b]]
                own = [best_hand((*h, *board), RANKS) for h in hole]
                assert mine.weaker[here].tolist() == [sum(v < o for v in value) for o in own]
                assert mine.level[here].tolist() == [sum(v <= o for v in value) for o in own]


def test_hands__have_the_bucket_of_their_hole_on_their_board():
    dealt, held = that_follow(FLOP, RANKS), np.array([half_of_the_holes(1), half_of_the_holes(2)])
    given = np.random.default_rng(3).integers(0, 99, (len(dealt[2]), len(HOLES)))
    first = 1 + len(dealt[1])
    for player in hands(dealt, held, (None, None, given), RANKS):
        assert not player.bucket[: player.begin[first]].any()
        for b in range(len(dealt[2])):
            here = slice(player.begin[first + b], player.begin[first + b + 1])
            assert np.array_equal(player.bucket[here], given[b, player.hole[here]])
