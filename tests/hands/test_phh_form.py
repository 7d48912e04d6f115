"""Hands written as PHH: pokerkit reads what we write, and we read it back."""

import math
import tomllib

import numpy as np
import pytest

from hands.small import CARDS, NAMES
from oracles.games import holdem
from oracles.judges.phh import by_pokerkit
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import parse_cards
from sixmax.hands.phh import parse
from sixmax.hands.phh_form import form
from sixmax.hands.record import record, rules

HANDS = [
    ([1000, 1000, 1000], ((300, FOLD, CALL), (CALL, CALL), (CALL, 400, CALL), (CALL, CALL))),
    ([1000, 1000, 1000], ((300, CALL, CALL), (1000, CALL, CALL))),
    ([1000, 1000, 400], ((400, CALL, CALL), (CALL, 1000, CALL))),
    ([1000, 700, 400], ((CALL, CALL, 700, CALL, CALL),)),
    ([1000, 1000, 1000], ((FOLD, FOLD),)),
    ([1000, 1000, 1000], ((300, 900, FOLD, FOLD),)),
    ([1000, 1000], ((CALL, CALL), (300, 700, CALL), (CALL, CALL), (CALL, CALL))),
    ([1000, 1000], ((1000, CALL),)),
    ([1000, 500], ((300, CALL), (1000, CALL))),
]


@pytest.mark.parametrize(("stacks", "actions"), HANDS)
@pytest.mark.parametrize("ante", [0, 10])
def test_form__pokerkit_reads_it_to_the_same_payoffs_and_we_to_the_same_hand(stacks, actions, ante):
    game = holdem(stacks, ante=ante)
    hand = record(5, NAMES[: len(stacks)], game, 13, actions, CARDS[-(2 * len(stacks) + 5) :])
    assert by_pokerkit(form(hand)) == pytest.approx(hand.payoffs.tolist())
    again, net = parse(form(hand))
    assert (again.actions, again.names, again.number) == (hand.actions, hand.names, 5)
    for name in ("holes", "board", "stacks"):
        np.testing.assert_array_equal(getattr(again, name), getattr(hand, name))
    assert (again.rules.blinds, again.rules.antes) == (hand.rules.blinds, hand.rules.antes)
    for payoffs in (again.payoffs, net):
        assert payoffs.tolist() == pytest.approx(hand.payoffs.tolist())


@pytest.mark.parametrize("name", ["plain", "it's", 'a "b" c', "back\\slash", "tab\there", "é"])
def test_form__names_of_any_kind(name):
    hand = record(5, (name, "b", "c"), holdem([1000] * 3), 13, ((FOLD, FOLD),), CARDS)
    assert tomllib.loads(form(hand))["players"][0] == name


def test_form__two_players_have_the_big_blind_first():
    game = holdem([900, 1000], blinds=[50, 100])
    game = game.model_copy(update={"first": [0, 1, 1, 1]})
    hand = record(5, ("small", "big"), game, 13, ((300, CALL), (CALL, 400, FOLD)), CARDS[2:])
    again, _ = parse(form(hand))
    assert again.names == ("big", "small")
    assert again.payoffs.tolist() == hand.payoffs[::-1].tolist()
    assert by_pokerkit(form(hand)) == hand.payoffs[::-1].tolist()


def test_form__a_short_ante_wins_as_much_from_each_in_pokerkit_too():
    """Stacks of 1,000, 1,000 and 70 pay an ante of 100: the last can win 210."""
    cards, passed = parse_cards("KcKd 2c2d AhAd 7h8h9s Jd 3s"), (CALL, CALL)
    hand = record(1, NAMES, holdem([1000, 1000, 70], ante=100), 13, (passed,) * 4, cards)
    assert hand.payoffs.tolist() == [-200 + 260, -200, 140]
    assert by_pokerkit(form(hand)) == hand.payoffs.tolist()
    assert parse(form(hand))[1].tolist() == hand.payoffs.tolist()


def test_form__the_order_of_action_by_the_seat_of_p1_or_a_field_of_our_own():
    three = rules([1000] * 3, [25, 50, 100], [0] * 3, [0] * 4)
    hand = record(1, NAMES, three, 13, ((CALL, FOLD, 200, FOLD),), CARDS)
    assert "_first" not in form(hand)
    assert by_pokerkit(form(hand)) == hand.payoffs.tolist() == [-100, -50, 150]
    turned = rules([1000] * 3, [0, 50, 100], [0] * 3, [0, 1, 1, 1])
    hand = record(1, NAMES, turned, 13, ((300, FOLD, FOLD),), CARDS)
    assert "_first" not in form(hand)
    assert by_pokerkit(form(hand)) == [-50, -100, 150]
    odd = rules([1000] * 3, [50, 100, 0], [0] * 3, [1, 2, 0, 0])
    hand = record(1, NAMES, odd, 13, ((CALL, CALL, CALL), (300, FOLD, FOLD)), CARDS)
    assert "_first = [2, 3, 1, 1]" in form(hand)
    again, net = parse(form(hand))
    assert again.rules == odd
    assert net.tolist() == hand.payoffs.tolist() == [-100, -100, 200]


CENTS = """variant = 'NT'
antes = [0, 0.75, 0, 0]
blinds_or_straddles = [0.25, 0.5, 1, 0]
min_bet = 0.5
starting_stacks = [50, 3.75, inf, 100.1]
actions = ['d dh p1 ????', 'd dh p2 KcKd', 'd dh p3 AhAd', 'd dh p4 ????', 'p4 cbr 3', \
'p1 f', 'p2 cc', 'p3 cc', 'd db 7h8h9s', 'p3 cbr 1.5', 'p4 f', 'p3 sm AhAd', 'p2 sm', \
'd db Jd', 'd db 2s']
hand = 7
players = ['a', 'b', 'c', 'd']
finishing_stacks = [49.75, 0, inf, 97.1]
""".replace("\\\n", "")


def test_form__what_was_read():
    """Cents, a straddle, the ante of one seat, a stack unknown, a hand mucked."""
    hand, net = parse(CENTS)
    assert net.tolist() == [-25, -375, 700, -300]
    assert form(hand) == CENTS
    assert math.inf in tomllib.loads(form(hand))["starting_stacks"]
