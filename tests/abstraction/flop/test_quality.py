import itertools

import numpy as np
import pytest

from sixmax.abstraction.flop import cluster, kernels, quality, store
from sixmax.abstraction.points import WIN_BINS
from sixmax.cards.deck import as_cards, hole_cards, hole_id

RANKS = 6


@pytest.fixture(scope="module")
def scored(clustered):
    opponents = store.opponents(clustered, store.preflop_of(clustered))
    cards = as_cards("AcTc9d", RANKS)

    def of(count):
        river = cluster.river(cards, RANKS, opponents, count, 1)
        return river, cluster.turn(
            cards, RANKS, river, cluster.spread(river.of, river.label), count, 1
        )

    return of


def test_report__every_hand_is_counted_and_beats_its_baselines(scored):
    actual = quality.report(*scored(40), 1)
    for name, hands in (("river", 210 * 171), ("turn", 21 * 190)):
        part = actual[name]
        assert part["buckets"] == 40
        assert part["empty"] == 0
        assert part["hands"]["total"] == hands
        assert part["hands"]["min"] <= part["hands"]["median"] <= part["hands"]["max"]
        distance = part["distance"]
        assert distance["within_bucket"] < 0.9 * distance["by_strength_alone"]
        assert distance["by_strength_alone"] < 0.6 * distance["random_buckets"]
        assert distance["random_buckets"] <= 1.01 * distance["one_bucket"]
        assert 0.9 < part["explained"] < 1


def test_report__two_seeds_agree_more_than_chance(scored):
    river, turn = scored(40)
    cards = as_cards("AcTc9d", RANKS)
    actual = quality.report(river, turn, 1, cluster.again(cards, RANKS, river, 40, 2))
    for name in ("river", "turn"):
        seeds = actual[name]["two_seeds"]
        assert abs(seeds["adjusted_rand_shuffled"]) < 0.02 < 0.3 < seeds["adjusted_rand"] < 1
        within = actual[name]["distance"]["within_bucket"]
        assert seeds["within_bucket_second"] == pytest.approx(within, rel=0.2)
    same = cluster.again(cards, RANKS, river, 40, 1)
    again = quality.report(river, turn, 1, same)
    for name in ("river", "turn"):
        assert again[name]["two_seeds"]["adjusted_rand"] == 1
        del again[name]["two_seeds"], actual[name]["two_seeds"]
    assert again == actual == quality.report(river, turn, 1)


def test_profile__is_what_the_hands_of_a_turn_bucket_become(scored):
    """By the atoms one by one."""
    river, turn = scored(40)
    cells = np.zeros((len(turn.strength), WIN_BINS))
    number = turn.of.number
    table = cluster.spread(river.of, river.label)
    for card, hole in itertools.product(range(4 * RANKS), range(len(hole_cards(RANKS)))):
        if number[card, hole] < 0:
            continue
        for last in range(4 * RANKS):
            if last != card:
                end = table[hole_id(card, last), hole]
                if end != kernels.BLOCKED:
                    bin_ = min(int(river.strength[end] * WIN_BINS), WIN_BINS - 1)
                    cells[turn.label[number[card, hole]], bin_] += 1
    expected = cells / cells.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(quality.profile(turn, river.strength), expected, atol=1e-12)


def test_draw__is_a_picture_that_is_the_same_again(scored):
    river, turn = scored(40)
    about = quality.report(river, turn, 1)
    first, again = (quality.draw("AcTc9d", river, turn, about) for _ in range(2))
    assert first[:8] == b"\x89PNG\r\n\x1a\n"
    assert first == again
    assert len(first) > 20_000


def test_report__more_buckets_are_better(scored):
    few, more = quality.report(*scored(10), 1), quality.report(*scored(80), 1)
    for name in ("river", "turn"):
        assert (
            more[name]["distance"]["within_bucket"] < 0.7 * few[name]["distance"]["within_bucket"]
        )


def test_report__of_the_river_is_what_its_definition_says(scored):
    river, turn = scored(15)
    centroid = river.centroid[river.label].astype(float)
    each = np.sqrt(((river.ochs - centroid) ** 2).sum(axis=1)) / 65535
    expected = np.average(each, weights=river.of.weight)
    actual = quality.report(river, turn, 1)["river"]["distance"]["within_bucket"]
    assert actual == pytest.approx(expected)
