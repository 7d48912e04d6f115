"""The public betting tree as flat arrays: of a whole game, or of a part of one.

Nodes are numbered so that the children of a node are contiguous, in the order fold, call, raises
ascending; a block of children is allocated when its parent is expanded, depth first.
:mod:`sixmax.cfr.layout` says where the regrets of a node lie.

A part (:func:`sixmax.betting.tree_build.build_from`) begins with any hand and may end in leaves
before the hand is over, where players choose how it goes on (:mod:`sixmax.betting.leaf_choices`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import formula, njit, read_only
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, FOLD, apply, begin
from sixmax.betting.state import positions

DECISION, FOLDED, SHOWDOWN, SIDEPOTS, LEAF = range(5)  # kinds of node; LEAF in subgames only
FOLDABLE = 1 << 20  # in the head of a DECISION: its first action is a fold
CHOICE = -2  # at a leaf: the action that chooses continuation k is CHOICE - k


class Tree(NamedTuple):
    """A public betting tree of ``nodes`` nodes; chips are counted over the whole hand.

    ``node`` packs a record of four numbers. The first is the head, as :func:`pack_head` writes it
    and :func:`kind_of`, :func:`seat_of`, :func:`round_of`, :func:`n_actions` and
    :func:`offers_fold` read it: of one node or of an array of heads. The others are by kind:

    * DECISION: first child; slot, the number of actions of decision nodes of the same round and
      player expanded earlier; chips that the acting player has put in.
    * FOLDED, all but ``player`` folded: pot (all chips put in); chips of the winner; 0.
    * SHOWDOWN, contenders have put in the same: pot; chips of each contender; mask of contenders.
    * SIDEPOTS, they have not: row of ``contributed``; 0; mask of contenders.
    * LEAF, where the hand goes on beyond the tree: row of ``contributed``; -1, free for code
      that knows the rest; the players' choices, some bits a seat. LEAFs of one leaf share the row.

    The round of a terminal is that of the last action. A bet that nobody called is not in the pot
    of a SHOWDOWN, nor in a row of ``contributed`` for SIDEPOTS; it is in that of a LEAF.
    """

    node: np.ndarray  # int32[nodes, 4]
    parent: np.ndarray  # int32[nodes], -1 for the root
    action: np.ndarray  # int32[nodes]: FOLD = -1, CALL = 0 (or check), raise-to, or CHOICE - k
    contributed: np.ndarray  # int32[rows, seats] chips
    columns: np.ndarray  # int64[rounds, seats]: action columns of (round, player)
    decisions: np.ndarray  # int64[rounds]: decision nodes


def tree_of(*arrays: np.ndarray) -> Tree:
    """The tree of the ``arrays`` of :class:`Tree`, in order; from then on nobody writes to them."""
    return Tree(*map(read_only, arrays))


def with_leaves(tree: Tree, number: np.ndarray) -> Tree:
    """``tree`` whose LEAFs have as third number that of their row: ``number`` int[rows]."""
    node = tree.node.copy()
    leaf = kind_of(node[:, 0]) == LEAF
    node[leaf, 2] = number[node[leaf, 1]]
    return tree._replace(node=read_only(node))


@formula
def pack_head(kind, seat, in_round, actions, fold):
    """The head of a node; ``fold``: the first of its ``actions`` is a fold."""
    return kind | seat << 4 | in_round << 8 | actions << 12 | fold * FOLDABLE


@formula
def kind_of(head):
    """DECISION, FOLDED, SHOWDOWN, SIDEPOTS or LEAF."""
    return head & 15


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


def children(tree: Tree, node: int) -> range:
    """The children of ``node``, in the order of its actions; empty for a terminal."""
    head, first = int(tree.node[node, 0]), int(tree.node[node, 1])
    if kind_of(head) != DECISION:
        return range(0)
    return range(first, first + n_actions(head))


def path(tree: Tree, node: int) -> list[int]:
    """The actions that lead from the root to ``node``: FOLD, CALL or raise-to."""
    actions = []
    while tree.parent[node] >= 0:
        actions.append(int(tree.action[node]))
        node = int(tree.parent[node])
    return actions[::-1]


def find(tree: Tree, actions: Iterable[int]) -> int:
    """The node that ``actions`` lead to, the inverse of :func:`path`. Raises UserError."""
    node = 0
    for action in actions:
        block = children(tree, node)
        offered = [int(a) for a in tree.action[block.start : block.stop]]
        if action not in offered:
            at = describe(tree, node)
            raise UserError(f"action {action} is not in the tree after {at!r}; wanted of {offered}")
        node = block[offered.index(action)]
    return node


def describe(tree: Tree, node: int, names: Sequence[str] = ()) -> str:
    """The betting that leads to ``node`` in words, rounds parted by a slash.

    For example ``"UTG raise 250, HJ fold, CO call"``; ``"start"`` for the root. A tree that begins
    later in the hand does not tell who acted first in it: it wants the ``names`` of the seats.
    """
    names = names or positions(tree.columns.shape[1], seat_of(int(tree.node[0, 0])))
    rounds: dict[int, list[str]] = {}
    at = 0
    for action in path(tree, node):
        head = int(tree.node[at, 0])
        name = "fold" if action == FOLD else f"raise {action}"
        if action <= CHOICE:
            name = f"continuation {CHOICE - action}"
        if action == CALL:
            name = "call" if offers_fold(head) else "check"
        rounds.setdefault(round_of(head), []).append(f"{names[seat_of(head)]} {name}")
        at = next(c for c in children(tree, at) if tree.action[c] == action)
    return " / ".join(", ".join(steps) for steps in rounds.values()) or "start"


def players_left(tree: Tree, node: int) -> list[int]:
    """The seats that have not folded on the way to ``node``."""
    left = set(range(tree.columns.shape[1]))
    while tree.parent[node] >= 0:
        at = int(tree.parent[node])
        head, first = int(tree.node[at, 0]), int(tree.node[at, 1])
        if offers_fold(head) and node == first:
            left.discard(seat_of(head))
        node = at
    return sorted(left)


def fields(game: GameConfig, tree: Tree, which: Sequence[int]) -> np.ndarray:
    """The fields ``which`` of :mod:`sixmax.betting.rules` at each node: int32[nodes, k]."""
    values = np.empty((len(tree.node), len(which)), np.int32)
    wanted = np.array(which, np.int64)
    _fields_kernel(begin(game), tree.node, tree.parent, tree.action, wanted, values)
    return values


@njit
def _fields_kernel(begun, node, parent, action, which, out):
    """``hands[d]`` is the hand at the node at depth d of the path at work."""
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
