"""A flop of two players in play: where its search ends, who chooses, and a bet off the tree."""

import numpy as np
import pytest

from search.holdem import SEARCH, leaves, on, small_run, with_player
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree import CHOICE, is_decision, n_actions
from sixmax.cfr.methods import DCFR_EXACT
from sixmax.continuation.generate import biased
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.limited.solver import LimitedSolver, _by_hole, round_game, solve
from sixmax.search.solvers.problem import quiet

pytestmark = pytest.mark.usefixtures("one_thread")
FLOP = "AhKd9c"
CONFIG = with_player(SEARCH, limited=(1,), choosers="opponents").changed(
    buckets=0, roll_outs=300, vector_iterations=[30, 30, 1000, 50]
)


def limited_flop(seat=1, begin=quiet, config=CONFIG, **fields):
    """The flop of two players who called, before its first action; ``fields`` of the player."""
    config = with_player(config, **fields)
    run, policy = small_run(2)
    own = Searcher(run, policy, config, begin, leaves(2).packed, biased(policy, 5.0))
    return on(PublicHand(run, policy, config, own, seed=7, seat=seat), CALL, CALL, FLOP)


@pytest.mark.parametrize("seat", [0, 1])
def test_search__two_players_end_with_the_flop_and_the_opponent_alone_chooses(seat):
    at = limited_flop(seat)
    play, result = at.play(), at.search()
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)
    assert len(result.tree.columns) == 1
    assert result.iterations == 30
    tree = result.tree
    choices = [x for x in tree.decision_nodes() if tree.action[tree.node[x, 1]] <= CHOICE]
    assert len(choices) == 3  # after two checks, a bet of each
    assert {tree.seat(x) for x in choices} == {1 - seat}
    assert {n_actions(int(tree.node[x, 0])) for x in choices} == {4}
    assert np.isfinite(result.values_at(0)[:, 40]).all()
    assert play.rows[:, 1].std() > 0.05, "hands that differ play alike"
    with pytest.raises(ValueError, match="no strategies of later rounds"):
        result.after(int(tree.node[0, 1]), 20)


def test_solve__is_the_solver_alone_with_the_exponents_for_all_hands():
    at = limited_flop()
    problem = at._searcher.problem(at.position(), (), 7)
    solver = LimitedSolver(round_game(problem, 300), problem.beliefs, DCFR_EXACT).run(30)
    expected = _by_hole(problem.subgame, solver.game, solver.strategy())
    assert np.array_equal(solve(problem, CONFIG).average, expected)


def test_search__one_value_is_the_first_continuation():
    head = limited_flop(leaf_values=1).search().tree.node[:, 0]
    assert set(n_actions(head[is_decision(head)])) == {1, 2}
    with pytest.raises(UserError, match="has 9 values at a leaf, and the run 4 continuations"):
        limited_flop(leaf_values=9).search()


def test_search__a_bet_off_the_tree_gets_a_subgame_of_its_own():
    assert on(limited_flop(0, nested="resolve"), CALL).search().links[0].begin == 0
    at = on(limited_flop(0, nested="resolve"), 217)
    play, links = at.play(), at.search().links
    assert [link.begin for link in links] == [0, 1]
    folded = links[1].solved.tree.find((FOLD,))
    assert links[1].solved.tree.node[folded, 1] == 200 + 117  # the pot, the bet in it
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)


def test_search__the_turn_after_a_nested_flop_is_solved_from_its_start_by_beliefs():
    at, positions = limited_flop(0, nested="resolve", exact_from=2), []
    searcher = at._searcher
    at._searcher = lambda position, *rest: positions.append(position) or searcher(position, *rest)
    on(at, CALL, 217, 600, CALL, "Td")
    assert at.play().offered[0] == CALL
    assert [link.begin for link in at.search().links] == [0]
    before, turn = positions[-2:]
    assert before.alternative is not None
    assert turn.alternative is None
    np.testing.assert_allclose(turn.beliefs, at.beliefs())


def test_search__the_turn_begins_a_search_to_the_end():
    at = on(limited_flop(0), CALL, CALL, "Td")
    assert len(at.search().tree.columns) == 2
