"""Betting trees put together: a decision with fewer actions, or one more and its branch."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.tree import SIDEPOTS, Tree, is_decision, kind_of
from sixmax.betting.tree_cut import TreeWriter


class Grafted(NamedTuple):
    """A new tree, and the nodes of the old ones that it is made of.

    origin: int32[sources, nodes]: the node of each source, or -1; a node is of one source
    """

    tree: Tree
    origin: np.ndarray


class _Child(NamedTuple):
    action: int
    source: int  # number of the tree that goes on below
    node: int


def restrict(tree: Tree, actions: Sequence[int]) -> Grafted:
    """``tree`` whose root offers just ``actions``, of those that it has."""
    return _assembled((tree,), 0, [child for child in _below(tree, 0) if child.action in actions])


def graft(tree: Tree, node: int, branch: Tree, root: int) -> Grafted:
    """``tree`` where decision ``node`` has one action more, the one that leads to ``root`` of
    ``branch``. All that follows it there follows it here.

    Both trees number rounds and seats alike. Raises UserError where ``node`` is no decision or has
    the action.
    """
    if not tree.is_decision(node):
        raise UserError(f"node {node}: the hand is over there, wanted a decision")
    below, action = _below(tree, node), int(branch.action[root])
    if action in [child.action for child in below]:
        raise UserError(f"raise to {action}: the tree has it there; wanted one that it lacks")
    return _assembled((tree, branch), node, sorted([*below, _Child(action, 1, root)]))


def _below(tree: Tree, node: int, source: int = 0) -> list[_Child]:
    return [_Child(int(tree.action[child]), source, child) for child in tree.children(node)]


def _assembled(sources: tuple[Tree, ...], changed: int, below: list[_Child]) -> Grafted:
    """The first of ``sources``, with ``below`` as the part that follows decision ``changed``.

    Nodes are numbered depth first, as in every tree (:mod:`sixmax.betting.tree`).
    """
    room = sum(len(tree.node) for tree in sources)
    new, todo = TreeWriter(sources[0], room), [(0, 0, 0)]  # new node; source and node there
    origin = np.full((len(sources), room), -1, np.int32)
    while todo:
        at, source, old = todo.pop()
        origin[source, at] = old
        head, _, _, chips = (int(n) for n in sources[source].node[old])
        if kind_of(head) == SIDEPOTS:
            raise UserError("the tree has side pots: wanted two players of equal stacks")
        if not is_decision(head):
            new.node[at] = sources[source].node[old]
            continue
        own = (source, old) == (0, changed)
        offered = below if own else _below(sources[source], old, source)
        block = new.decision(at, head, [child.action for child in offered], chips)
        steps = [(x, c.source, c.node) for x, c in zip(block, offered, strict=True)]
        todo += reversed(steps)
    return Grafted(new.tree(), origin[:, : new.size].copy())
