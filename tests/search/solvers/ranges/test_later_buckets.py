"""Buckets of the rounds to come, beside a look at one hand at a time."""

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.cards.deck import hole_cards, n_holes, parse_cards
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.search.solvers.ranges.boards import that_follow
from sixmax.search.solvers.ranges.later_buckets import later_buckets


def some(boards, k=40):
    return np.random.default_rng(1).choice(len(boards), min(k, len(boards)), replace=False)


@pytest.mark.parametrize("board", ["AhKd9c", "AhKd9cTs"])
def test_later_buckets__of_the_blueprint_are_those_it_plays_with(board):
    run, _ = small_run(2)
    cards = parse_cards(board, RANKS)
    by_round = later_buckets(cards, run.buckets, RANKS)
    assert by_round[0] is None
    assert len(by_round) == 6 - len(cards)
    for dealt, actual in zip(that_follow(cards, RANKS)[1:], by_round[1:], strict=True):
        assert actual.shape == (len(dealt), n_holes(RANKS))
        for b in some(dealt):
            expected = blueprint_buckets(run, dealt[b])
            np.testing.assert_array_equal(actual[b], np.maximum(expected, 0))


def test_later_buckets__of_a_flop_are_those_that_its_kernels_look_up():
    run, _ = small_run(2)
    cards, deck, holes = parse_cards("AhKd9c", RANKS), 4 * RANKS, n_holes(RANKS)
    draw = np.random.default_rng(2)
    later = FlopBuckets(
        draw.integers(0, 9, (deck, holes)).astype(np.uint16),
        draw.integers(0, 9, (holes, holes)).astype(np.uint16),
        np.array([2, 0, 1, 3], np.int8), draw.permutation(holes).astype(np.int16),
        np.zeros(9, np.float32), np.zeros(9, np.float32),
    )  # fmt: skip
    turn, river = later_buckets(cards, run.buckets, RANKS, later)[1:]
    turns, rivers = that_follow(cards, RANKS)[1:]
    for b in some(turns):
        for h in np.flatnonzero(~np.isin(hole_cards(RANKS), turns[b]).any(axis=1)):
            assert turn[b, h] == turn_bucket(later, turns[b, 3], h)
    for b in some(rivers):
        for h in np.flatnonzero(~np.isin(hole_cards(RANKS), rivers[b]).any(axis=1)):
            assert river[b, h] == river_bucket(later, rivers[b, 3], rivers[b, 4], h)
