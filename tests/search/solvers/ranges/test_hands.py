"""The hands of two players on boards, and their buckets, one hand at a time."""

import itertools

import numpy as np
import pytest

from oracles.cards import best_hand, holes
from search.holdem import RANKS, small_run
from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.cards.deck import hole_cards, n_holes, parse_cards
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.search.solvers.ranges.boards import alike, renamed, that_follow
from sixmax.search.solvers.ranges.hands import hands, later_buckets

FLOP = [0, 5, 10]


def dealt_after(cards):
    """The boards of each later round."""
    return [of.cards for of in that_follow(cards, RANKS)[1:]]


def some(boards, k=40):
    return np.random.default_rng(1).choice(len(boards), min(k, len(boards)), replace=False)


@pytest.mark.parametrize("board", ["AhKd9c", "AhKd9cTs"])
def test_later_buckets__of_the_blueprint_are_those_it_plays_with(board):
    run, _ = small_run(2)
    cards = parse_cards(board, RANKS)
    by_round = later_buckets(cards, run.buckets, RANKS)
    assert by_round[0] is None
    assert len(by_round) == 6 - len(cards)
    for dealt, actual in zip(dealt_after(cards), by_round[1:], strict=True):
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
    turns, rivers = dealt_after(cards)
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
    every = [board for of in dealt for board in of.cards.tolist()]
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


def lists_of(player, b):
    """The numbers of the hands on a board, and of those with each card in turn."""
    order, ends = player.order[3 * player.begin[b] :], player.lists[b].tolist()
    return [order[first:end].tolist() for first, end in itertools.pairwise(ends)]


def test_hands__are_listed_in_all_and_by_card(case):
    dealt, _, players = case
    for player in players:
        for b, _, hole, _ in on_boards(dealt, player):
            every, *by_card = lists_of(player, b)
            assert every == list(range(len(hole)))
            for card, numbers in enumerate(by_card):
                assert numbers == [i for i, h in enumerate(hole) if card in h]


def test_hands__have_the_rows_of_sums_over_those_of_the_opponent(case):
    """Beside the weaker, those that are not stronger, and all: each in all and by card."""
    dealt, _, players = case
    for mine, theirs in (players, players[::-1]):
        opposed = {b: hole for b, _, hole, _ in on_boards(dealt, theirs)}
        for b, board, hole, here in on_boards(dealt, mine):
            other, lists = opposed[b], lists_of(theirs, b)
            same = [other.index(h) if h in other else len(other) for h in hole]
            assert mine.same[here].tolist() == same
            # A row for nobody begins the sums of each list.
            first = np.cumsum([0, *(len(numbers) + 1 for numbers in lists)])
            last = len(board) == 5
            value = [best_hand((*h, *board), DECK) if last else () for h in other]
            for h, rows in zip(hole, mine.sums[here].tolist(), strict=True):
                own = best_hand((*h, *board), DECK) if last else ()
                cards = [0, h[0] + 1, h[1] + 1]
                beaten = [first[k] + sum(value[j] < own for j in lists[k]) for k in cards]
                level = [first[k] + sum(value[j] <= own for j in lists[k]) for k in cards]
                every = [first[k] + len(lists[k]) for k in cards[1:]]
                assert rows == [*beaten, *level, *every]


def test_hands__have_the_bucket_of_their_hole_on_their_board():
    dealt, held = that_follow(FLOP, DECK), np.array([half_of_the_holes(1), half_of_the_holes(2)])
    given = np.random.default_rng(3).integers(0, 99, (len(dealt[2].cards), len(HOLES)))
    first = 1 + len(dealt[1].cards)
    for player in hands(dealt, held, (None, None, given), DECK):
        assert not player.bucket[: player.begin[first]].any()
        for b in range(len(dealt[2].cards)):
            here = slice(player.begin[first + b], player.begin[first + b + 1])
            assert np.array_equal(player.bucket[here], given[b, player.hole[here]])


def test_hands__have_their_numbers_with_suits_renamed():
    flop, every = [0, 4, 9], np.ones((2, len(HOLES)), bool)  # two suits of the deck are alike
    dealt = that_follow(flop, DECK, group=alike(np.array(flop), DECK, []))
    player, _ = hands(dealt, every, ranks=DECK)
    groups = [s for of in dealt for s in np.split(of.group, of.keeps[1:-1])]
    renamings = 0
    for (b, board, hole, _), group in zip(on_boards(dealt, player), groups, strict=True):
        rows = player.image[player.images[b] : player.images[b + 1]].reshape(-1, len(hole))
        for row, renaming in zip(rows, group.tolist(), strict=True):
            assert {renamed(c, renaming) for c in board} == set(board)
            expected = [tuple(sorted(renamed(c, renaming) for c in h)) for h in hole]
            assert [hole[i] for i in row] == expected
            renamings += 1
    assert renamings > 4
