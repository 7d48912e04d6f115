"""Strength and spread of hands, against every runout and every other hand."""

import numpy as np
import pytest

from leaf_function.small import tables
from oracles import search as twin
from oracles.cards import hand_value
from sixmax.cards.deck import hole_id
from sixmax.cards.isomorphism import boards
from sixmax.leaf_function.hands import on_board

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
