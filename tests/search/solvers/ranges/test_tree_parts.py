"""A tree in parts, against a walk through the tree."""

import numpy as np
import pytest

from sixmax.betting.config import GameConfig
from sixmax.betting.tree import FOLDED, is_decision, kind_of, round_of, seat_of
from sixmax.betting.tree_build import build
from sixmax.search.solvers.ranges import tree_parts
from sixmax.search.solvers.ranges.tree_parts import DECISIONS, ENDS, PARTS, ROOTS, public


def tree_of(rounds):
    sizes = {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20, "max_players": 2}
    return build(
        GameConfig(stacks=[1000] * 2, blinds=[0, 0], antes=[10] * 2, first=[0] * rounds,
                   rounds=[sizes] * rounds)
    )  # fmt: skip


@pytest.fixture(scope="module", params=[1, 2, 3], ids=["river", "turn", "flop"])
def laid_out(request):
    """A tree and its parts, so small that those of the last round are cut."""
    tree = tree_of(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_parts, "_NODES", 20)
        parts = public(tree, (0, 1), request.param)
    assert not parts.dealt[1:].all()
    return tree, parts


def parts_of(parts):
    """By part: its decisions, its roots, the parts that follow, and the ends of both players."""
    for i, (first, last) in enumerate(zip(parts.first[:-1], parts.first[1:], strict=True)):
        ends = slice(first[ENDS], first[ENDS + 1]), slice(first[ENDS + 1], last[ENDS])
        yield (
            i, parts.decisions[first[DECISIONS] : last[DECISIONS]],
            parts.roots[first[ROOTS] : last[ROOTS]], range(first[PARTS], last[PARTS]), ends,
        )  # fmt: skip


def nodes_of(tree, parts):
    """By part: {slot: node}, found from the nodes of decisions and the roots."""
    result = [{} for _ in parts.round]
    result[0][0] = 0
    for i, decisions, _, following, _ in parts_of(parts):
        for slot, child, _, n, _, _, _, _, node in decisions.tolist():
            assert result[i][slot] == node
            result[i] |= {child + a: x for a, x in enumerate(tree.children(node))}
            assert len(tree.children(node)) == n
        for below in following:
            roots = parts.roots[parts.first[below, ROOTS] : parts.first[below + 1, ROOTS]]
            result[below] |= {slot: result[i][above] for slot, above in enumerate(roots[:, 0])}
    return result


def last_action(tree, node, player, stop):
    """The node after the player's last action on the way from ``stop`` to ``node``."""
    while node not in stop and tree.seat(tree.parent[node]) != player:
        node = int(tree.parent[node])
    return node


def test_public__every_node_has_its_place_once(laid_out):
    tree, parts = laid_out
    decided = parts.decisions[:, 8].tolist()
    assert sorted(decided) == tree.decision_nodes().tolist()
    nodes, ended = nodes_of(tree, parts), ([], [])
    for i, _, _, _, ends in parts_of(parts):
        for player, here in enumerate(ends):
            rows = parts.ends[here]
            shown = rows[:, 2] >= 0
            assert not (shown[1:] & ~shown[:-1]).any(), "those with a showdown come first"
            ended[player].extend(nodes[i][s] for s in rows[:, 1:].ravel().tolist() if s >= 0)
    over = np.flatnonzero(~is_decision(tree.node[:, 0])).tolist()
    assert sorted(ended[0]) == sorted(ended[1]) == over


def test_public__sources_are_the_players_last_actions(laid_out):
    tree, parts = laid_out
    nodes = nodes_of(tree, parts)
    for i, decisions, roots, following, ends in parts_of(parts):
        stop = {nodes[i][slot] for slot in range(len(roots))}
        for *_, first, second, node in decisions.tolist():
            for player, source in enumerate((first, second)):
                assert nodes[i][source] == last_action(tree, node, player, stop)
        for below in following:
            for slot, *sources in parts.roots[parts.first[below, 1] : parts.first[below + 1, 1]]:
                for player, source in enumerate(sources):
                    assert nodes[i][source] == last_action(tree, nodes[i][slot], player, stop)
        for player, here in enumerate(ends):
            for source, *slots in parts.ends[here].tolist():
                for slot in slots:
                    if slot >= 0:
                        reached = last_action(tree, nodes[i][slot], 1 - player, stop)
                        assert nodes[i][source] == reached


def test_public__chips_of_a_fold_and_of_a_showdown(laid_out):
    tree, parts = laid_out
    nodes = nodes_of(tree, parts)
    for i, _, _, _, ends in parts_of(parts):
        for player, here in enumerate(ends):
            for (_, fold, show), chips in zip(parts.ends[here], parts.stake[here], strict=True):
                if fold >= 0:
                    head, won, lost = (int(k) for k in tree.node[nodes[i][fold], :3])
                    gain = won - lost
                    assert kind_of(head) == FOLDED
                    assert chips[0] == (gain if seat_of(head) == player else -gain)
                if show >= 0:
                    assert chips[1:].tolist() == [0, tree.node[nodes[i][show], 2]]


def test_public__parts_are_of_a_round_and_follow_each_other(laid_out):
    tree, parts = laid_out
    for i, decisions, _, following, _ in parts_of(parts):
        assert (round_of(tree.node[decisions[:, 8], 0]) == parts.round[i]).all()
        assert all(below > i for below in following)
    assert parts.first[-1, PARTS] == len(parts.round)
