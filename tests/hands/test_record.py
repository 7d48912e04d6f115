"""A played hand as numbers: made from cards and actions, written as a line and read again."""

import numpy as np
import pytest

from hands.small import LOGS, needs_logs
from oracles.games import holdem
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import parse_cards
from sixmax.hands.record import UNSEEN, from_line, record, to_line

THREE = holdem([1000, 1000, 600])
CARDS = parse_cards("2c2d KcKd AcAd 7h8h9s Jd 2s")
NAMES = ("a", "b", "c")


def test_record__says_who_did_what_and_what_it_came_to():
    actions = ((300, FOLD, CALL), (CALL, 200 + 300, FOLD))
    actual = record(7, NAMES, THREE, 13, actions, CARDS)
    assert actual.actions == (((2, 300), (0, FOLD), (1, CALL)), ((1, CALL), (2, 500), (1, FOLD)))
    assert actual.payoffs.tolist() == [-50, -300, 350]
    assert actual.board.tolist() == parse_cards("7h8h9s").tolist()
    assert actual.stacks.tolist() == [1000, 1000, 600]


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (((600, FOLD, CALL),), "STATE:1:r600fc///:2c2d|KcKd|AcAd/7h8h9s/Jd/2s:-50|-600|650:a|b|c"),
        (((FOLD, FOLD),), "STATE:1:ff:2c2d|KcKd|AcAd:-50|50|0:a|b|c"),
        (((FOLD, 300, FOLD),), "STATE:1:fr300f:2c2d|KcKd|AcAd:100|-100|0:a|b|c"),
    ],
)
def test_to_line__and_back(actions, expected):
    hand = record(1, NAMES, THREE, 13, actions, CARDS)
    assert to_line(hand) == expected
    again, net = from_line(expected, THREE)
    assert again.actions == hand.actions
    np.testing.assert_array_equal(again.holes, hand.holes)
    np.testing.assert_array_equal(again.board, hand.board)
    np.testing.assert_array_equal(again.payoffs, hand.payoffs)
    np.testing.assert_array_equal(net, hand.payoffs)


def test_to_line__names_that_would_break_it():
    hand = record(1, ("a:b", "c|d\udcff", "e f"), THREE, 13, ((FOLD, FOLD),), CARDS)
    assert from_line(to_line(hand), THREE)[0].names == ("a_b", "c_d_", "e_f")


def test_from_line__of_another_number_of_players():
    with pytest.raises(UserError, match="x: found 2 players, wanted 3"):
        from_line("STATE:0:f:|:50|-50:a|b", THREE, place="x")


def test_from_line__cards_unseen_matter_at_a_showdown_only():
    line = "STATE:1:ff:|KcKd|:-50|50|0:a|b|c"
    hand, net = from_line(line, THREE)
    assert hand.holes.tolist() == [[UNSEEN] * 2, parse_cards("KcKd").tolist(), [UNSEEN] * 2]
    assert to_line(hand) == line
    shown = "STATE:1:r600fc///:2c2d|KcKd|/7h8h9s/Jd/2s:-50|-600|650:a|b|c"
    with pytest.raises(UserError, match="x, line 3: a showdown with cards missing"):
        from_line(shown, THREE, place="x, line 3")


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (((FOLD,),), "the hand stops with SB to act"),
        (((150,),), "BTN raises to 150, wanted 200 to 600"),
        (((FOLD, FOLD), (CALL,)), "'c' after the hand is over"),
    ],
)
def test_record__mistakes(actions, expected):
    with pytest.raises(UserError, match=expected):
        record(1, NAMES, THREE, 13, actions, CARDS)


@needs_logs
def test_from_line__pluribus_hands_to_the_character():
    game = holdem([10_000] * 6)
    file = LOGS / "sample_game_33.log"
    lines = [x for x in file.read_text().splitlines() if x.startswith("STATE")]
    for line in lines:
        hand, net = from_line(line, game)
        assert to_line(hand) == line
        np.testing.assert_array_equal(net, hand.payoffs)
