"""Branches grafted onto trees, and spliced into a run."""

import numpy as np
import pytest

from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.betting.config import RoundSizes
from sixmax.betting.rules import apply, begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import WHOLE, build, build_from
from sixmax.cfr.layout import layout
from sixmax.studies.improve.branch import solve
from sixmax.studies.improve.overlay import graft, restrict, spliced
from studies.improve.small import RAISE, policy_rows

LIMP = (0,)


def after(game, taken, raise_to):
    """The tree from the decision after ``taken`` on, with ``raise_to`` there too."""
    hand = begin(game)
    for action in taken:
        apply(hand, action)
    return build_from(hand, sizes(game), WHOLE._replace(taken=np.array([raise_to], np.int64)))


def with_bet(tree, game, taken, raise_to):
    branch = after(game, taken, raise_to)
    return graft(tree, tree.find(taken), branch, branch.find([raise_to]))


def test_graft__equals_the_tree_of_a_game_that_has_the_bet():
    """A size of the first raise is offered first in, and to the big blind after a limp."""
    game = small_run(2)[0].game
    sizes = RoundSizes(sizes=[[0.5, 1], ["A"]], max_raises=2, max_players=2)
    larger = game.model_copy(update={"rounds": [sizes, *game.rounds[1:]]})
    tree = with_bet(build(game), game, (), 200).tree
    tree = with_bet(tree, game, LIMP, 200).tree
    expected = build(larger)
    for name in Tree._fields:
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), name)


def test_graft__tells_where_each_node_comes_from():
    game = small_run(2)[0].game
    tree, branch = build(game), after(game, (), 250)
    result = graft(tree, 0, branch, branch.find([250]))
    old, new = result.origin
    assert ((old >= 0) != (new >= 0)).all()
    assert sorted(old[old >= 0]) == list(range(len(tree.node)))
    for x in range(len(result.tree.node)):
        source, at = (tree, old[x]) if old[x] >= 0 else (branch, new[x])
        assert result.tree.path(x) == source.path(int(at))


def test_restrict__leaves_just_the_actions_named():
    game = small_run(2)[0].game
    branch = after(game, (), 250)
    tree = restrict(branch, [-1, 0, 250]).tree
    assert tree.offered(0) == [-1, 0, 250]
    below = len(branch.node) - 1 - _size(branch, branch.find([300]))
    assert len(tree.node) == 1 + below


def _size(tree, node):
    return 1 + sum(_size(tree, child) for child in tree.children(node))


def test_graft__of_a_bet_that_is_there_or_after_the_end_is_refused():
    game = small_run(2)[0].game
    tree, branch = build(game), after(game, (), 250)
    with pytest.raises(UserError, match="raise to 300: the tree has it there"):
        graft(tree, 0, branch, branch.find([300]))
    with pytest.raises(UserError, match="the hand is over there"):
        graft(tree, tree.find([-1]), branch, branch.find([250]))


def test_spliced__two_branches_at_two_decisions(trained):
    policy = trained.policy("blueprint")
    bets = [((), 600), ((0,), 700)]
    branches = [
        (after, solve(trained, policy, after, chips, False, 400, 1)) for after, chips in bets
    ]
    tree, larger = spliced(trained, policy, branches)
    other, same = spliced(trained, policy, branches[::-1])
    np.testing.assert_array_equal(tree.node, other.node)
    np.testing.assert_array_equal(larger, same)
    assert larger.size > policy.size


def test_spliced__a_row_that_was_never_trained_stays_uniform_without_the_bet(trained):
    policy = trained.policy("blueprint").copy()
    policy[:] = 0
    branch = solve(trained, policy, (), RAISE, False, 400, 1)
    tree, larger = spliced(trained, policy, [((), branch)])
    better = trained._replace(tree=tree, layout=layout(tree, list(trained.layout.buckets)))
    rows = policy_rows(better, larger, 0)  # fold, call, 300, 600
    assert (rows[:, :-1] == 85).all()
    assert not rows[:, -1].any()
