"""The public betting tree as flat arrays: of a whole game, or of a part of one.

The children of a node are contiguous, in the order fold, call, raises ascending; a block of
children is allocated when its parent is expanded, depth first. A part of a game begins with any
hand and may end in leaves, where players choose how it goes on
(:mod:`sixmax.betting.leaf_choices`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import formula, njit, read_only
from sixmax.betting.config import GameConfig, positions
from sixmax.betting.rules import CALL, FOLD, apply, begin

DECISION, FOLDED, SHOWDOWN, SIDEPOTS, LEAF = range(5)  # kinds of node; LEAF in subgames only
FOLDABLE = 1 << 20  # in the head of a DECISION: its first action is a fold
MAX_ACTIONS = 16  # of a decision, for sampled kernels and packed strategies
CHOICE = -2  # at a leaf: the action that chooses continuation k is CHOICE - k


@formula
def pack_head(kind, seat, in_round, actions, fold):
    """The head of a node; ``fold``: the first of its ``actions`` is a fold."""
    return kind | seat << 4 | in_round << 8 | actions << 12 | fold * FOLDABLE


@formula
def kind_of(head):
    """DECISION, FOLDED, SHOWDOWN, SIDEPOTS or LEAF."""
    return head & 15


@formula
def is_decision(head):
    """Whether the head is that of a DECISION."""
    return head & 15 == DECISION


@formula
def seat_of(head):
    """The seat that acts at a DECISION, or that wins at a FOLDED."""
    return head >> 4 & 15


@formula
def round_of(head):
    """The betting round, from 0; at a terminal that of the last action."""
    return head >> 8 & 15


@formula
def n_actions(head):
    """The number of actions of a DECISION."""
    return head >> 12 & 255


@formula
def offers_fold(head):
    """Whether the first action of a DECISION is a fold."""
    return head & FOLDABLE != 0


class Tree(NamedTuple):
    """A public betting tree of ``nodes`` nodes; chips are counted over the whole hand.

    ``node`` packs a record of four numbers. The first is the head: the methods read that of a node,
    functions of this module heads or arrays of them. The others are by kind:

    * DECISION: first child; slot, the number of actions of decision nodes of the same round and
      player expanded earlier; chips that the acting player has put in.
    * FOLDED, all but ``player`` folded: pot (all chips put in); chips of the winner; 0.
    * SHOWDOWN, contenders have put in the same: pot; chips of each contender; mask of contenders.
    * SIDEPOTS, they have not: row of ``contributed``; 0; mask of contenders.
    * LEAF, where the hand goes on beyond the tree: row of ``contributed``; -1, free for code
      that knows the rest; the players' choices. LEAFs of one leaf share the row.

    The round of a terminal is that of the last action. A bet that nobody called is not in the pot
    of a SHOWDOWN, nor in a row of ``contributed`` for SIDEPOTS; it is in that of a LEAF.
    """

    node: np.ndarray  # int32[nodes, 4]
    parent: np.ndarray  # int32[nodes], -1 for the root
    action: np.ndarray  # int32[nodes]: FOLD = -1, CALL = 0 (or check), raise-to, or CHOICE - k
    contributed: np.ndarray  # int32[rows, seats] chips
    columns: np.ndarray  # int64[rounds, seats]: action columns of (round, player)
    decisions: np.ndarray  # int64[rounds]: decision nodes

    def kind(self, x: int) -> int:
        """DECISION, FOLDED, SHOWDOWN, SIDEPOTS or LEAF."""
        return kind_of(int(self.node[x, 0]))

    def seat(self, x: int) -> int:
        """The seat that acts at decision ``x``, or that wins at a FOLDED."""
        return seat_of(int(self.node[x, 0]))

    def round(self, x: int) -> int:
        """The betting round of node ``x``, from 0."""
        return round_of(int(self.node[x, 0]))

    def is_decision(self, x: int) -> bool:
        """Whether a seat acts at node ``x``."""
        return self.kind(x) == DECISION

    def decision_nodes(self) -> np.ndarray:
        """All decisions, ascending: int64[decisions]."""
        return np.flatnonzero(is_decision(self.node[:, 0]))

    def children(self, x: int) -> range:
        """The children of node ``x``, in the order of its actions; empty for a terminal."""
        head, first = int(self.node[x, 0]), int(self.node[x, 1])
        return range(first, first + n_actions(head) if is_decision(head) else first)

    def offered(self, x: int) -> list[int]:
        """The actions at node ``x``; none for a terminal."""
        block = self.children(x)
        return self.action[block.start : block.stop].tolist()

    def path(self, x: int) -> list[int]:
        """The actions that lead from the root to node ``x``: FOLD, CALL or raise-to."""
        return [int(self.action[child]) for _, child in self.steps(x)]

    def steps(self, x: int, root: int = 0) -> list[tuple[int, int]]:
        """The decisions on the way from ``root`` to ``x``, each with the child that follows."""
        steps = []
        while x != root:
            steps.append((int(self.parent[x]), int(x)))
            x = steps[-1][0]
        return steps[::-1]

    def find(self, actions: Iterable[int]) -> int:
        """The node that ``actions`` lead to, the inverse of :meth:`path`. Raises UserError."""
        x = 0
        for action in actions:
            offered = self.offered(x)
            if action not in offered:
                raise UserError(
                    f"action {action} is not in the tree after {self.describe(x)!r}; "
                    f"wanted of {offered}"
                )
            x = self.children(x)[offered.index(action)]
        return x

    def describe(self, x: int, names: Sequence[str] = ()) -> str:
        """The betting that leads to node ``x`` in words, rounds parted by a slash.

        For example ``"UTG raise 250, HJ fold, CO call"``; ``"start"`` for the root. A tree that
        begins later in the hand does not tell who acted first: it wants the ``names`` of the seats.
        """
        names = names or positions(self.columns.shape[1], self.seat(0))
        rounds: dict[int, list[str]] = {}
        for at, child in self.steps(x):
            action = self.action[child]
            name = "fold" if action == FOLD else f"raise {action}"
            if action <= CHOICE:
                name = f"continuation {CHOICE - action}"
            if action == CALL:
                name = "call" if offers_fold(int(self.node[at, 0])) else "check"
            rounds.setdefault(self.round(at), []).append(f"{names[self.seat(at)]} {name}")
        return " / ".join(", ".join(steps) for steps in rounds.values()) or "start"

    def players_left(self, x: int) -> list[int]:
        """The seats that have not folded on the way to node ``x``."""
        left = set(range(self.columns.shape[1]))
        for before, child in self.steps(x):
            if offers_fold(int(self.node[before, 0])) and child == self.node[before, 1]:
                left.discard(self.seat(before))
        return sorted(left)

    def with_leaves(self, number: np.ndarray) -> "Tree":
        """The tree with ``number`` int[rows] as the third number of LEAFs, by their row."""
        node = self.node.copy()
        leaf = kind_of(node[:, 0]) == LEAF
        node[leaf, 2] = number[node[leaf, 1]]
        return self._replace(node=read_only(node))


def tree_of(*arrays: np.ndarray) -> Tree:
    """The tree of the ``arrays`` of :class:`Tree`, in order; from then on nobody writes to them."""
    return Tree(*map(read_only, arrays))


def tree_of_nodes(
    node: Sequence[Sequence[int]], action: Sequence[int], columns: np.ndarray
) -> Tree:
    """A tree of one round without side pots, from its records and ``columns`` int[1, seats]."""
    records = np.array(node, np.int32)
    n = np.where(is_decision(records[:, 0]), n_actions(records[:, 0]), 0)
    parent = np.full(len(records), -1, np.int32)
    for x in np.flatnonzero(n):
        parent[records[x, 1] : records[x, 1] + n[x]] = x
    return tree_of(
        records, parent, np.array(action, np.int32), np.zeros((0, columns.shape[1]), np.int32),
        columns, np.array([np.count_nonzero(n)]),
    )  # fmt: skip


def fields(game: GameConfig, tree: Tree, which: Sequence[int]) -> np.ndarray:
    """The fields ``which`` of :mod:`sixmax.betting.rules` at each node: int32[nodes, k]."""
    values = np.empty((len(tree.node), len(which)), np.int32)
    wanted = np.array(which, np.int64)
    _fields_kernel(begin(game), tree.node, tree.parent, tree.action, wanted, values)
    return values


@njit
def _fields_kernel(begun, node, parent, action, which, out):
    """``hands[d]`` is the hand at depth d of the path at work."""
    depth = np.zeros(len(node), np.int32)
    for x in range(1, len(node)):
        depth[x] = depth[parent[x]] + 1
    hands = np.empty((depth.max() + 1, begun.size), np.int64)
    hands[0] = begun
    todo = np.empty(256 * (depth.max() + 1), np.int64)
    todo[0], top = 0, 1
    while top > 0:
        top -= 1
        x = todo[top]
        hand = hands[depth[x]]
        if x > 0:
            hand[:] = hands[depth[x] - 1]
            apply(hand, action[x])
        for k in range(which.size):
            out[x, k] = hand[which[k]]
        if kind_of(node[x, 0]) == DECISION:
            for a in range(n_actions(node[x, 0])):
                todo[top] = node[x, 1] + a
                top += 1


def check_tree(tree: Tree) -> None:
    """Raise ValueError for a tree from elsewhere that is unsound: kernels index without looking.

    Children must follow their parents and have one each; seats, rounds, columns of regrets and rows
    of chips must lie in their arrays. A whole game has no leaves.
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
    """Every node but the root must be the child of one decision, after it."""
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
