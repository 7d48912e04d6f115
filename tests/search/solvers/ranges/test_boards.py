"""Boards that may follow a public state, buckets and hands on them, one hand at a time."""

import itertools

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cards import isomorphism
from sixmax.cards.deck import hole_cards, hole_id, parse_cards
from sixmax.search.solvers.ranges import boards

FLOP = [0, 5, 10]


def test_that_follow__each_board_comes_after_its_parent():
    first, turns, rivers = (of.cards for of in boards.that_follow(FLOP, 3))
    assert first.tolist() == [FLOP]
    assert np.array_equal(turns[:, 3], [c for c in range(12) if c not in FLOP])
    assert np.array_equal(rivers[:, :4], np.repeat(turns, 8, axis=0))
    assert all(len({*board}) == 5 for board in rivers.tolist())


def test_boards__numbers_and_chance():
    known = boards.boards(boards.that_follow(FLOP, 3), 3)
    assert known.first.tolist() == [0, 1, 10, 82]
    assert known.fan.tolist() == [9, 8, 0]
    assert known.after.tolist() == [1, *range(10, 82, 8), *[82] * 73]
    # To a player who sees a flop nine cards are left; four of them are in two hands.
    assert known.chance.tolist() == [1, *[1 / 5] * 9, *[1 / 4] * 72]


def test_boards__of_all_flops_have_the_chance_of_two_hands():
    """A flop counts once for all that it stands for, and its chance is that of each."""
    dealt = isomorphism.boards(3, 3)
    flops = boards.Flops(dealt.cards, dealt.count / dealt.count.sum())
    walked = boards.that_follow("", 3, 3, boards.EVERY, flops)
    known = boards.boards(walked, 3)
    assert known.first.tolist() == [0, 1, 1 + len(dealt.cards)]
    np.testing.assert_array_equal(1 + np.diff(walked[1].begin), dealt.count)
    # Two hands leave eight cards: 56 flops.
    np.testing.assert_allclose(known.chance[1:], 1 / 56)


def test_that_follow__flops_after_a_board_are_refused():
    flops = boards.Flops(isomorphism.boards(3, 3).cards[:1], np.ones(1))
    with pytest.raises(UserError, match="wanted an empty board"):
        boards.that_follow(FLOP, 3, flops=flops)


@pytest.mark.parametrize("board", ["", "AhKd", "AhKdQc2s3s4d"])
def test_that_follow__other_numbers_of_cards_are_refused(board):
    with pytest.raises(UserError, match="wanted 3, 4 or 5"):
        boards.that_follow(board)


def test_alike__suits_of_board_and_ranges():
    every = np.ones(1326)
    assert len(boards.alike(parse_cards("Td9d6h"), 13, [every])) == 2  # clubs and spades
    assert len(boards.alike(parse_cards("Td9d6d"), 13, [every])) == 6
    assert len(boards.alike(parse_cards("Td9h6s"), 13, [every])) == 1
    other = every.copy()
    other[hole_id(*parse_cards("AcKc"))] = 0.5
    assert boards.alike(parse_cards("Td9d6h"), 13, [every, other]) == [boards.SAME]


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d", "TdTh6s", "Td9d6h2c"])
def test_that_follow__boards_alike_stand_for_all(board):
    """Each board that a full walk has is one that is walked, with its suits renamed, once."""
    cards = parse_cards(board)
    whole = boards.that_follow(cards)
    few = boards.that_follow(cards, group=boards.alike(cards, 13, [np.ones(1326)]))
    above, number = (
        len(cards),
        [{tuple(b): i for i, b in enumerate(of.cards.tolist())} for of in few],
    )
    for r, of in enumerate(whole[1:], start=1):
        met = np.zeros(len(few[r].cards), int)
        for real in of.cards.tolist():
            walked, suits = boards.locate(few, real[above:])
            assert tuple(sorted(boards.renamed(c, suits) for c in real[:above])) == tuple(
                sorted(cards)
            )
            assert number[r][(*cards, *(boards.renamed(c, suits) for c in real[above:]))] == walked
            met[walked] += 1
        assert met.min() > 0
        if r == 1:
            assert np.array_equal(met, 1 + np.diff(few[r].begin))
        assert len(few[r].cards) < len(of.cards) or board == "Td9d6h2c"


def test_that_follow__renamed_boards_exchange_hands():
    holes = hole_cards(13)
    for suits in boards.alike(parse_cards("Td9d6h"), 13, []):
        new = boards.renamed_holes(holes, suits)
        for hole, image in zip(holes[::97].tolist(), new[::97].tolist(), strict=True):
            assert {boards.renamed(c, suits) for c in hole} == set(holes[image].tolist())


@pytest.mark.parametrize("flop", ["AsKsQs", "AsKsQh", "AsAhKs"])
def test_that_follow__a_board_stands_for_as_many_as_its_group_is_smaller(flop):
    first = parse_cards(flop, 3)
    dealt = boards.that_follow(first, 3, group=boards.alike(first, 3, []))
    for before, of in itertools.pairwise(dealt):
        stands_for, group = 1 + np.diff(of.begin), 1 + np.diff(of.keeps)
        assert np.array_equal(stands_for * group, (1 + np.diff(before.keeps))[of.parent])
    assert len(dealt[0].group) > 0
