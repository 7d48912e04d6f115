"""What the hand is at every node of a tree: a few of its fields, by playing every path."""

from collections.abc import Sequence

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.game.rules import apply, begin
from sixmax.game.tree import DECISION, Tree
from sixmax.jit import njit


def fields(game: GameConfig, tree: Tree, which: Sequence[int]) -> np.ndarray:
    """The fields ``which`` of the hand (:mod:`sixmax.game.rules`) at each node: int32[nodes, k]."""
    found = np.empty((len(tree.node), len(which)), np.int32)
    wanted = np.array(which, np.int64)
    _fields_kernel(begin(game), tree.node, tree.parent, tree.action, wanted, found)
    return found


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
        if node[x, 0] & 15 == DECISION:
            for a in range(node[x, 0] >> 12 & 255):
                todo[top] = node[x, 1] + a
                top += 1
