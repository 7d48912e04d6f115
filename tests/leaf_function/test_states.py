"""States at leaves, their features, and their roll-outs against hands played on by hand."""

import numpy as np
import pytest

from leaf_function.small import small_source, tables
from oracles import search as twin
from oracles.cfr import net_chips
from sixmax.betting.rules import CHIPS, LEFT, LENGTH, POT, RAISES, ROUND, contenders
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.cards.deck import hole_id
from sixmax.cfr.packed_actions import bit_layout, read_action
from sixmax.leaf_function.features import on_board
from sixmax.leaf_function.states import draw_states, features_of, redeal, roll, sample
from sixmax.ongoing.locate import hand_at
from threads import same_on_two_threads

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


def test_sample__is_the_same_with_any_threads():
    same_on_two_threads(lambda _: sample(small_source(3), 1, 200, 3, 5, lambda n: None))


@pytest.mark.parametrize("known", [0, 1])
def test_roll__is_the_mean_of_hands_played_on_by_hand(known):
    of, times = small_source(3), 3
    tree, states = of.run.tree, draw_states(of, known, 6, 3)
    mean, variance = roll(of, states, known, times, 11)
    cards = redeal(of, states, known, times, 11)
    seen = 6 + (0, 3)[known]
    np.testing.assert_array_equal(cards[::times, :seen], states.cards[:, :seen])
    assert all(len(set(row)) == 11 for row in cards.tolist())
    assert (cards[0::times, seen:] != cards[1::times, seen:]).any()
    bucket, rank = of.run.dealer.look_up(cards)
    bits = bit_layout(tree, of.run.layout)[0]
    for i in range(6):
        hand = np.empty(LENGTH, np.int64)
        hand_at(of.places, np.int64(states.node[i]), hand)
        me = int(states.asks[i])
        for k in range(4):
            shares = []
            for j in range(i * times, (i + 1) * times):
                x = states.node[i]
                while is_decision(tree.node[x, 0]):
                    head = tree.node[x, 0]
                    p, r = seat_of(head), round_of(head)
                    at = bits.base[r, p] + bucket[j, p, r] * bits.columns[r, p] + bits.slot[x]
                    choice = k if p == me else int(states.choices[i]) >> 2 * p & 3
                    x = tree.node[x, 1] + read_action(of.packed[choice], at, n_actions(head))
                won = net_chips(tree, x, rank[j, 0])[me]
                shares.append((won + hand[CHIPS + me]) / hand[POT])
            assert mean[i, k] == pytest.approx(np.mean(shares))
            assert variance[i, k] == pytest.approx(np.var(shares, ddof=1), abs=1e-9)
