"""A search starts from the blueprint, and hands that it never meets go on playing it."""

import numpy as np

from search.holdem import small_run
from search.test_searcher import CONFIG, on_the_flop, searcher
from sixmax.betting.rules import CALL
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.search.result import Position
from sixmax.search.subgame import PublicState, build
from sixmax.search.warm_start import warm_start


def flop_subgame(taken=(), stacks=None):
    run, policy = small_run()
    at = on_the_flop()
    root = at.rounds[-1].root
    state = PublicState(run.game, root, at.board, (CALL, CALL, CALL), tuple(taken))
    return run, policy, state, build(state, run.game.rounds, searcher().places, run.ranks, 5)


def test_warm_start__is_the_blueprint_where_the_trees_are_the_same():
    run, policy, state, subgame = flop_subgame()
    starts = warm_start(run, policy, searcher().places, subgame)
    at = on_the_flop()
    bucket = blueprint_buckets(run, state.board)
    expected = blueprint_rows(run, policy, at.node, bucket)
    first = starts[0]
    assert first.node == 0
    np.testing.assert_array_equal(first.rows, expected)
    assert all(len(subgame.tree.offered(p.node)) == p.rows.shape[1] for p in starts)
    assert len(starts) > 3


def test_warm_start__leaves_out_what_the_blueprint_does_not_offer():
    *_, subgame = flop_subgame()
    run, policy, _, more = flop_subgame(taken=(317,))  # an off-tree bet, so two sizes are offered
    starts = {p.node for p in warm_start(run, policy, searcher().places, more)}
    assert 0 not in starts
    assert len(more.tree.offered(0)) == len(subgame.tree.offered(0)) + 1
    assert starts


def test_search__of_a_hand_that_nobody_believes_in_plays_the_blueprint():
    run, policy, state, _ = flop_subgame()
    at = on_the_flop(config=CONFIG)
    beliefs = at.beliefs().copy()
    expected = blueprint_rows(run, policy, at.node, blueprint_buckets(run, state.board))
    never = int(np.abs(expected[:, 0] - 0.5 * (expected[:, 0] > 0)).argmax())  # a clear preference
    beliefs[:, never] = 0.0
    beliefs /= beliefs.sum(axis=1, keepdims=True)
    starts = searcher()(Position(state, beliefs), (), 3)
    play = starts.play(())
    assert not np.allclose(expected[never], 1 / expected.shape[1], atol=0.1)
    np.testing.assert_allclose(play.played[never], expected[never], atol=2 / 255)  # bytes
    np.testing.assert_allclose(play.believed[never], expected[never], atol=2 / 255)
    met = np.flatnonzero(beliefs[0])
    assert not np.allclose(play.played[met], expected[met], atol=0.1)
