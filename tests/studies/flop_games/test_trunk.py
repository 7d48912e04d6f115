"""Depth-limited solving by class: the CFR of listed pairs, and its best responses."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.betting.tree import LEAF, is_decision, kind_of, n_actions, seat_of
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.layout import entries, layout, slabs
from sixmax.search.constraints import Alternative
from sixmax.studies.flop_games import trunk
from studies.flop_games.small import game
from studies.modicum.small import game as wide

CHOICES = 3


@pytest.fixture(scope="module")
def values():
    """Values like those of leaves: chips times the probability of two classes."""
    rng = np.random.default_rng(5)
    shape = CHOICES, len(game().roots), *game().cards.share.shape
    return rng.normal(0, 300, shape) * game().cards.share


@pytest.fixture(scope="module")
def top(values):
    return trunk.trunk(game(), 0, 0, game().roots, values)


def listed(top, values):
    """The trunk where every pair of classes is a deal: layout and field."""
    of, tree = game(), top.part.tree
    classes = len(of.cards.share)
    infosets = layout(tree, [classes, classes])
    pairs = np.argwhere(of.cards.share > 0)
    chance = of.cards.share[of.cards.share > 0]
    payoff = np.zeros((2, len(tree.node), len(pairs)))
    lead, walk = of.cards.lead, of.walk(np.zeros(0), 0)
    for x in np.flatnonzero(~is_decision(tree.node[:, 0])):
        origin = int(top.part.origin[x])
        if kind_of(tree.node[x, 0]) == LEAF:
            table = values[top.part.chosen[x, 0], of.roots.index(origin)]
        else:
            chips, shown = walk.stake(origin)
            table = chips * (lead if shown else of.cards.share)
        payoff[0, x] = table[tuple(pairs.T)] / chance
    payoff[1] = -payoff[0]
    bucket = np.repeat(pairs.T[:, None], 2, axis=1)
    return infosets, Field(tree.node, slabs(infosets, bucket), payoff, chance)


def test_solve__is_cfr_of_all_pairs_of_classes(top, values):
    infosets, field = listed(top, values)
    iterations = 30
    expected = solve_field(field, top.part.tree, infosets, iterations)[iterations].average
    actual = trunk.solve(game(), top, iterations).strategy()
    for x in top.part.tree.decision_nodes():
        rows = expected[entries(top.part.tree, infosets, int(x))].T
        first = top.round.first[x]
        np.testing.assert_allclose(actual[first : first + len(rows)], rows, atol=1e-4)


def test_trunk__only_the_opponent_chooses_at_leaves(top):
    tree = top.part.tree
    leaves = kind_of(tree.node[:, 0]) == LEAF
    assert leaves.sum() == CHOICES * len(game().roots)
    choosing = np.unique(tree.parent[leaves])
    assert set(seat_of(tree.node[choosing, 0]).tolist()) == {0}
    assert len(choosing) == len(game().roots)


def test_trunk__refuses_more_choices_than_a_leaf_holds(values):
    many = np.concatenate([values] * 6)
    with pytest.raises(UserError, match="wanted 1 to 16"):
        trunk.trunk(game(), 0, 0, game().roots, many)


def test_trunk__each_choice_at_each_leaf_has_values_of_its_own():
    """Sixteen choices at so many leaves that a byte does not number them."""
    of, classes = wide(), len(wide().cards.share)
    leaves, rng = len(of.roots), np.random.default_rng(2)
    assert 16 * leaves > 127
    values = rng.random((16, leaves, classes, classes))
    top = trunk.trunk(of, 0, 0, of.roots, values)
    ends = np.flatnonzero(kind_of(top.part.tree.node[:, 0]) == LEAF)
    assert len(ends) == 16 * leaves
    for i, x in enumerate(ends):
        expected = values[top.part.chosen[x, 0], of.roots.index(int(top.part.origin[x]))]
        met = of.cards.share > 0
        actual = -top.round.tables[1, i] * of.cards.share
        np.testing.assert_allclose(actual[met], expected[met], atol=1e-12)


def test_best__chooses_the_best_leaf_and_action_for_each_class(top):
    solver, tree = trunk.solve(game(), top, 20), top.part.tree
    value = trunk.best(solver, 0)
    for x in tree.decision_nodes():
        head, child = (int(n) for n in tree.node[x, :2])
        below = value[child : child + n_actions(head)]
        if seat_of(head) == 0:
            np.testing.assert_allclose(value[x], below.max(axis=0))


def test_best__nobody_gains_by_much_after_many_iterations(top):
    share, solver = game().cards.share.sum(axis=1), trunk.solve(game(), top, 1000)
    gain = sum(trunk.best(solver, seat)[0] @ share for seat in (0, 1))
    assert 0 <= gain < 0.01  # chips a hand: .0028; uniform play 254, ten iterations 16


def test_solve__a_better_alternative_keeps_the_opponent_out(top):
    """With the gadget our strategy gives no class more than its alternative, if it can."""
    of = game()
    share = of.cards.share.sum(axis=1)
    free = trunk.best(trunk.solve(of, top, 1000), 0)[0]
    outside = Alternative(0, free[of.cards.of_hole])
    safe = trunk.best(trunk.solve(of, top, 1000, alternative=outside), 0)[0]
    assert (np.maximum(safe - free, 0) @ share) < 0.5  # chips a hand
