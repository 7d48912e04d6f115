"""Whether a tree from elsewhere is sound: kernels index its arrays without looking."""

import numpy as np

from sixmax.betting.tree import (
    DECISION,
    FOLDED,
    SHOWDOWN,
    SIDEPOTS,
    Tree,
    kind_of,
    n_actions,
    round_of,
    seat_of,
)


def check_tree(tree: Tree) -> None:
    """Raise ValueError unless every number that leads to a place leads to one that exists.

    Children follow their parents and have one each; seats, rounds, columns of regrets and rows of
    chips lie in their arrays. The kinds are those of a whole game: it has no leaves.
    """
    node, nodes = tree.node, len(tree.node)
    if not nodes or node.shape != (nodes, 4) or not len(tree.parent) == len(tree.action) == nodes:
        raise ValueError("no nodes, or arrays of different lengths")
    rounds, seats = tree.columns.shape
    head, kind = node[:, 0], kind_of(node[:, 0])
    _all(np.isin(kind, (DECISION, FOLDED, SHOWDOWN, SIDEPOTS)), "an unknown kind of node")
    _all((head >= 0) & (seat_of(head) < seats), "a seat that there is not")
    _all(round_of(head) < rounds, "a round that there is not")
    _check_children(tree, np.flatnonzero(kind == DECISION))
    row = node[kind == SIDEPOTS, 1]
    _all((row >= 0) & (row < len(tree.contributed)), "side pots without a row")
    mask = node[np.isin(kind, (SHOWDOWN, SIDEPOTS)), 3]
    _all((mask > 0) & (mask < 1 << seats), "contenders that there are not")
    if len(tree.contributed) and tree.contributed.shape[1] != seats:
        raise ValueError("side pots of another number of seats")


def _check_children(tree: Tree, decision: np.ndarray) -> None:
    """The ``decision`` nodes part all nodes but the root among them, each after its parent."""
    node = tree.node[decision].astype(np.int64)
    head, first, slot = node[:, 0], node[:, 1], node[:, 2]
    n = n_actions(head)
    _all(n > 0, "a decision without actions")
    _all((first > decision) & (first + n <= len(tree.node)), "children that there are not")
    if n.sum() != len(tree.node) - 1:
        raise ValueError("nodes without a parent, or with two")
    child = np.repeat(first - np.cumsum(n) + n, n) + np.arange(n.sum())
    _all(tree.parent[child] == np.repeat(decision, n), "a child of another parent")
    if tree.parent[0] != -1:
        raise ValueError("a root with a parent")
    columns = tree.columns[round_of(head), seat_of(head)]
    _all((slot >= 0) & (slot + n <= columns), "an infoset outside of its columns")


def _all(holds: np.ndarray, otherwise: str) -> None:
    if not holds.all():
        raise ValueError(otherwise)
