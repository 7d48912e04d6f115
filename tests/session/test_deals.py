"""Deals of the cards that a player cannot see: their law, their seats, and no deal at all."""

import numpy as np
import pytest

from oracles.cards import holes
from sixmax.base.rng import child
from sixmax.cards.deck import n_holes
from sixmax.hands.record import UNSEEN
from sixmax.session.deals import deals_by

RANKS, SEATS, HERO = 5, 3, 1
HOLE, BOARD = np.array([0, 5], np.int8), np.array([7, 11, 18], np.int8)
NONE = np.empty(0, np.int8)


@pytest.fixture(scope="module")
def beliefs():
    return np.random.default_rng(1).integers(0, 4, (SEATS, n_holes(RANKS))).astype(float)


@pytest.mark.parametrize("hole", [HOLE, NONE], ids=["held", "unseen"])
def test_deals__hands_come_as_often_as_the_product_of_the_beliefs(beliefs, hole):
    """All pairs of the others' hands that share no card, against those that are drawn."""
    n, dead = 40_000, {*hole.tolist(), *BOARD.tolist()}
    cards = deals_by(beliefs, HERO, hole, BOARD, RANKS, child(3, "deals"), n)
    pairs, expected = holes(RANKS), {}
    for a, first in enumerate(pairs):
        for b, second in enumerate(pairs):
            if len({*first, *second, *dead}) == 4 + len(dead):
                expected[(*sorted(first), *sorted(second))] = beliefs[0, a] * beliefs[2, b]
    total = sum(expected.values())
    drawn = np.concatenate([np.sort(cards[:, :2], axis=1), np.sort(cards[:, 4:6], axis=1)], axis=1)
    kinds, counts = np.unique(drawn, axis=0, return_counts=True)
    chance = np.array([expected[tuple(kind.tolist())] / total for kind in kinds])
    assert (chance > 0).all()
    assert abs(counts / n - chance).sum() < 2.5 * np.sqrt(len(expected) / n)
    mine = cards[:, 2:4]
    assert (mine == (hole if hole.size else UNSEEN)).all()


def test_deals__the_rest_of_the_board_is_uniform_and_free(beliefs):
    cards = deals_by(beliefs, HERO, HOLE, BOARD, RANKS, child(4, "deals"), 20_000)
    assert (cards[:, 6:9] == BOARD).all()
    for row in cards[:500]:
        assert len(set(row.tolist())) == len(row)
    free = sorted({*range(4 * RANKS)} - {*HOLE.tolist(), *BOARD.tolist()})
    cards = deals_by(np.ones_like(beliefs), HERO, HOLE, BOARD, RANKS, child(5, "deals"), 20_000)
    counts = np.bincount(cards[:, 9], minlength=4 * RANKS)[free]
    assert counts / counts.sum() == pytest.approx(np.full(len(free), 1 / len(free)), abs=0.01)


def test_deals__none_where_the_others_cannot_hold_hands_apart(beliefs):
    one = np.zeros_like(beliefs)
    one[:, 40] = 1.0
    assert len(deals_by(one, HERO, NONE, NONE, RANKS, child(6, "deals"), 5)) == 0
    assert len(deals_by(0 * one, HERO, NONE, NONE, RANKS, child(6, "deals"), 5)) == 0
