"""The public betting tree as flat arrays: counted first, then built.

Nodes are numbered so that the children of a node are contiguous, in the order fold, call, raises
ascending; a block of children is allocated when its parent is expanded, depth first. Regrets of
(round r, player p, bucket b, node, action a) live at
``base[r, p] + b * columns[r, p] + slot + a``: one slab per bucket, so that a traversal with one
bucket per player and round stays inside a few slabs.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sixmax.errors import UserError
from sixmax.game.betting import positions
from sixmax.game.config import GameConfig
from sixmax.game.counting import (
    DECISION,
    FOLDED,
    LEAF,
    SHOWDOWN,
    SIDEPOTS,
    Counts,
    actions_at,
    count,
    scratch,
    terminal_kind,
)  # fmt: skip
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    CHIPS,
    FOLD,
    LENGTH,
    PHASE,
    ROUND,
    apply,
    begin,
    contenders,
)
from sixmax.game.sizing import sizes
from sixmax.jit import njit

INT32_MAX = 2**31 - 1
__all__ = [
    "DECISION", "FOLDABLE", "FOLDED", "LEAF", "SHOWDOWN", "SIDEPOTS", "Counts", "Tree", "build",
    "children", "count", "describe", "find", "path",
]  # fmt: skip

FOLDABLE = 1 << 20  # in the head of a DECISION: its first action is a fold


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

    The round of a terminal is that of the last action. A bet that nobody called is not in the pot
    of a SHOWDOWN, nor in a row of ``contributed``.
    """

    node: np.ndarray  # int32[nodes, 4]
    parent: np.ndarray  # int32[nodes], -1 for the root
    action: np.ndarray  # int32[nodes]: FOLD = -1, CALL = 0 (or check), else raise-to in chips
    contributed: np.ndarray  # int32[rows, seats] chips
    columns: np.ndarray  # int64[rounds, seats]: action columns of (round, player)
    decisions: np.ndarray  # int64[rounds]: decision nodes


def build(game: GameConfig) -> Tree:
    """Build the tree of ``game``. Raises UserError when it does not fit the packed records."""
    counts = count(game)
    _check_fits(counts)
    shapes = ((counts.nodes, 4), (counts.nodes,), (counts.nodes,), (counts.rows, game.seats))
    arrays = [np.empty(shape, dtype=np.int32) for shape in shapes]
    columns = np.zeros_like(counts.columns)
    states = scratch(game)
    states[0] = begin(game)
    nodes = _walk_kernel(states, sizes(game), *arrays, columns)
    assert nodes == counts.nodes, "the count of the tree is wrong"
    return Tree(*arrays, columns, counts.decisions.sum(axis=1))


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


def describe(tree: Tree, node: int) -> str:
    """The betting that leads to ``node`` in words, rounds parted by a slash.

    For example ``"UTG raise 250, HJ fold, CO call"``; ``"start"`` for the root.
    """
    names = positions(tree.columns.shape[1], int(tree.node[0, 0]) >> 4 & 15)
    rounds: dict[int, list[str]] = {}
    at = 0
    for action in path(tree, node):
        head = int(tree.node[at, 0])
        what = "fold" if action == FOLD else f"raise {action}"
        if action == CALL:
            what = "call" if head & FOLDABLE else "check"
        rounds.setdefault(head >> 8 & 15, []).append(f"{names[head >> 4 & 15]} {what}")
        at = next(c for c in children(tree, at) if tree.action[c] == action)
    return " / ".join(", ".join(steps) for steps in rounds.values()) or "start"


@njit
def _walk_kernel(states, sizes, node, parent, action, contributed, columns):
    """Write the tree that starts with the hand ``states[0]``, depth first.

    ``states`` is scratch, int64[longest path + 1, LENGTH]: row d holds the hand at depth d of the
    path to the node at work. The others are arrays of a Tree; ``columns`` must be zero. Returns
    the number of nodes.
    """
    width = sizes.offer.shape[2] + 2
    todo = np.empty((states.shape[0] * width, 3), dtype=np.int64)  # node, action, depth
    actions = np.empty(width, dtype=np.int64)
    chips = np.empty(columns.shape[1], dtype=np.int64)
    todo[0, 0] = todo[0, 2] = 0
    top = nodes = 1
    rows = 0
    parent[0], action[0] = -1, CALL
    while top > 0:
        top -= 1
        at, depth = todo[top, 0], todo[top, 2]
        hand = states[depth]
        if at > 0:
            for k in range(LENGTH):
                hand[k] = states[depth - 1, k]
            apply(hand, todo[top, 1])
        if hand[PHASE] != BETTING:
            rows += _write_terminal(hand, at, node, contributed, rows, chips)
            continue
        n = actions_at(sizes, hand, actions)
        player, in_round = hand[ACTOR], hand[ROUND]
        foldable = FOLDABLE if actions[0] == FOLD else 0
        node[at, 0] = DECISION | player << 4 | in_round << 8 | n << 12 | foldable
        node[at, 1], node[at, 2] = nodes, columns[in_round, player]
        node[at, 3] = hand[CHIPS + player]
        for a in range(n):
            parent[nodes + a], action[nodes + a] = at, actions[a]
        for a in range(n - 1, -1, -1):
            todo[top, 0], todo[top, 1], todo[top, 2] = nodes + a, actions[a], depth + 1
            top += 1
        nodes += n
        columns[in_round, player] += n
    return nodes


@njit
def _write_terminal(hand, at, node, contributed, row, chips):
    """Write the record of terminal ``at``; returns 1 if that took a row of ``contributed``."""
    kind, mask, player = terminal_kind(hand, chips), contenders(hand), 0
    while mask >> player & 1 == 0:
        player += 1
    winner = player if kind == FOLDED else 0
    node[at, 0] = kind | winner << 4 | hand[ROUND] << 8
    node[at, 1], node[at, 2], node[at, 3] = chips.sum(), chips[player], mask
    if kind == FOLDED:
        node[at, 3] = 0
    elif kind == SIDEPOTS:
        node[at, 1], node[at, 2] = row, 0
        for seat in range(chips.size):
            contributed[row, seat] = chips[seat]
    return kind == SIDEPOTS
