"""The gain of nested solving, by rounds and by whole hands."""

import numpy as np

from search.holdem import NESTED as CONFIG
from search.holdem import nested_searcher as searcher
from search.holdem import small_run, with_player
from sixmax.evaluation.search_gain.one_round import enter, spots
from sixmax.evaluation.search_gain.stage import NumberedHands, one_round, whole
from sixmax.evaluation.search_gain.whole_hands import Measurement, gains
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache


def test_one_round__solves_nested_subgames_of_each_seat():
    run, policy = small_run(2)
    counted = {}
    for nested in ("none", "resolve"):
        few = CONFIG.model_copy(update={"vector_iterations": [10] * 4, "first": 3})
        config = with_player(few, nested=nested)
        cache = SearchCache(searcher(config))
        record = one_round(Measurement(run, policy, 20), config, cache, NumberedHands(6, 3))
        counted[nested] = record["searches"]
        if nested != "none":
            fresh = SearchCache(searcher(config))
            expected = whole(Measurement(run, policy, 20), config, fresh, NumberedHands(6, 3))
            assert record["won"]["last"] == expected["won"]["river"]
            assert any(record["won"]["last"])
    assert counted["resolve"] > 2 * counted["none"] > 0


def test_gains__of_nested_solving_search_after_each_bet_and_win():
    """Over a blueprint drawn at random, on turn and river, by the seats in turn."""
    run, policy = small_run(2)
    config = CONFIG.model_copy(update={"vector_iterations": [60] * 4})
    won, counted = [], []
    for nested in ("none", "resolve"):
        asked = with_player(config, nested=nested)
        cache = SearchCache(searcher(asked))
        places = (spot for _, spot in spots(run, policy, 2, 3) if spot is not None)
        hands = [enter(PublicHand(run, policy, asked, cache, seed=k), next(places)) for k in (1, 2)]
        rows = [
            gains(Measurement(run, policy, 20), hand, p, 5)[0] for hand in hands for p in (0, 1)
        ]
        won.append(np.mean(rows, axis=0))
        counted.append(cache.searches)
    assert (np.array(won)[:, :2] == 0).all()
    assert (np.array(won).sum(axis=1) > 20).all()  # chips, of pots of 200 and more
    assert counted[1] > 2 * counted[0]
