import numpy as np
import pytest

from search.holdem import HOLES, RANKS, small_run
from sixmax.base.errors import UserError
from sixmax.blueprint.config import BlueprintConfig
from sixmax.cards.deck import class_names
from sixmax.cfr.layout import entries, layout
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.studies.improve.branch import beliefs, solve
from sixmax.studies.improve.overlay import spliced
from studies.improve.small import SCHEDULE
from threads import same_on_two_threads


@pytest.fixture
def run():
    schedule = BlueprintConfig.parse(SCHEDULE, "blueprint")
    return small_run(2)[0]._replace(schedule=schedule), small_run(2)[1]


def rows(run, branch, node):
    """The policy of all buckets at a node of the first round: float64[buckets, actions]."""
    places = layout(branch.tree, list(run.layout.buckets))
    return branch.policy[entries(branch.tree, places, node)] / 255


def test_beliefs__are_the_products_of_own_actions(run):
    run, policy = run
    node, bucket = run.tree.find((300, 2000)), blueprint_buckets(run, np.empty(0, np.int8))
    actual = beliefs(run, policy, node)
    for seat, (taken, action) in enumerate([((), 300), ((300,), 2000)]):
        at = run.tree.find(taken)
        offered = run.tree.offered(at)
        reach = blueprint_rows(run, policy, at, bucket)[:, offered.index(action)]
        np.testing.assert_allclose(actual[seat], reach / reach.sum())
    assert actual.shape == (2, HOLES)


def test_solve__answers_a_jam_by_the_strength_of_the_hand(run):
    """All-in by the small blind, first in: the best pair calls, the weakest hand folds."""
    run, policy = run
    branch = solve(run, policy, (), 2000, False, 40_000, 1)
    offered = branch.tree.offered(0)
    assert offered == [-1, 0, 2000]
    answer = rows(run, branch, branch.root)  # fold, call
    names = list(class_names(RANKS))
    assert answer[names.index("AA"), 1] > 0.95
    assert answer[:, 1].argmin() in [i for i, name in enumerate(names) if name[0] != name[1]]
    assert answer[:, 1].min() < 0.3


def test_solve__believes_that_both_played_the_blueprint_before(run):
    """Over a raise that aces alone made, fewer hands go on than over one of any hand."""
    run, policy = run
    narrow = policy.copy()
    names, node = list(class_names(RANKS)), run.tree.find(())
    offered = run.tree.offered(node)
    for name, at in zip(names, entries(run.tree, run.layout, node), strict=True):
        narrow[at] = 0
        narrow[at[offered.index(300 if name == "AA" else -1)]] = 255
    wide, tight = (solve(run, p, (300,), 900, False, 20_000, 1) for p in (policy, narrow))
    held = beliefs(run, narrow, run.tree.find((300,)))
    seat = run.tree.seat(node)
    assert (held[seat] > 0).sum() == 6  # the ways to hold aces
    answers = rows(run, tight, 0)  # the big blind, at its decision after 300: fold, call, 900
    assert answers[:, 0].mean() > rows(run, wide, 0)[:, 0].mean() + 0.2


def test_solve__default_bet_is_the_commonest_of_the_games_own(run):
    """An improved run, whose tree has 600 from an earlier evening, is improved by 700."""
    run, policy = run
    first = solve(run, policy, (), 600, True, 400, 1)
    tree, larger = spliced(run, policy, [((), first)])
    better = run._replace(tree=tree, layout=layout(tree, run.dealer.buckets))
    branch = solve(better, larger, (), 700, True, 400, 1)
    assert branch.tree.offered(0) == [-1, 0, 300, 700]


@pytest.mark.parametrize(
    ("balanced", "expected"), [(False, [-1, 0, 800]), (True, [-1, 0, 300, 800])]
)
def test_solve__has_the_default_bet_beside_it_where_balanced(run, balanced, expected):
    run, policy = run
    branch = solve(run, policy, (), 800, balanced, 400, 1)
    assert branch.tree.offered(0) == expected
    assert int(branch.tree.action[branch.root]) == 800


def test_solve__same_bits_on_two_threads(run):
    run, policy = run
    same_on_two_threads(lambda _: solve(run, policy, (), 800, True, 2000, 7).policy)


def test_solve__a_bet_of_the_tree_is_refused(run):
    with pytest.raises(UserError, match="raise to 300: the tree has it there"):
        solve(*run, (), 300, True, 400, 1)
