import numpy as np
import pytest

from sixmax.cards.deck import as_cards
from sixmax.search import buckets, flop
from sixmax.search.flop_quality import report

RANKS = 6


@pytest.fixture(scope="module")
def made(clustered):
    opponents = buckets.opponents(clustered, buckets.preflop_of(clustered))
    cards = as_cards("AcTc9d", RANKS)

    def of(count):
        river = flop.river(cards, RANKS, opponents, count, 1)
        return river, flop.turn(cards, RANKS, river, flop.spread(river.of, river.label), count, 1)

    return of


def test_report__every_hand_is_counted_and_beats_its_baselines(made):
    found = report(*made(40), 1)
    for name, hands in (("river", 210 * 171), ("turn", 21 * 190)):
        part = found[name]
        assert part["buckets"] == 40
        assert part["empty"] == 0
        assert part["hands"]["total"] == hands
        assert part["hands"]["min"] <= part["hands"]["median"] <= part["hands"]["max"]
        distance = part["distance"]
        assert distance["within_bucket"] < 0.9 * distance["by_strength_alone"]
        assert distance["by_strength_alone"] < 0.6 * distance["random_buckets"]
        assert distance["random_buckets"] <= 1.01 * distance["one_bucket"]
        assert 0.9 < part["explained"] < 1


def test_report__more_buckets_are_better(made):
    few, more = report(*made(10), 1), report(*made(80), 1)
    for name in ("river", "turn"):
        assert (
            more[name]["distance"]["within_bucket"] < 0.7 * few[name]["distance"]["within_bucket"]
        )


def test_report__of_the_river_is_what_its_definition_says(made):
    river, turn = made(15)
    centroid = river.centroid[river.label].astype(float)
    each = np.sqrt(((river.ochs - centroid) ** 2).sum(axis=1)) / 65535
    expected = np.average(each, weights=river.of.weight)
    actual = report(river, turn, 1)["river"]["distance"]["within_bucket"]
    assert actual == pytest.approx(expected)
