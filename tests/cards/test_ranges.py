"""Ranges in words, against lists of their hands written out."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cards.deck import class_names, classes, hole_id, parse_cards
from sixmax.cards.ranges import hand_holes, holes_of, parse_range

WORDS = {
    "AA": "AA",
    "AKs": "AKs",
    "AK": "AKs AKo",
    "KA": "AKs AKo",
    "aks": "AKs",
    "JJ+": "JJ QQ KK AA",
    "AA+": "AA",
    "ATs+": "ATs AJs AQs AKs",
    "KTo+": "KTo KJo KQo",
    "KQ+": "KQs KQo",
    "QT+": "QTs QJs QTo QJo",
    "99-66": "99 88 77 66",
    "66-99": "99 88 77 66",
    "A5s-A2s": "A5s A4s A3s A2s",
    "A2s-A5s": "A5s A4s A3s A2s",
    "K9-K7": "K9s K8s K7s K9o K8o K7o",
    "JTs-76s": "JTs T9s 98s 87s 76s",
    "J9o-86o": "J9o T8o 97o 86o",
}


def names(weights, ranks=13):
    return {class_names(ranks)[k] for k in np.unique(classes(ranks)[np.flatnonzero(weights)])}


@pytest.mark.parametrize(("word", "expected"), WORDS.items())
def test_parse_range__names_these_classes_whole(word, expected):
    weights = parse_range(word)
    assert names(weights) == set(expected.split())
    sizes = {2: 6, 3: {"s": 4, "o": 12}}
    combos = sum(6 if len(n) == 2 else sizes[3][n[2]] for n in expected.split())
    assert np.count_nonzero(weights) == combos


def test_parse_range__weights_and_later_words():
    actual = parse_range("77+,AKs:0.5 ,  KTo+:.25\nAhKd:2, KK:0")
    for text in ("77+;AKs : 50%  KTo+:.25 AhKd:2;KK:0", "77+ AKs:0.5,KTo+:25%,AhKd:2,KK:0%"):
        assert parse_range(text).tolist() == actual.tolist()
    hole = {text: hole_id(*parse_cards(text)) for text in ("7c7d", "AhKh", "KhTd", "AhKd", "KcKd")}
    assert [actual[hole[text]] for text in hole] == [1, 0.5, 0.25, 2, 0]


def test_parse_range__random_is_every_hand():
    assert parse_range("random").tolist() == [1.0] * 1326
    assert parse_range("random:0.5, AA").sum() == 0.5 * 1320 + 6


def test_parse_range__of_a_short_deck():
    assert names(parse_range("TT+", 6), 6) == {"TT", "JJ", "QQ", "KK", "AA"}
    with pytest.raises(UserError, match="found '77', wanted AA"):
        parse_range("77", 6)


@pytest.mark.parametrize(
    "word",
    ["A", "AKx", "AAs", "77s+", "A5s-K2s", "A5s-A2o", "JTs-75s", "AK+-AQ", "1T", "AhKx", "", "-"],
)
def test_parse_range__refuses(word):
    with pytest.raises(UserError, match=r"range|cards") as error:
        parse_range(f"AA,{word}" if word else word)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("weight", ["-1", "nan", "1e308", "x", ""])
def test_parse_range__refuses_weights(weight):
    with pytest.raises(UserError, match="wanted a weight from 0 to 1,000,000"):
        parse_range(f"AA:{weight}")


def test_holes_of__an_unknown_hand_is_named():
    with pytest.raises(UserError, match="found 'ZZ', wanted AA, AKs, AKo, AK"):
        holes_of("ZZ")


def test_hand_holes__has_no_weights_and_is_not_empty():
    board = parse_cards("AhKd2c")
    with pytest.raises(UserError, match=r"hand 'QQ:0\.5': found a weight"):
        hand_holes("QQ:0.5", board)
    with pytest.raises(UserError, match="range: found an empty one, wanted AA"):
        hand_holes(" ,", board)


def test_hand_holes__leaves_out_the_board():
    board = parse_cards("AhKd2c")
    assert len(hand_holes("AKs", board)) == 2  # spades and clubs
    assert len(hand_holes("AA, KK", board)) == 6
    with pytest.raises(UserError, match="the board has a card of it"):
        hand_holes("AhQs", board)
