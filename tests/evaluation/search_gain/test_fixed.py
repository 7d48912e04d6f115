"""A policy in the place of the search: the gain of the blueprint over itself and of others."""

import numpy as np

from evaluation.search_gain.fakes import Same, finds
from search.holdem import SEARCH, small_run
from sixmax.cards.deck import as_cards, holds
from sixmax.cfr.postprocess import parse, postprocess
from sixmax.evaluation.search_gain.fixed import FixedStrategy, fixed
from sixmax.evaluation.search_gain.stage import whole
from sixmax.game.rules import CALL
from sixmax.search.agent import SearchCache


def gained(searcher, policy):
    run, _ = small_run()
    record = whole(run, policy, SEARCH, SearchCache(searcher), 12, 40, 5)
    return np.array(record["won"]["all"])


def test_gain__of_the_blueprint_over_itself_is_nothing():
    run, policy = small_run()
    assert not gained(fixed(run, policy), policy).any()


def test_gain__of_another_policy_is_that_of_a_search_that_finds_it():
    run, policy = small_run()
    pure = postprocess(run.tree, run.layout, policy, parse("blueprint-purified")[1])
    actual = gained(fixed(run, pure), policy)
    np.testing.assert_array_equal(actual, gained(finds(Same, run, pure), policy))
    assert actual.any()


def test_fixed_strategy__covers_the_tree_alone():
    run, policy = small_run()
    before = (CALL, CALL, CALL)  # three players, before the flop
    board = as_cards("AhKd9c", run.ranks)
    strategy = FixedStrategy(run, policy, board, before)
    assert strategy.covers(())
    assert not strategy.covers((12_345,))
    offered, played, _ = strategy.play(())
    assert offered[0] == CALL
    np.testing.assert_allclose(played.sum(axis=1), ~holds(board, run.ranks))
