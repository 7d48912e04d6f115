"""Buckets that lose nothing, or next to nothing."""

import numpy as np
import pytest

from oracles.situations import situation_index
from sixmax.abstraction.lossless import lossless, made_hands
from sixmax.cards import deck, evaluate, isomorphism


def test_lossless__counts_of_the_full_deck():
    """Waugh 2013: 169 and 1,286,792."""
    assert lossless(13, 2).counts.tolist() == [169, 1_286_792, 0, 0]


def test_lossless__is_the_number_of_the_situation():
    buckets, holes = lossless(4, 4), deck.hole_cards(4)
    random = np.random.default_rng(1)
    for table, k in zip(buckets[1:4], (3, 4, 5), strict=True):
        for board in random.integers(0, len(table), 20):
            cards = isomorphism.boards(4, k).cards[board]
            for hole in random.integers(0, len(holes), 5):
                actual = table[board, hole]
                if set(holes[hole].tolist()) & set(cards.tolist()):
                    assert actual == -1
                else:
                    assert actual == situation_index(holes[hole], cards, 4)


def test_made_hands__number_every_bucket_and_only_holes_that_are_free():
    actual, whole = made_hands(6), lossless(6, 2)
    assert np.array_equal(actual.flop < 0, whole.flop < 0)
    assert np.array_equal(np.unique(actual.flop), np.arange(-1, actual.counts[1]))


@pytest.mark.parametrize("ranks", [5, 6])
def test_made_hands__are_worth_the_same_on_flops_of_the_same_kind(ranks):
    buckets, cards = made_hands(ranks), isomorphism.boards(ranks, 3).cards
    actual = {}
    for board, row in enumerate(buckets.flop):
        flop = cards[board]
        kind = (*sorted((flop >> 2).tolist()), len(set((flop & 3).tolist())) == 1)
        for hole in np.flatnonzero(row >= 0):
            value = evaluate.evaluate(np.concatenate([deck.hole_cards(ranks)[hole], flop]))
            assert actual.setdefault(int(row[hole]), (kind, value)) == (kind, value)
    assert len(set(actual.values())) == len(actual) == buckets.counts[1]
