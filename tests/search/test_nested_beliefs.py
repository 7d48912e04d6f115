"""Nested solving of bets off the tree alone, and rounds that begin with beliefs."""

import functools

import numpy as np
import pytest

from search.holdem import NESTED, nested_searcher, on, with_player
from search.test_nested import BET, RIVER, TREE, on_the_turn
from sixmax.betting.config import RoundSizes
from sixmax.betting.rules import CALL
from sixmax.cards.deck import holds, hole_cards
from sixmax.search.nested import Nested

OFF_TREE = with_player(NESTED, nested_bets="off_tree").changed(vector_iterations=[60] * 4)
ANY_HAND = with_player(OFF_TREE, any_hand=0.2)
BELIEFS = with_player(OFF_TREE, begin="beliefs").changed(believe_blueprint=0.5, tremble=0.01)


def begins(hand):
    return [link.begin for link in hand.search().links]


def test_search__of_a_bet_of_the_tree_goes_on_with_the_solution():
    hand = on(on_the_turn(config=OFF_TREE), CALL, TREE)
    hand.play()
    assert hand.searches == 1
    assert begins(hand) == [0]


def test_search__of_a_bet_off_the_tree_is_answered_and_a_later_one_of_its_tree_is_not():
    sizes = RoundSizes(sizes=[[0.75], [1], ["A"]], max_raises=3, max_players=2)
    config = OFF_TREE.model_copy(update={"rounds": [sizes] * 4, "vector_iterations": [5] * 4})
    hand = on(on_the_turn(config=config), CALL, BET)
    own = hand.play().offered[2]
    hand.act(own)
    hand.act(hand.search().play((CALL, BET, own)).offered[-1])
    hand.play()
    assert begins(hand) == [0, 2]
    every = on_the_turn(config=with_player(config, nested_bets="all"))
    on(every, *hand.rounds[-1].done).play()
    assert begins(every) == [0, 2, 4]


def test_search__of_a_bet_after_an_own_raise_off_the_tree_is_answered():
    hand = on(on_the_turn(config=OFF_TREE), CALL, BET, 700, 1500)
    hand.play()
    assert begins(hand) == [0, 2, 4]


def test_search__begins_with_beliefs_on_a_new_round():
    hand, safe = on_the_turn(config=BELIEFS), on_the_turn(config=OFF_TREE)
    for each in (hand, safe):
        each.play()
        on(each, CALL, CALL, RIVER)
        each.play()
    assert safe.searches == 1
    assert hand.searches == 2
    assert isinstance(hand.search(), Nested)
    assert not hand.search().gifts.any()
    assert np.abs(hand.play().rows - safe.play().rows).max() > 0.05


def test_beliefs__of_our_own_hands_are_by_the_search_alone():
    hand = on_the_turn(config=BELIEFS)
    before, play = hand.beliefs(), hand.play()
    assert hand.betting.actor == hand.seat
    hand.act(play.offered[-1])
    after = before[1] * play.rows[:, -1]
    np.testing.assert_allclose(hand.now()[1], after / after.sum(), rtol=1e-12)
    np.testing.assert_array_equal(hand.now()[0], before[0])


def test_beliefs__a_bet_off_the_tree_tells_no_hand_from_another():
    """But the opponent who makes it hardly plays the blueprint."""
    hand = on_the_turn(config=BELIEFS)
    hand.act(CALL)
    before, mixed = hand.now(), hand._after(2)
    hand.act(BET)
    hand.play()
    searching, blueprint = mixed[:, 0]
    expected = searching + 0.01 * blueprint
    np.testing.assert_allclose(hand.now()[0], expected / expected.sum(), rtol=1e-12)
    np.testing.assert_array_equal(hand.now()[1], before[1])


def test_beliefs__of_another_seat_are_its_own():
    hand = on_the_turn(config=BELIEFS)
    hand.play()
    hand.act(TREE)
    mine, other = hand.now(), hand.copy(seat=0).now()
    assert np.abs(mine[1] - other[1]).max() > 1e-3
    board = holds(hand.board, hand.run.ranks)
    assert (other[1][~board] > 0).all(), "the other seat rules no hand out"


@pytest.mark.parametrize("me", [0, 1])
def test_position__has_any_hand_of_the_opponent_where_a_search_begins(me):
    """The first search is for those; the beliefs from which it begins stay as they were."""
    hand, wide = (on_the_turn(config=config, seat=me) for config in (OFF_TREE, ANY_HAND))
    np.testing.assert_array_equal(wide.beliefs(), hand.beliefs())
    before, after = hand.position().beliefs, wide.position().beliefs
    np.testing.assert_array_equal(after[me], before[me])
    np.testing.assert_allclose(after[1 - me], widened(wide, before[1 - me]))
    assert np.abs(wide.play().rows - hand.play().rows).max() > 0.01


def widened(hand, beliefs):
    possible = [not set(cards) & set(hand.board) for cards in hole_cards(hand.run.ranks).tolist()]
    return 0.8 * beliefs + 0.2 * np.array(possible) / sum(possible)


def searched_from(positions, config):
    """A searcher that keeps the positions which it is given."""
    solve = nested_searcher(config)
    return lambda at, *others: positions.append(at) or solve(at, *others)


def test_position__of_a_bet_that_is_answered_safely_has_the_beliefs_alone():
    positions = []
    hand = on_the_turn(config=ANY_HAND, searcher_of=functools.partial(searched_from, positions))
    on(hand, CALL, BET).play()
    root, answer = positions
    assert root.alternative is None
    assert answer.alternative is not None
    np.testing.assert_allclose(root.beliefs[0], widened(hand, hand.beliefs()[0]))
    np.testing.assert_array_equal(answer.beliefs[0], hand.now()[0])


def test_position__of_a_later_round_has_any_hand_where_rounds_begin_with_beliefs():
    hand = on_the_turn(config=with_player(BELIEFS, any_hand=0.2))
    hand.play()
    on(hand, CALL, CALL, RIVER)
    np.testing.assert_allclose(hand.position().beliefs[0], widened(hand, hand.beliefs()[0]))


def test_position__has_the_beliefs_alone_before_the_first_round_that_is_searched():
    """And from nobody's point of view: a user asks for such a search, and reads its values."""
    late, nobody = ANY_HAND.changed(first=3), on_the_turn(config=ANY_HAND, seat=None)
    for hand in (on_the_turn(config=late), nobody):
        np.testing.assert_array_equal(hand.position().beliefs, hand.beliefs())
