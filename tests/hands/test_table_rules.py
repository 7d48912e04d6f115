"""The rules of a hand at any table: amounts in whole chips, and who acts first."""

from decimal import Decimal

import pytest

from sixmax.base.errors import UserError
from sixmax.hands.phh import parse
from sixmax.hands.record import big_blind, rules
from sixmax.hands.table_rules import betting_of, dead_antes, exact, live_antes, opener, unit_for
from sixmax.hands.tally import label


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, 7),
        (Decimal("7.00"), 7),
        (Decimal("1E+3"), 1000),
        (Decimal("0.10"), Decimal("0.1")),
        (Decimal("199.70000000000002"), Decimal("199.7")),
        (Decimal("0.000000001"), Decimal("0.000000001")),
    ],
)
def test_exact__numbers(value, expected):
    assert exact(value) == expected
    assert isinstance(exact(value), type(expected))


@pytest.mark.parametrize("value", [True, "7", None, 7.5, [7]])
def test_exact__what_is_no_number(value):
    with pytest.raises(ValueError, match="wanted a number"):
        exact(value)


def test_exact__no_infinity():
    with pytest.raises(UserError, match="which only starting_stacks may have"):
        exact(Decimal("inf"))


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ([1, 2, 200], 1),
        ([1, Decimal("0.5")], 100),
        ([1, Decimal("0.25")], 100),
        ([Decimal("0.125"), Decimal("0.5")], 1000),
        ([], 1),
    ],
)
def test_unit_for__cents_or_finer(amounts, expected):
    assert unit_for(amounts) == expected


@pytest.mark.parametrize(
    ("posts", "stacks", "expected"),
    [
        ((1, 2, 0), (9, 9, 9), 2),
        ((2, 1), (9, 9), 1),
        ((1, 2), (9, 9), 0),
        ((1, 2, 4, 0), (9, 9, 9, 9), 3),
        ((1, 2, 0, 4), (9, 9, 9, 9), 0),
        ((1, 2, 0, 2), (9, 9, 9, 9), 0),
        ((1, 2, 0, -2), (9, 9, 9, 9), 2),
        ((0, 0, 0), (9, 9, 9), 0),
        ((5, 9, 0), (99, 3, 99), 2),  # the big blind is all-in: it is passed in any case
        ((1, 2, 0, 4), (9, 9, 9, 1), 2),  # the straddle is not
    ],
)
def test_opener__the_next_after_the_last_post(posts, stacks, expected):
    assert opener(posts, (0,) * len(posts), stacks) == expected


def test_betting_of__dead_antes_are_in_no_seat():
    game = rules([200, 90, 200], [10, 20, 0], [0, 80, 0], [2, 0, 0, 0], min_bet=20, dead=True)
    betting = betting_of(game)
    assert betting.contributed.tolist() == [10, 10, 0]
    assert betting.stacks.tolist() == [190, 0, 200]
    assert dead_antes(game).tolist() == [0, 80, 0]
    assert live_antes(game).tolist() == [0, 0, 0]
    assert betting.to_call == 10
    assert betting.raise_range == (30, 200)


def test_label__in_the_unit_of_the_file():
    text = """variant = 'NT'
antes = [0, 0.75, 0, 0]
blinds_or_straddles = [0.25, 0.5, 1, 0]
min_bet = 0.5
starting_stacks = [1000.5, 1000.5, 1000.5, {}]
actions = ['d dh p1 ????', 'p4 f', 'p1 f', 'p2 f']
"""
    game = parse(text.format("1000.5"))[0].rules
    assert label(game) == "4 players, blinds 0.25/0.5/1, antes 0/0.75, stacks 1,000.5"
    assert label(parse(text.format("inf"))[0].rules).endswith("stacks not known")
    assert big_blind(game) == 50  # the straddle is no big blind
    assert big_blind(parse(text.replace("bet = 0.5", "bet = 1").format("9"))[0].rules) == 100


def test_rules__errors_do_not_name_the_keys_of_a_config():
    with pytest.raises(UserError, match="at least 1 chip in every seat") as error:
        rules([0, 5], [1, 2], [0, 0], [0, 0, 0, 0])
    assert "default.yaml" not in str(error.value)
