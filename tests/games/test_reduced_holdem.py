"""Reduced hold'em: its deals against a deck of cards, its hands by hand."""

import itertools
from collections import Counter

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.betting.tree_build import build
from sixmax.games import reduced_holdem


def slow_deals(ranks):
    """How often each (bucket, rank) row comes, card by card."""
    pairs = list(itertools.combinations_with_replacement(range(ranks), 2))
    actual = Counter()
    for cards in itertools.permutations(range(reduced_holdem.SUITS * ranks), 6):
        first, second = sorted(cards[:2]), sorted(cards[2:4])
        if cards[0] > cards[1] or cards[2] > cards[3]:
            continue  # the order in which a hand is dealt does not matter
        flop, turn = cards[4] % ranks, cards[5] % ranks
        hands = [pairs.index(tuple(sorted(c % ranks for c in hand))) for hand in (first, second)]
        row = [(p, p * ranks + flop, (p * ranks + flop) * ranks + turn) for p in hands]
        actual[tuple(row)] += 1
    return actual


def test_deals__are_as_likely_as_the_cards_say():
    deals = reduced_holdem.deals(2)
    actual = Counter(tuple(map(tuple, row)) for row in deals.bucket.tolist())
    expected = slow_deals(2)
    assert set(actual) == set(expected)
    total, whole = sum(actual.values()), sum(expected.values())
    assert all(actual[row] * whole == expected[row] * total for row in expected)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((0, 0, 0, 3), (2, 2, 3, 3)),  # three of a kind, two pairs
        ((0, 0, 1, 1), (3, 3, 2, 1)),  # two pairs, a pair
        ((0, 0, 2, 1), (3, 2, 1, 0)),  # a pair, high card
        ((1, 1, 3, 0), (1, 1, 2, 0)),  # the same pair, a higher card beside it
    ],
)
def test_value__of_four_cards(better, worse):
    for cards in itertools.permutations(better):
        assert reduced_holdem._value(cards) > reduced_holdem._value(worse)


def test_deals__the_better_hand_has_the_higher_rank():
    deals = reduced_holdem.deals(3)
    pairs = list(itertools.combinations_with_replacement(range(3), 2))
    for at in range(0, len(deals.rank), 97):
        hands = []
        for last in deals.bucket[at, :, 2].tolist():
            rest, turn = divmod(last, 3)
            pair, flop = divmod(rest, 3)
            hands.append(reduced_holdem._value((*pairs[pair], flop, turn)))
        assert np.sign(hands[0] - hands[1]) == np.sign(np.subtract(*deals.rank[at, 0]))


def test_game__has_three_rounds_of_two_players():
    tree = build(reduced_holdem.game())
    assert tree.columns.shape == (3, 2)
    assert (tree.decisions > 0).all()


def test_deals__refuses_a_deck_that_is_too_small():
    with pytest.raises(UserError, match="found 1 ranks, wanted 2 to 6"):
        reduced_holdem.deals(1)
