"""Where in the blueprint's tree a hand is that was played with other raises.

The real hand is followed in the tree action by action: fold is fold, call is call, and a raise
becomes one that is offered, by deterministic pseudo-harmonic translation of its fraction of the
pot (supplement, "Leaf node values"; Ganzfried & Sandholm 2013). Both hands must agree after every
action: the same seat to act in the same round, the same seats folded, and a bet to call in both
or in neither.

# ASSUME the paper does not say what happens where no raise is offered (the blueprint allows fewer
of them, or to fewer players). The path is then lost, and the place is the node with the same
round, seats left, seat to act and something to call or not, and a pot in big blinds at most half
larger or a third smaller, that parts last from the lost path: play there follows a history like
the true one, and one that training has seen. Of several the nearest pot counts; so it does where
no pot is alike. From the start of the next round the hand is followed on from there.
"""

from typing import NamedTuple

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    FOLDERS,
    HIGH,
    LENGTH,
    PHASE,
    POT,
    ROUND,
    apply,
    begin,
    limits,
)
from sixmax.game.tree import DECISION, Tree, kind_of, n_actions
from sixmax.jit import njit
from sixmax.play.nearest import faces_a_bet, kinds, nearest
from sixmax.play.translate import deterministic

SAME, TRANSLATED, NEAREST = range(3)  # how a place was found


class Places(NamedTuple):
    """The blueprint's tree, with what it takes to find a node in it; made once a run.

    start: int64[LENGTH]      the hand at the root
    node, parent, action      of the Tree
    kind: int64[decisions]    ascending: round, seats left, seat to act, whether there is a bet to
                              call, and in the lowest 32 bits the pot in chips
    at: int32[decisions]      the nodes of which these are
    """

    start: np.ndarray
    node: np.ndarray
    parent: np.ndarray
    action: np.ndarray
    kind: np.ndarray
    at: np.ndarray


def places(game: GameConfig, tree: Tree) -> Places:
    """The places of ``tree``, which was built for ``game``."""
    start = begin(game)
    kind = kinds(start, tree.node, tree.parent, tree.action)
    at = np.flatnonzero(kind_of(tree.node[:, 0]) == DECISION).astype(np.int32)
    at = at[np.argsort(kind[at], kind="stable")]
    return Places(start, tree.node, tree.parent, tree.action, kind[at], at)


def locate(places: Places, hand: np.ndarray, actions: np.ndarray) -> tuple[int, int]:
    """``(node, how)``: the decision node nearest to the state after ``actions`` of a real hand.

    ``hand`` int64[LENGTH] is the real hand before its first action; the state must be one where
    somebody is to act. The node is -1 where the tree has none with as many players in that round.
    """
    real, mine = hand.copy(), places.start.copy()
    x, how = follow(places, mine, real, 0, SAME, np.asarray(actions, np.int64))
    return settle(places, real, x, how)


@njit
def settle(places, real, x, how):
    """The end of a path that :func:`follow` has followed: ``(node, how)``."""
    if x < 0:
        return nearest(places, real, -1 - x), NEAREST
    return x, how


@njit
def follow(places, mine, real, x, how, actions):
    """Do ``actions`` int64[…] in the hand ``real`` and, as near as can be, in the tree's ``mine``.

    Begins at node ``x``, where ``mine`` is. Returns ``(node, how)``; where the path was lost at
    node y, the node is -1 - y. Both hands are changed, and ``mine`` is of no use after a loss.
    """
    tried = np.empty(LENGTH, np.int64)
    for a in actions:
        fraction = _fraction(real, a)
        before = real[ROUND]
        apply(real, a)
        if x >= 0:
            y = _step(places, mine, real, x, a, fraction, tried)
            if y < 0:
                x = -1 - x
            else:
                if places.action[y] != a:
                    how = max(how, TRANSLATED)
                x = y
        if x < 0 and real[PHASE] == BETTING and real[ROUND] != before:
            y = nearest(places, real, -1 - x)
            if y >= 0:
                x, how = y, NEAREST
                hand_at(places, x, mine)
    return x, how


@njit
def _step(places, mine, real, x, a, fraction, tried):
    """The child of ``x`` that ``a`` leads to, ``mine`` advanced with it; -1 where none agrees.

    ``real`` is the real hand after ``a``, a raise by ``fraction`` of the pot if it is one.
    """
    first, n = places.node[x, 1], n_actions(places.node[x, 0])
    begin = 0
    while begin < n and places.action[first + begin] <= CALL:
        if places.action[first + begin] == a:
            return _try(places, mine, real, first + begin, tried)
        begin += 1
    if a <= CALL or begin == n:
        return -1
    sizes = np.empty(n - begin)
    for k in range(begin, n):
        sizes[k - begin] = _fraction(mine, places.action[first + k])
    at = deterministic(sizes, fraction)
    for away in range(sizes.size):  # the chosen one, then its neighbours, the smaller first
        for k in (at - away, at + away):
            if 0 <= k < sizes.size:
                y = _try(places, mine, real, first + begin + k, tried)
                if y >= 0:
                    return y
    return -1


@njit
def _try(places, mine, real, y, tried):
    """``y``, with ``mine`` advanced to it, if the hands agree there; else -1."""
    for k in range(LENGTH):
        tried[k] = mine[k]
    apply(tried, places.action[y])
    if not agree(tried, real):
        return -1
    for k in range(LENGTH):
        mine[k] = tried[k]
    return y


@njit
def agree(mine, real):
    """Whether in both hands the same happens next: who acts, in which round, against whom, and
    whether there is something to call."""
    if mine[PHASE] != real[PHASE] or mine[FOLDERS] != real[FOLDERS]:
        return False
    if mine[PHASE] != BETTING:
        return True
    if mine[ROUND] != real[ROUND] or mine[ACTOR] != real[ACTOR]:
        return False
    return faces_a_bet(mine) == faces_a_bet(real)


@njit
def _fraction(hand, raise_to):
    """A raise of the actor as a fraction of the pot after calling; no matter for other actions."""
    return (raise_to - hand[HIGH]) / (hand[POT] + limits(hand)[0])


@njit
def hand_at(places, x, out):
    """Write the hand at node ``x`` to ``out``."""
    actions = np.empty(256, np.int64)
    n = 0
    while places.parent[x] >= 0:
        actions[n] = places.action[x]
        x = places.parent[x]
        n += 1
    for k in range(LENGTH):
        out[k] = places.start[k]
    for k in range(n - 1, -1, -1):
        apply(out, actions[k])
