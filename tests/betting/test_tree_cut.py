"""Subgames as cut out of a tree: nodes, leaves, choices."""

import numpy as np
import pytest

from search.solvers.small_games import leduc
from sixmax.base.errors import UserError
from sixmax.betting import rules, sizing, tree_build, tree_cut
from sixmax.betting.tree import CHOICE, LEAF, is_decision, kind_of, round_of
from sixmax.games import GAMES


def at_round(tree, first):
    return lambda node: round_of(tree.node[node, 0]) >= first


def choices_of(cut_tree):
    """Own nodes where a continuation is chosen."""
    head = cut_tree.tree.node[:, 0]
    at_leaf = np.isin(cut_tree.origin, cut_tree.leaves)
    return np.flatnonzero(at_leaf & is_decision(head))


def test_cut__without_leaves_is_the_tree_itself():
    tree = leduc().tree
    result = tree_cut.cut(tree, 0, lambda node: False, 4)
    assert result.leaves == ()
    assert sorted(result.origin.tolist()) == list(range(len(tree.node)))
    assert np.array_equal(result.tree.columns, tree.columns)
    assert np.array_equal(result.tree.decisions, tree.decisions)
    for x, old in enumerate(result.origin.tolist()):
        assert result.tree.path(x) == tree.path(old)
        assert result.tree.node[x, 0] == tree.node[old, 0]


def test_cut__node_and_state_agree_at_every_leaf():
    """The betting that leads to a leaf is that of its node in the whole tree; then choices."""
    tree = leduc().tree
    result = tree_cut.cut(tree, 0, at_round(tree, 1), 4)
    ends = np.flatnonzero(kind_of(result.tree.node[:, 0]) == LEAF)
    assert len(result.leaves) == 5  # kk, kbc, kbrc, bc, brc
    assert len(ends) == 5 * 4**2
    for x in ends:
        assert result.tree.path(x) == tree.path(result.origin[x]) + [
            CHOICE - c for c in result.chosen[x]
        ]
    for leaf in result.leaves:
        hit = {tuple(result.chosen[x]) for x in ends if result.origin[x] == leaf}
        assert len(hit) == 16


def test_cut__choices_are_made_in_the_round_of_the_last_action_and_unseen():
    tree = leduc().tree
    result = tree_cut.cut(tree, 0, at_round(tree, 1), 4)
    nodes = choices_of(result)
    assert len(nodes) == 5 * (1 + 4)
    assert (round_of(result.tree.node[nodes, 0]) == 0).all()
    rows = {(int(result.origin[x]), *result.tree.node[x, [0, 2]].tolist()) for x in nodes}
    assert len(rows) == 5 * 2  # one for each leaf and player, whatever the other chose
    assert result.tree.columns.sum() == tree.columns[0].sum() + 5 * 2 * 4
    for x in range(len(result.tree.node)):
        assert all(result.tree.parent[c] == x for c in result.tree.children(x))


def test_cut__who_has_folded_does_not_choose():
    tree = leduc(3).tree
    result = tree_cut.cut(tree, 0, at_round(tree, 1), 2)
    numbers = set()
    for x in np.flatnonzero(kind_of(result.tree.node[:, 0]) == LEAF):
        left = tree.players_left(int(result.origin[x]))
        assert [p for p in range(3) if result.chosen[x, p] >= 0] == left
        numbers.add(len(left))
    assert numbers == {2, 3}


def test_cut__below_a_root_only():
    tree = leduc().tree
    root = tree_cut.cut(tree, 0, at_round(tree, 1), 1).leaves[0]
    result = tree_cut.cut(tree, root, lambda node: False, 4)
    assert result.origin[0] == root
    assert result.tree.columns[0].sum() == 0
    assert tree.path(int(result.origin[-1]))[: len(tree.path(root))] == tree.path(root)


def test_cut__after_so_many_actions():
    tree = leduc().tree
    result = tree_cut.cut(tree, 0, lambda node: len(tree.path(node)) >= 1, 1)
    assert result.leaves == tuple(tree.children(0))


@pytest.mark.parametrize(
    ("seats", "choices", "choosers"), [(2, 4, 7), (3, 4, 7), (3, 1, 7), (3, 5, 0b101), (2, 3, 0)]
)
def test_cut__has_the_nodes_that_real_search_builds(seats, choices, choosers):
    """Node by node, whatever their order: the betting, the head, and who shares a slot."""
    game, tree = GAMES["leduc"].config(seats), leduc(seats).tree
    scope = tree_build.WHOLE._replace(rounds=1, choices=choices, choosers=choosers)
    built = tree_build.build_from(rules.begin(game), sizing.sizes(game), scope)
    result = tree_cut.cut(tree, 0, at_round(tree, 1), choices, choosers).tree
    assert sorted(described(built)) == sorted(described(result))
    assert np.array_equal(built.columns, result.columns[:1])


def described(tree):
    shared = {}
    for x in tree.decision_nodes():
        key = (tree.seat(x), int(tree.node[x, 2]))
        shared.setdefault(key, []).append(tuple(tree.path(x)))
    groups = {p: min(paths) for paths in shared.values() for p in paths}
    return [
        (tree.path(x), int(tree.node[x, 0]), groups.get(tuple(tree.path(x))))
        for x in range(len(tree.node))
    ]


def test_cut__of_more_continuations_than_a_record_holds():
    tree = leduc().tree
    with pytest.raises(UserError, match="continuations: found 17, wanted 1 to 16 with 2 seats"):
        tree_cut.cut(tree, 0, at_round(tree, 1), 17)
