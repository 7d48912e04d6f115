"""Hands by class before the flop, against all pairs of holes; all-ins, board by board."""

import itertools

import numpy as np
import pytest

from oracles.cards import equity, holes
from search.holdem import RANKS, RIVER, small_run
from sixmax.cards.deck import class_names, classes, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.search.solvers.limited import hands as module

NO_BOARD = np.empty(0, np.int8)
NAMES = class_names(RANKS)

pytestmark = pytest.mark.usefixtures("one_thread")


def before_the_flop():
    return module.hands_on(NO_BOARD, small_run(2)[0].buckets, RANKS)


def test_hands__before_the_flop_are_classes_that_meet_as_their_holes_do():
    hands, cards = before_the_flop(), holes(RANKS)
    assert hands.classes == len(hands.hole) == RANKS**2
    assert np.array_equal(hands.of_hole, classes(RANKS))
    aces, suited, kings = (NAMES.index(name) for name in ("AA", "AKs", "KK"))
    for a, b in itertools.product((aces, suited, kings), repeat=2):
        mine, theirs = (np.flatnonzero(hands.of_hole == c) for c in (a, b))
        pairs = [not set(cards[i]) & set(cards[j]) for i in mine for j in theirs]
        assert hands.apart[a, b] == pytest.approx(np.mean(pairs))
    assert hands.apart[aces, aces] == pytest.approx(1 / 6)


def test_edges__before_the_flop_are_the_means_of_those_on_flops():
    hands, buckets, n = before_the_flop(), small_run(2)[0].buckets, RANKS**2
    flops, won, met = boards(RANKS, 3), np.zeros((n, n)), np.zeros((n, n))
    for flop, times in zip(flops.cards, flops.count, strict=True):
        here = module.hands_on(flop, buckets, RANKS)
        of, cards = hands.of_hole[here.hole], np.stack([here.low, here.high], axis=1)
        both = np.ix_(of, of)
        np.add.at(won, both, times * module.lead(tuple(map(int, flop)), RANKS))
        np.add.at(met, both, times * ~module.touching(cards))
    actual = module.edges(hands, NO_BOARD, RANKS)
    np.testing.assert_allclose(actual, won / met, atol=1e-6)
    assert np.array_equal(module.edges_of_classes(hands, actual), actual.astype(np.float64))
    assert np.ptp(actual) > 0.5


def test_spread__undoes_collected_where_holes_of_a_hand_are_alike():
    random = np.random.default_rng(2)
    for board in (NO_BOARD, RIVER[:3]):
        hands = module.hands_on(board, small_run(2)[0].buckets, RANKS)
        weights = random.uniform(-1, 1, (2, n_holes(RANKS)))
        totals = module.collected(hands, weights)
        for h in (0, 3):
            mine = np.flatnonzero(hands.of_hole == h)
            np.testing.assert_allclose(totals[:, h], weights[:, mine].clip(0).sum(axis=1))
        back = module.spread(hands, totals, -5.0)
        assert (back[:, hands.of_hole < 0] == -5.0).all()
        np.testing.assert_array_equal(back[:, hands.hole], totals)
    assert len(hands.hole) < n_holes(RANKS)


def test_edges_of_classes__are_the_mean_edge_of_hands_that_share_no_card():
    hands = module.hands_on(RIVER[:3], small_run(2)[0].buckets, RANKS)
    edge = module.edges(hands, RIVER[:3], RANKS)
    actual = module.edges_of_classes(hands, edge)
    cards = list(zip(hands.low, hands.high, strict=True))
    for a, b in ((0, 0), (1, 3), (4, 2)):
        pairs = [
            edge[i, j]
            for i in np.flatnonzero(hands.of == a)
            for j in np.flatnonzero(hands.of == b)
            if not set(cards[i]) & set(cards[j])
        ]
        assert actual[a, b] == pytest.approx(np.mean(pairs), abs=1e-6)


@pytest.mark.parametrize("board", [(0, 5, 10), (0, 3, 5, 10)])
def test_lead__is_that_of_every_pair_of_hands(board):
    free = [h for h in holes(3) if not set(h) & set(board)]
    actual = module.lead(board, 3)
    assert actual.shape == (len(free), len(free))
    np.testing.assert_array_equal(actual, -actual.T)
    for i, a in enumerate(free):
        for j, b in enumerate(free):
            if i == j or set(a) & set(b):
                assert actual[i, j] == 0
            elif (i + j) % 3 == 0:
                share = equity([a, b], list(board), 3)[0]
                assert actual[i, j] == pytest.approx(2 * float(share) - 1, abs=1e-6)
    assert np.abs(actual).max() > 0.5
