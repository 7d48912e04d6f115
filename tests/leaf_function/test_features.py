"""The features of leaves, seat by seat, and of hands, against all runouts and other hands."""

import numpy as np
import pytest

from leaf_function.small import tables
from oracles import search as twin
from oracles.cards import hand_value
from oracles.games import holdem
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD, LENGTH, after, begin
from sixmax.cards.deck import hole_id
from sixmax.cards.isomorphism import boards
from sixmax.leaf_function.config import MOST, PUBLIC, names
from sixmax.leaf_function.features import on_board, places_of, public_features

SIX = holdem([10000, 10000, 10000, 900, 10000, 4000], [[1, "A"]], 3, 6)
LIMPED = [FOLD, 300, CALL, FOLD, CALL, CALL]  # HJ raises, CO and both blinds call
SHOVED = [FOLD, 900, CALL, CALL, CALL, CALL]  # the hijack is all-in


def test_names__six_seats_and_four_continuations_are_34():
    every = names(6, 4)
    assert len(every) == MOST == len(set(every))
    assert every[:7] == list(PUBLIC)
    assert len(names(2, 10)) == 20


def test_names__more_than_34_are_refused_in_one_line():
    with pytest.raises(UserError, match=r"found 39 features, of 6 seats and 5 .*wanted 34 at most"):
        names(6, 5)


@pytest.mark.parametrize(
    "actions", [LIMPED, SHOVED, [*LIMPED, 600, CALL], [*LIMPED, CALL, 600, 900]]
)
def test_public_features__are_those_of_the_twin(actions):
    hand = after(begin(SIX), actions)
    for me in (0, 1, 3, 4):
        if hand[5] >> me & 1:
            continue
        actual = np.zeros(7, np.float32)
        public_features(hand, me, True, 0.1, actual)
        expected = twin.leaf_features(hand, me, [0] * 6, np.zeros((6, 2)), 0.1, True, 4, 6)[:7]
        np.testing.assert_allclose(actual, expected, rtol=1e-6)


def test_public_features__by_hand():
    """CO and blinds call the hijack's raise to 300; the small blind bets 600."""
    hand = after(begin(SIX), [*LIMPED, 900])
    out = np.zeros(7, np.float32)
    public_features(hand, 1, True, 0.1, out)
    pot = 4 * 300 + 600
    expected = [np.log2(pot / 100) / 8, np.log(1 + 9700 / pot) / 4, 600 / pot, 0, 3 / 5, 1, 0.4]
    np.testing.assert_allclose(out, expected, rtol=1e-6)
    public_features(hand, 0, True, 0.1, out)
    assert out[2] == pytest.approx(-600 / pot), "others have to call the small blind's bet"
    assert out[3] == pytest.approx(3 / 6), "all others act first"


def test_places_of__goes_round_the_table_from_the_asking_seat():
    hand = after(begin(SIX), LIMPED)
    out = np.empty(6, np.int8)
    places_of(hand, 1, out)
    assert out.tolist() == [2, -1, -1, 0, 1, -1]
    assert len(hand) == LENGTH


RANKS = 4
NO_CLASSES = np.zeros((16, 2), np.float32)


@pytest.mark.parametrize("hole", [(15, 13), (2, 5)])
def test_on_board__is_every_runout_against_every_hand(hole):
    flop = (0, 8, 9)
    value = lambda cards: hand_value(cards, RANKS)  # noqa: E731
    expected = twin.hand_strength(hole, flop, range(4 * RANKS), value)
    actual = on_board(np.array(flop, np.int8), RANKS, NO_CLASSES)
    np.testing.assert_allclose(actual.feature[hole_id(*sorted(hole))], expected, rtol=1e-6)


def test_on_board__blocked_hands_are_zero_and_texture_is_the_mean_spread():
    hands = on_board(np.array([0, 8, 9], np.int8), RANKS, NO_CLASSES)
    blocked = [hole_id(0, c) for c in range(1, 16)]
    assert not hands.feature[blocked].any()
    free = hands.feature[:, 0] > 0
    assert free.sum() == 13 * 12 / 2
    assert hands.texture == pytest.approx(hands.feature[free, 1].mean() / 2, rel=1e-6)


def test_on_flops__has_every_canonical_flop():
    flops = boards(6, 3).cards
    for i in (0, 17, len(flops) - 1):
        expected = on_board(flops[i], 6, np.zeros((36, 2), np.float32))
        np.testing.assert_array_equal(tables().flop[i], expected.feature)
        assert tables().texture[i] == expected.texture


def test_on_board__before_the_flop_are_the_classes():
    preflop = np.arange(32, dtype=np.float32).reshape(16, 2)
    hands = on_board(np.empty(0, np.int8), RANKS, preflop)
    assert hands.texture == 0
    pair = hole_id(12, 13)
    other = hole_id(14, 15)
    np.testing.assert_array_equal(hands.feature[pair], hands.feature[other])
