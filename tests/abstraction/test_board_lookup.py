"""Buckets on real boards, against a look at one hole at a time."""

import numpy as np
import pytest

from abstraction.small_deck import numbered
from oracles import abstraction as oracle
from sixmax.abstraction.board_lookup import board_tables, buckets_on_board, read_row
from sixmax.cards.deck import hole_cards, n_holes
from sixmax.cards.isomorphism import boards

RANKS = 4


@pytest.mark.parametrize("counts", [(251, 251, 251), (29_989, 251, 29_989)])
@pytest.mark.parametrize("k", [0, 3, 4, 5])
def test_buckets_on_board__equal_the_oracle(k, counts):
    buckets, cards = numbered(RANKS, counts), hole_cards(RANKS)
    tables, actual = board_tables(buckets, RANKS), np.empty(len(cards), np.int32)
    table, canonical = buckets[(0, 3, 4, 5).index(k)], boards(RANKS, k).cards.tolist()
    random = np.random.default_rng(k)
    for _ in range(20 if k else 1):
        board = random.permutation(4 * RANKS)[:k].astype(np.int8)
        buckets_on_board(tables, board, cards, actual)
        assert actual.tolist() == oracle.board_buckets(table, canonical, board, RANKS)


def test_read_row__suits_are_renamed_and_the_order_of_two_cards_does_not_matter():
    table, actual = np.arange(n_holes(RANKS))[None], np.empty(3, np.int32)
    perm = np.array([1, 0, 2, 3], np.int8)
    read_row(table, 0, np.array([0, 5, 5, 0, 2, 3], np.int8), perm, actual)
    assert actual.tolist() == [7, 7, 5]  # holes of cards 1 and 4, and of 2 and 3: their suits stay
