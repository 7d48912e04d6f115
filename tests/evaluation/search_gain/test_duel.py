"""Whole hands of a searching player against copies of the blueprint."""

import functools

import numpy as np
import pytest

from search.holdem import SEARCH, small_run
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import biased
from sixmax.evaluation.search_gain.duel import Duellists, play, play_hand, protocol
from sixmax.evaluation.search_gain.fixed import fixed
from sixmax.games.holdem import deal_cards
from sixmax.search.searcher import Searcher

CONFIG = SEARCH.model_copy(
    update={
        "buckets": 0,
        "iterations": 200,
        "vector_iterations": [20, 20, 20, 50],
        "off_tree": None,
    }
)


@functools.cache
def how():
    run, _ = small_run()
    return protocol(run.game.seats, run.big_blind, "small")


def test_play__who_searches_and_finds_the_blueprint_wins_nothing():
    run, policy = small_run()

    searcher = fixed(run, policy)
    (result,) = play(run, policy, CONFIG, searcher, how(), 20, seed=3)
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        play(run, policy, CONFIG, searcher, how(), 1, seed=3)
    assert result.deals.total == result.deals.square == 0.0
    assert result.hands == 60


def test_play__same_seed_same_result_and_a_search_changes_it():
    run, policy = small_run()
    packed = pack(run.tree, run.layout, biased(policy, 5.0), 1)
    one, two = (
        play(run, policy, CONFIG, Searcher(run, policy, CONFIG, packed=packed), how(), 4, seed=3)[0]
        for _ in range(2)
    )
    assert one.deals == two.deals
    assert one.deals.square > 0


def test_play_hand__of_the_blueprint_alone_is_zero_sum():
    run, policy = small_run()
    for number in range(30):
        cards = deal_cards(1, number, run.game.seats, run.ranks)
        assert len(set(cards.tolist())) == len(cards)
        net, _ = play_hand(Duellists(run, policy, CONFIG, None, 1), cards, number, -1)
        assert abs(net.sum()) < 1e-9
        assert np.abs(net).sum() > 0
