"""A policy in the place of a search: it plays its rows, and stays in the run's tree."""

import numpy as np

from search.holdem import small_run
from sixmax.betting.rules import CALL
from sixmax.cards.deck import as_cards, holds
from sixmax.cfr.postprocess import parse, postprocess
from sixmax.evaluation.search_gain.round_tree import FixedStrategy


def purified(run, policy):
    return postprocess(run.tree, run.layout, policy, parse("blueprint-purified")[1])


def test_fixed_strategy__plays_its_policy_with_every_hole():
    """Another way to the rows of the purified policy: the likeliest actions of the blueprint's."""
    run, policy = small_run()
    before, board = (CALL, CALL, CALL), as_cards("AhKd9c", run.ranks)
    likely = FixedStrategy(run, policy, board, before).play(()).rows
    actual = FixedStrategy(run, purified(run, policy), board, before).play(()).rows
    expected = np.zeros_like(likely)
    expected[np.arange(len(likely)), likely.argmax(axis=1)] = 1.0
    expected[holds(board, run.ranks)] = 0.0
    np.testing.assert_array_equal(actual, expected)
    assert len(np.unique(likely.argmax(axis=1))) > 1


def test_fixed_strategy__covers_the_tree_alone():
    run, policy = small_run()
    before = (CALL, CALL, CALL)  # three players, before the flop
    board = as_cards("AhKd9c", run.ranks)
    strategy = FixedStrategy(run, policy, board, before)
    assert strategy.covers(())
    assert not strategy.covers((12_345,))
    offered, rows = strategy.play(())
    assert offered[0] == CALL
    np.testing.assert_allclose(rows.sum(axis=1), ~holds(board, run.ranks))
