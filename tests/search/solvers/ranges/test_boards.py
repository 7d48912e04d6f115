"""Boards that may follow a public state, buckets and hands on them, one hand at a time."""

import numpy as np
import pytest

from oracles.cards import best_hand, holes
from search.holdem import RANKS, small_run
from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.base.errors import UserError
from sixmax.cards.deck import hole_cards, n_holes, parse_cards
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.search.solvers.ranges.boards import boards, hands, later_buckets, that_follow

FLOP = [0, 5, 10]


def test_that_follow__each_board_comes_after_its_parent():
    first, turns, rivers = that_follow(FLOP, 3)
    assert first.tolist() == [FLOP]
    assert np.array_equal(turns[:, 3], [c for c in range(12) if c not in FLOP])
    assert np.array_equal(rivers[:, :4], np.repeat(turns, 8, axis=0))
    assert all(len({*board}) == 5 for board in rivers.tolist())


def test_boards__numbers_and_chance():
    known = boards(that_follow(FLOP, 3), 3)
    assert known.first.tolist() == [0, 1, 10, 82]
    assert known.fan.tolist() == [9, 8, 0]
    # To a player who sees a flop nine cards are left; four of them are in two hands.
    assert known.chance[:2].tolist() == [1 / 5, 1 / 4]


@pytest.mark.parametrize("board", ["", "AhKd", "AhKdQc2s3s4d"])
def test_that_follow__other_numbers_of_cards_are_refused(board):
    with pytest.raises(UserError, match="wanted 3, 4 or 5"):
        that_follow(board)


def some(boards, k=40):
    return np.random.default_rng(1).choice(len(boards), min(k, len(boards)), replace=False)


@pytest.mark.parametrize("board", ["AhKd9c", "AhKd9cTs"])
def test_later_buckets__of_the_blueprint_are_those_it_plays_with(board):
    run, _ = small_run(2)
    cards = parse_cards(board, RANKS)
    by_round = later_buckets(cards, run.buckets, RANKS)
    assert by_round[0] is None
    assert len(by_round) == 6 - len(cards)
    for dealt, actual in zip(that_follow(cards, RANKS)[1:], by_round[1:], strict=True):
        assert actual.shape == (len(dealt), n_holes(RANKS))
        for b in some(dealt):
            expected = blueprint_buckets(run, dealt[b])
            np.testing.assert_array_equal(actual[b], np.maximum(expected, 0))


def test_later_buckets__of_a_flop_are_those_that_its_kernels_look_up():
    run, _ = small_run(2)
    cards, deck, holes = parse_cards("AhKd9c", RANKS), 4 * RANKS, n_holes(RANKS)
    draw = np.random.default_rng(2)
    later = FlopBuckets(
        draw.integers(0, 9, (deck, holes)).astype(np.uint16),
        draw.integers(0, 9, (holes, holes)).astype(np.uint16),
        np.array([2, 0, 1, 3], np.int8), draw.permutation(holes).astype(np.int16),
        np.zeros(9, np.float32), np.zeros(9, np.float32),
    )  # fmt: skip
    turn, river = later_buckets(cards, run.buckets, RANKS, later)[1:]
    turns, rivers = that_follow(cards, RANKS)[1:]
    for dealt, actual, bucket in ((turns, turn, turn_bucket), (rivers, river, river_bucket)):
        for b in some(dealt):
            for h in np.flatnonzero(~np.isin(hole_cards(RANKS), dealt[b]).any(axis=1)):
                assert actual[b, h] == bucket(later, *dealt[b, 3:], h)


DECK = 4  # ranks
HOLES = holes(DECK)


def half_of_the_holes(seed):
    return np.random.default_rng(seed).random(len(HOLES)) < 0.5


@pytest.fixture(scope="module", params=["one range", "two ranges"])
def case(request):
    """Boards of a flop, the two ranges, and the hands."""
    dealt = that_follow(FLOP, DECK)
    held = np.array([half_of_the_holes(1), half_of_the_holes(1 + (request.param == "two ranges"))])
    return dealt, held, hands(dealt, held, ranks=DECK)


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
                value = [best_hand((*h, *board), DECK) for h in hole]
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
                value = [best_hand((*h, *board), DECK) for h in opposed[b]]
                own = [best_hand((*h, *board), DECK) for h in hole]
                assert mine.weaker[here].tolist() == [sum(v < o for v in value) for o in own]
                assert mine.level[here].tolist() == [sum(v <= o for v in value) for o in own]


def test_hands__have_the_bucket_of_their_hole_on_their_board():
    dealt, held = that_follow(FLOP, DECK), np.array([half_of_the_holes(1), half_of_the_holes(2)])
    given = np.random.default_rng(3).integers(0, 99, (len(dealt[2]), len(HOLES)))
    first = 1 + len(dealt[1])
    for player in hands(dealt, held, (None, None, given), DECK):
        assert not player.bucket[: player.begin[first]].any()
        for b in range(len(dealt[2])):
            here = slice(player.begin[first + b], player.begin[first + b + 1])
            assert np.array_equal(player.bucket[here], given[b, player.hole[here]])
