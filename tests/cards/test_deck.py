from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import cards as oracle
from sixmax.base.errors import UserError
from sixmax.cards import deck


def test_parse_cards__known_numbers():
    actual = deck.parse_cards("2c Ah Kd As")
    assert actual.dtype == np.int8
    assert actual.tolist() == [0, 50, 45, 51]
    assert deck.parse_cards("9cAs", ranks=6).tolist() == [0, 23]
    assert deck.parse_cards("").tolist() == []
    for text in ("2c,Ah,Kd,As", "2c, Ah; Kd/As", "2cAh\tKd,\n as,"):
        assert deck.parse_cards(text).tolist() == actual.tolist()


@given(st.integers(3, 13).flatmap(lambda r: st.tuples(st.just(r), _hands(r))))
def test_format_cards__inverts_parse(case):
    ranks, cards = case
    actual = deck.parse_cards(deck.format_cards(cards, ranks), ranks)
    assert actual.tolist() == cards


def _hands(ranks):
    return st.lists(st.integers(0, 4 * ranks - 1), unique=True, max_size=7)


@pytest.mark.parametrize(
    ("text", "ranks", "fault"),
    [
        ("AhXd", 13, "'Xd'"),
        ("Ah1", 13, "'1'"),
        ("Ahz", 13, "'z'"),
        ("K", 13, "'K'"),
        ("8h", 6, "9TJQKA"),
        ("AhAh", 13, "card Ah is dealt twice"),
        ("Ah", 2, "deck of 2 ranks"),
    ],
)
def test_parse_cards__refused_in_one_line(text, ranks, fault, refused):
    with refused(fault):
        deck.parse_cards(text, ranks)


def test_as_cards__refuses_numbers_outside_the_deck():
    with pytest.raises(UserError, match="card 24: wanted a number from 0 to 23"):
        deck.as_cards([3, 24], ranks=6)


@pytest.mark.parametrize("ranks", [3, 6, 13])
def test_hole_cards__in_order_of_hole_id(ranks):
    actual = deck.hole_cards(ranks)
    assert [tuple(row) for row in actual.tolist()] == oracle.holes(ranks)
    assert len(actual) == deck.n_holes(ranks)
    ids = [(deck.hole_id(lo, hi), deck.hole_id(hi, lo)) for lo, hi in actual]
    assert ids == [(i, i) for i in range(len(actual))]


@pytest.mark.parametrize("ranks", [3, 6, 13])
def test_classes__are_the_isomorphism_classes(ranks):
    classes = deck.classes(ranks)
    expected = {}
    for hole, number in zip(oracle.holes(ranks), classes, strict=True):
        expected.setdefault(oracle.isomorphism_class(hole, ()), set()).add(int(number))
    assert sorted(min(v) for v in expected.values()) == list(range(ranks * ranks))
    assert all(len(v) == 1 for v in expected.values())


def test_classes__chart():
    names, classes = deck.class_names(13), deck.classes(13)

    def name(text):
        return names[classes[deck.hole_id(*deck.parse_cards(text))]]

    assert len(names) == len(set(names)) == 169
    assert names[:3] == ["AA", "AKs", "AQs"]
    assert (names[13], names[14], names[168]) == ("AKo", "KK", "22")
    hands = {"AhAd": "AA", "KhAh": "AKs", "AhKd": "AKo", "2c3d": "32o", "7s2s": "72s"}
    assert {text: name(text) for text in hands} == hands
    combos = np.bincount(classes)
    assert {names[i][2:]: int(combos[i]) for i in range(169)} == {"": 6, "s": 4, "o": 12}


def test_next_combination__all_in_order():
    chosen, actual = np.arange(3), []
    more = True
    while more:
        actual.append(tuple(chosen.tolist()))
        more = deck.next_combination(chosen, 6)
    assert actual == list(combinations(range(6), 3))
