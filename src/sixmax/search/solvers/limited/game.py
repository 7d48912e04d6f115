"""The game that the solver takes: a betting round of two players and the values of its ends."""

from typing import NamedTuple

import numpy as np

from sixmax.betting.tree import DECISION, FOLDED, LEAF, Tree, kind_of, seat_of
from sixmax.search.solvers.limited.hands import BoardHands
from sixmax.search.solvers.ranges.tree_parts import chips_at
from sixmax.search.subgame import leaf_nodes

PLAYERS = (0, 1)  # and their seats


class Round(NamedTuple):
    """A betting round and its ends.

    node, first               as :mod:`sixmax.cfr.full.public_tree` wants them
    hands: BoardHands
    folds: int64[f]           nodes where a player has folded
    kept: float64[2, f]       net chips of each player there
    shown: int64[s]           nodes where all chips are in
    tie, win: float64[2, s]   net chips of a tie, and the gain of a win over it
    lead: float32[n, n]       as :func:`sixmax.search.solvers.limited.hands.edges` gives it
    leaves: int64[l]          nodes with values of their own
    tables: float64[2, l, C, C]  net chips of each player at a leaf: [the other's class, its own]
    """

    node: np.ndarray
    first: np.ndarray
    hands: BoardHands
    folds: np.ndarray
    kept: np.ndarray
    shown: np.ndarray
    tie: np.ndarray
    win: np.ndarray
    lead: np.ndarray
    leaves: np.ndarray
    tables: np.ndarray


def betting_round(tree: Tree, hands: BoardHands, lead: np.ndarray, tables: np.ndarray) -> Round:
    """The game of ``tree``, of one round; ``lead`` and ``tables`` are those of :class:`Round`."""
    kind = kind_of(tree.node[:, 0])
    leaves = leaf_nodes(tree)
    ends = (kind != DECISION) & (kind != LEAF)
    folds, shown = np.flatnonzero(ends & (kind == FOLDED)), np.flatnonzero(ends & (kind != FOLDED))
    chips = np.array([
        [chips_at(tree, int(x), PLAYERS, p) for x in (*folds, *shown)] for p in PLAYERS
    ]).reshape(2, -1, 2)  # fmt: skip
    kept = np.ascontiguousarray(chips[:, : len(folds), 0])
    tie, win = (np.ascontiguousarray(chips[:, len(folds) :, k]) for k in (0, 1))
    first = np.where(kind == DECISION, _first_rows(tree), -1)
    return Round(tree.node, first, hands, folds, kept, shown, tie, win, lead, leaves, tables)


def _first_rows(tree: Tree) -> np.ndarray:
    """The first row of each decision, those of seat 0 before those of seat 1: int64[nodes]."""
    head, slot = tree.node[:, 0], tree.node[:, 2].astype(np.int64)
    return slot + np.where(seat_of(head) == 1, tree.columns[0, 0], 0)
