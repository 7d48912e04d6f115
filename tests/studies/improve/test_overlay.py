"""Branches spliced into the tree of a run."""

import numpy as np

from sixmax.cfr.layout import layout
from sixmax.studies.improve.branch import solve
from sixmax.studies.improve.overlay import spliced
from studies.improve.small import RAISE, policy_rows


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
