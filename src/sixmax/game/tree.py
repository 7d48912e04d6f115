"""The public betting tree as flat arrays: of a whole game, or of a part of one.

Nodes are numbered so that the children of a node are contiguous, in the order fold, call, raises
ascending; a block of children is allocated when its parent is expanded, depth first. Regrets of
(round r, player p, bucket b, node, action a) live at
``base[r, p] + b * columns[r, p] + slot + a``: one slab per bucket, so that a traversal with one
bucket per player and round stays inside a few slabs.

A part (:func:`build_from`) begins with any hand and may end in leaves before the hand is over. At
a leaf every player who has chips left chooses one of four ways to go on (supplement, "Leaf node
values in imperfect-information subgames"). The choices are simultaneous: they are made one after
the other in the tree, but all nodes of a player at one leaf share a slot, and so their regrets.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.errors import UserError
from sixmax.game.betting import positions
from sixmax.game.config import GameConfig
from sixmax.game.rules import CALL, FIRST, FOLD, LENGTH, ROUND, ROUNDS, SEATS, begin
from sixmax.game.sizing import Sizes, sizes
from sixmax.game.tree_build import CHOICE, CHOICES, FOLDABLE, WHOLE, Scope, walk
from sixmax.game.tree_count import (
    DECISION,
    FOLDED,
    LEAF,
    SHOWDOWN,
    SIDEPOTS,
    Counts,
    count,
    scratch,
)

INT32_MAX = 2**31 - 1
__all__ = [
    "CHOICE", "CHOICES", "DECISION", "FOLDABLE", "FOLDED", "LEAF", "SHOWDOWN", "SIDEPOTS", "WHOLE",
    "Counts", "Scope", "Tree", "build", "build_from", "children", "count", "describe", "find",
    "path",
]  # fmt: skip


class Tree(NamedTuple):
    """A public betting tree of ``nodes`` nodes; chips are counted over the whole hand.

    ``node`` packs a record of four numbers. The first, head, is
    ``kind | player << 4 | round << 8 | n_actions << 12``, and FOLDABLE where a fold is offered
    (``head >> 12 & 255`` are the actions). The others are by kind:

    * DECISION: first child; slot, the number of actions of decision nodes of the same round and
      player expanded earlier; chips that the acting player has put in.
    * FOLDED, all but ``player`` folded: pot (all chips put in); chips of the winner; 0.
    * SHOWDOWN, contenders have put in the same: pot; chips of each contender; mask of contenders.
    * SIDEPOTS, they have not: row of ``contributed``; 0; mask of contenders.
    * LEAF, where the hand goes on beyond the tree: row of ``contributed``; -1, free for who knows
      how it goes on; what the players chose, two bits a seat. All LEAFs of one leaf share the row.

    The round of a terminal is that of the last action. A bet that nobody called is not in the pot
    of a SHOWDOWN, nor in a row of ``contributed`` for SIDEPOTS; it is in that of a LEAF.
    """

    node: np.ndarray  # int32[nodes, 4]
    parent: np.ndarray  # int32[nodes], -1 for the root
    action: np.ndarray  # int32[nodes]: FOLD = -1, CALL = 0 (or check), raise-to, or CHOICE - k
    contributed: np.ndarray  # int32[rows, seats] chips
    columns: np.ndarray  # int64[rounds, seats]: action columns of (round, player)
    decisions: np.ndarray  # int64[rounds]: decision nodes


def build(game: GameConfig) -> Tree:
    """Build the tree of ``game``. Raises UserError when it does not fit the packed records."""
    counts = count(game)
    _check_fits(counts)
    arrays = _empty(counts.nodes, counts.rows, game.seats)
    columns, states = np.zeros_like(counts.columns), scratch(game)
    states[0] = begin(game)
    nodes, rows = walk(states, sizes(game), WHOLE, *arrays, columns)
    assert (nodes, rows) == (counts.nodes, counts.rows), "the count of the tree is wrong"
    return Tree(*arrays, columns, counts.decisions.sum(axis=1))


def build_from(hand: np.ndarray, offered: Sizes, scope: Scope, most: int = INT32_MAX) -> Tree:
    """Build what follows ``hand`` int64[LENGTH], which is at the start of a betting round.

    ``offered`` has a row for each round of the game. The tree has the rounds from that of ``hand``
    on, the first as 0, as many as ``scope`` lets it have. Raises UserError where there are more
    than ``most`` nodes.
    """
    first, seats = int(hand[ROUND]), int(hand[SEATS])
    offered = Sizes(*(np.ascontiguousarray(a[first:]) for a in offered))
    rounds = min(len(offered.offer), scope.rounds)
    states = np.empty((_longest(hand, offered, scope), LENGTH), np.int64)
    room = min(1 << 12, most)
    while True:
        arrays, columns = _empty(room, room, seats), np.zeros((rounds, seats), np.int64)
        states[0] = from_here(hand)
        nodes, rows = walk(states, offered, scope, *arrays, columns)
        if nodes <= room:
            break
        if room >= most:
            raise UserError(
                f"the betting tree has more than {most:,} nodes; offer fewer sizes, or none with "
                "so many players left"
            )
        room = min(4 * room, most)
    node, parent, action, contributed = arrays
    cut = (a[:nodes].copy() for a in (node, parent, action))
    heads = node[:nodes, 0]
    decisions = np.bincount(heads[heads & 15 == DECISION] >> 8 & 15, minlength=rounds)
    return Tree(*cut, contributed[:rows].copy(), columns, decisions)


def from_here(hand: np.ndarray) -> np.ndarray:
    """``hand``, at the start of a betting round, as if that were the first: int64[LENGTH]."""
    first, later = int(hand[ROUND]), hand.copy()
    later[ROUND], later[ROUNDS] = 0, hand[ROUNDS] - first
    later[FIRST] = hand[FIRST] >> 4 * first
    return later


def _longest(hand: np.ndarray, offered: Sizes, scope: Scope) -> int:
    """The most nodes on a path: every raise is answered by all."""
    in_a_round = 1 + offered.offer.shape[1] + len(scope.taken)
    return int(hand[SEATS]) * in_a_round * len(offered.offer) + 1


def _empty(nodes: int, rows: int, seats: int) -> list[np.ndarray]:
    shapes = ((nodes, 4), (nodes,), (nodes,), (rows, seats))
    return [np.empty(shape, dtype=np.int32) for shape in shapes]


def _check_fits(counts: Counts) -> None:
    largest = max(counts.nodes, int(counts.columns.max()))
    if largest > INT32_MAX:
        raise UserError(
            f"game.rounds: the betting tree has {counts.nodes:,} nodes, wanted fewer than "
            f"{INT32_MAX + 1:,}; offer fewer sizes or lower max_raises or max_players"
        )


def children(tree: Tree, node: int) -> range:
    """The children of ``node``, in the order of its actions; empty for a terminal."""
    head, first = int(tree.node[node, 0]), int(tree.node[node, 1])
    if head & 15 != DECISION:
        return range(0)
    return range(first, first + (head >> 12 & 255))


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
    names = names or positions(tree.columns.shape[1], int(tree.node[0, 0]) >> 4 & 15)
    rounds: dict[int, list[str]] = {}
    at = 0
    for action in path(tree, node):
        head = int(tree.node[at, 0])
        what = "fold" if action == FOLD else f"raise {action}"
        if action <= CHOICE:
            what = f"continuation {CHOICE - action}"
        if action == CALL:
            what = "call" if head & FOLDABLE else "check"
        rounds.setdefault(head >> 8 & 15, []).append(f"{names[head >> 4 & 15]} {what}")
        at = next(c for c in children(tree, at) if tree.action[c] == action)
    return " / ".join(", ".join(steps) for steps in rounds.values()) or "start"
