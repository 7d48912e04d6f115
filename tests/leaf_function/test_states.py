"""States at leaves, their features and their roll-outs."""

import numpy as np
import pytest

from leaf_function.small import small_source, tables
from oracles import search as twin
from sixmax.betting.rules import LEFT, LENGTH, RAISES, ROUND, contenders
from sixmax.cards.deck import hole_id
from sixmax.leaf_function.hands import on_board
from sixmax.leaf_function.states import draw_states, features_of
from sixmax.ongoing.locate import hand_at

N = 200


def hands_at(of, states):
    for node in states.node:
        hand = np.empty(LENGTH, np.int64)
        hand_at(of.places, np.int64(node), hand)
        yield hand


@pytest.mark.parametrize("known", [0, 1])
def test_draw_states__are_where_a_search_would_end(known):
    of = small_source(3)
    states, rounds = draw_states(of, known, N, 7), set()
    for hand, me, choices in zip(hands_at(of, states), states.asks, states.choices, strict=True):
        assert contenders(hand) >> int(me) & 1
        assert choices >> 2 * int(me) & 3 == 0
        if hand[ROUND] == known:
            assert known == 1
            assert hand[RAISES] == 2
        else:
            assert hand[ROUND] == known + 1
        rounds.add((int(hand[ROUND]), int(hand[LEFT])))
    assert len(rounds) >= 2, "with two players left, and with three"
    assert len(set(states.asks.tolist())) == 3
    assert len(set(states.choices.tolist())) > 4


def test_draw_states__of_two_players_are_there_too():
    of = small_source(2)
    states = draw_states(of, 1, 50, 7)
    assert all(hand[ROUND] == 2 for hand in hands_at(of, states))


@pytest.mark.parametrize("known", [0, 1])
def test_features_of__are_those_of_the_twin(known):
    of = small_source(3)
    states = draw_states(of, known, 60, 9)
    actual = features_of(of, states, known)
    for i, hand in enumerate(hands_at(of, states)):
        cards = states.cards[i].tolist()
        board = np.array(cards[6:9] if known else [], np.int8)
        hands = on_board(board, 6, tables().preflop)
        holes = [hole_id(*sorted(cards[2 * p : 2 * p + 2])) for p in range(3)]
        choices = [int(states.choices[i]) >> 2 * p & 3 for p in range(3)]
        expected = twin.leaf_features(
            hand, int(states.asks[i]), choices, hands.feature[holes], hands.texture, known, 4, 3
        )
        np.testing.assert_allclose(actual[i], expected, rtol=1e-5, atol=1e-6)
