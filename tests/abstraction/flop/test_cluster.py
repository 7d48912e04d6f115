"""One flop of a deck of 24 cards: two suits, so that hands are alike up to suits."""

import numpy as np
import pytest

from oracles import search as oracle
from sixmax.abstraction.clustering import transport
from sixmax.abstraction.flop import cluster, store
from sixmax.cards.deck import as_cards, classes, hole_cards, hole_id, n_holes

RANKS, BUCKETS, SEED = 6, 40, 3
FLOP = as_cards("AcTc9d", RANKS)


@pytest.fixture(scope="module")
def opponents(clustered):
    return store.opponents(clustered, store.preflop_of(clustered))


@pytest.fixture(scope="module")
def river(opponents):
    return cluster.river(FLOP, RANKS, opponents, BUCKETS, SEED)


@pytest.fixture(scope="module")
def table(river):
    return cluster.spread(river.of, river.label)


@pytest.fixture(scope="module")
def turn(river, table):
    return cluster.turn(FLOP, RANKS, river, table, BUCKETS, SEED)


def hands(count, cards):
    """Some holes and further cards, all different, off the flop."""
    rng = np.random.default_rng(5)
    rest = np.setdiff1d(np.arange(4 * RANKS), FLOP)
    for _ in range(count):
        drawn = rng.choice(rest, 2 + cards, replace=False)
        yield drawn[:2], drawn[2:]


@pytest.mark.parametrize(("k", "rows", "ways"), [(4, 24, 21), (5, n_holes(RANKS), 210)])
def test_situations__are_every_hand_that_the_cards_leave(k, rows, ways):
    actual = cluster.situations(FLOP, RANKS, k)
    assert actual.number.shape == (rows, n_holes(RANKS))
    left = 4 * RANKS - k
    assert actual.weight.sum() == (actual.number >= 0).sum() == ways * left * (left - 1) // 2
    assert len(actual.weight) == actual.offset[-1] == actual.number.max() + 1
    assert (actual.weight > 0).all()
    assert (actual.number[:, hole_id(FLOP[0], 23)] == -1).all()


def test_river__against_evaluation_of_every_opponent(river, table, opponents):
    clusters = river.ochs.shape[1]
    for hole, board in hands(25, 2):
        actual = table[hole_id(*board), hole_id(*hole)]
        expected = oracle.river_bucket(
            hole, (*FLOP, *board), RANKS, opponents[classes(RANKS)], clusters, river.centroid
        )
        assert actual == expected


def test_river__is_numbered_by_strength_and_no_bucket_is_empty(river):
    assert (np.diff(river.strength) >= 0).all()
    assert np.bincount(river.label, minlength=BUCKETS).min() > 0
    for bucket in (0, BUCKETS // 2, BUCKETS - 1):
        inside = river.label == bucket
        expected = np.average(river.win[inside], weights=river.of.weight[inside])
        assert river.strength[bucket] == pytest.approx(expected)


def test_turn__becomes_the_rivers_that_it_can(turn, river, table):
    for hole, (card,) in hands(25, 1):
        expected = oracle.river_buckets(
            hole, FLOP, card, RANKS, lambda t, r, number: table[hole_id(t, r), number]
        )
        i = turn.of.number[card, hole_id(*hole)]
        size = turn.hands.size[i]
        np.testing.assert_array_equal(turn.hands.bucket[i, :size], np.flatnonzero(expected))
        actual = turn.hands.mass[i, :size] // transport.UNITS
        np.testing.assert_array_equal(actual, expected[expected > 0])


def test_turn__is_nearer_than_by_strength_alone(turn):
    def distance(label):
        k, buckets = int(label.max()) + 1, len(turn.over.distance)
        mean = transport.means(turn.hands, label, k, buckets)
        return np.average(
            transport.distances(turn.hands, label, mean, turn.over), weights=turn.of.weight
        )

    label = turn.label
    shuffled = np.random.default_rng(0).permutation(label)
    assert distance(label) < 0.9 * distance(turn.start) < 0.3 * distance(shuffled)
    assert (np.diff(turn.strength) >= 0).all()


def test_turn__tells_a_draw_from_a_made_hand_of_its_strength(turn):
    """Both win equally often: one by what comes, the other by what it is."""
    strongest = turn.hands.size.argmax()
    near = np.abs(turn.win - turn.win[strongest]) < 0.01
    narrow = np.flatnonzero(near & (turn.hands.size <= turn.hands.size[near].min() + 1))
    assert len(narrow)
    assert turn.label[strongest] not in turn.label[narrow]


def test_spread__is_the_same_for_suits_that_the_flop_does_not_tell_apart(table, turn):
    tables = {4: cluster.spread(turn.of, turn.label), 5: table}
    swap = np.array([0, 1, 3, 2])  # hearts and spades

    def renamed(card):
        return card & ~3 | swap[card & 3]

    cards = np.arange(4 * RANKS)
    pairs = hole_cards(RANKS).astype(int)
    holes = np.array([hole_id(renamed(lo), renamed(hi)) for lo, hi in pairs])
    np.testing.assert_array_equal(tables[4], tables[4][renamed(cards)][:, holes])
    np.testing.assert_array_equal(tables[5], tables[5][holes][:, holes])


def test_river__of_more_buckets_than_different_hands_is_lossless(opponents):
    monotone = as_cards("AcTc9c", RANKS)
    actual = cluster.river(monotone, RANKS, opponents, 60_000, SEED)
    rows = np.unique(actual.ochs, axis=0)
    assert len(actual.centroid) == len(rows) < 60_000
    np.testing.assert_array_equal(actual.centroid[actual.label], actual.ochs)
