"""The hold'em dealer against dealing by hand."""

import numpy as np
import pytest

from abstraction.small_deck import numbered
from oracles.situations import situation_index
from sixmax.abstraction.lossless import lossless
from sixmax.base.rng import child
from sixmax.cards.deck import hole_id
from sixmax.cards.evaluate import evaluate
from sixmax.cards.isomorphism import boards, canonical_board, permute_card
from sixmax.games.holdem import HoldemDealer, draw

RANKS, SEATS = 6, 3
SEED = child(1, "deal")
FEW = (251, 251, 251)  # buckets of flop, turn and river


@pytest.mark.parametrize("counts", [FEW, (251, 29_989, 29_989)])
def test_deal__buckets_and_ranks_are_those_of_the_cards(counts):
    buckets, n = numbered(RANKS, counts), 200
    actual = HoldemDealer(buckets, RANKS, SEATS, boards=3).deal(SEED, 50, n)
    cards, deck = np.empty(2 * SEATS + 15, np.int8), np.empty(4 * RANKS, np.int8)
    for i in range(n):
        draw(SEED, 50 + i, deck, cards)
        assert len(set(cards.tolist())) == cards.size
        drawn = cards[2 * SEATS :].reshape(3, 5)
        board = drawn[0]
        for p in range(SEATS):
            hole = cards[2 * p : 2 * p + 2]
            assert actual.bucket[i, p, 0] == buckets.preflop[0, hole_id(hole[0], hole[1])]
            for r, k in enumerate((3, 4, 5), start=1):
                perm = np.empty(4, np.int8)
                at = canonical_board(boards(RANKS, k), board[:k], perm)
                a, b = (permute_card(c, perm) for c in hole)
                assert actual.bucket[i, p, r] == buckets[r][at, hole_id(a, b)]
            for b in range(3):
                assert actual.rank[i, b, p] == evaluate(np.concatenate([hole, drawn[b]]))


def test_deal__a_showdown_on_the_flop():
    """Three board cards, and buckets that do not fit a byte."""
    buckets, n = lossless(RANKS, 2), 100
    actual = HoldemDealer(buckets, RANKS, 2, rounds=2, boards=2, board_cards=3).deal(SEED, 0, n)
    cards, deck = np.empty(4 + 6, np.int8), np.empty(4 * RANKS, np.int8)
    assert actual.rank.shape == (n, 2, 2)
    for i in range(n):
        draw(SEED, i, deck, cards)
        for p in range(2):
            hole = cards[2 * p : 2 * p + 2]
            assert actual.bucket[i, p, 1] == situation_index(hole, cards[4:7], RANKS)
            for b in range(2):
                flop = cards[4 + 3 * b : 7 + 3 * b]
                assert actual.rank[i, b, p] == evaluate(np.concatenate([hole, flop]))


def test_deal__more_boards_than_the_deck_has_cards():
    with pytest.raises(ValueError, match="26 cards wanted of a deck of 24"):
        HoldemDealer(numbered(RANKS, FEW), RANKS, SEATS, boards=4)


def test_deal__is_the_same_whoever_asks(threads):
    dealer = HoldemDealer(numbered(RANKS, FEW), RANKS, SEATS)
    threads(1)
    whole = dealer.deal(SEED, 0, 100)
    threads(2)
    parts = [dealer.deal(SEED, first, 20) for first in (80, 0, 40, 20, 60)]
    for first, part in zip((80, 0, 40, 20, 60), parts, strict=True):
        assert np.array_equal(part.bucket, whole.bucket[first : first + 20])
        assert np.array_equal(part.rank, whole.rank[first : first + 20])


def test_draw__every_card_is_equally_likely_everywhere():
    """Chi-square over 24 cards at each place: 23 degrees of freedom, p = 1e-5 at 61."""
    n, places = 24_000, 7
    counts = np.zeros((places, 24))
    cards, deck = np.empty(places, np.int8), np.empty(24, np.int8)
    for i in range(n):
        draw(SEED, i, deck, cards)
        counts[np.arange(places), cards] += 1
    assert (((counts - n / 24) ** 2) / (n / 24)).sum(axis=1).max() < 61
