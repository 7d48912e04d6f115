"""The place in the blueprint's tree of a hand that was played with other raises.

The real hand is followed in the tree action by action: a fold stays a fold, a call a call (a limp
that is not offered becomes the smallest raise), and a raise becomes one that is offered, by
deterministic pseudo-harmonic translation of its fraction of the pot (supplement, "Leaf node
values"; Ganzfried & Sandholm 2013). Both hands must agree after every action (:func:`agree`).

# ASSUME the paper does not say what happens where no raise is offered (the blueprint allows fewer
of them, or to fewer players). The path is then lost, and the place is the node with the same
round, seats left, seat to act and something to call or not, and a pot in big blinds at most half
larger or a third smaller, that parts last from the lost path: play there follows a history like
the true one, and one that training has seen. Of several the nearest pot counts; so it does where
no pot is alike. From the start of the next round the hand is followed on from there.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.ongoing.translate import deterministic, fraction

SAME, TRANSLATED, NEAREST = range(3)  # ways to find a place
ALIKE = 1.5  # pots within this factor are taken for alike
_POT_BITS = 32


class Places(NamedTuple):
    """The blueprint's tree, with the tables to find a node in it; made once a run.

    A kind holds the round, seats left, seat to act, whether there is a bet to call, and in the
    lowest 32 bits the pot in chips.
    """

    start: np.ndarray  # int64[LENGTH]: the hand at the root
    node: np.ndarray  # of the Tree, as are the next two
    parent: np.ndarray
    action: np.ndarray
    kind: np.ndarray  # int64[decisions], ascending
    at: np.ndarray  # int32[decisions]: the nodes of which these are


def places(game: GameConfig, tree: Tree) -> Places:
    """The places of ``tree``, which was built for ``game``."""
    start = rules.begin(game)
    kind = kinds(start, tree.node, tree.parent, tree.action)
    at = tree.decision_nodes().astype(np.int32)
    at = at[np.argsort(kind[at], kind="stable")]
    return Places(start, tree.node, tree.parent, tree.action, kind[at], at)


def locate(places: Places, hand: np.ndarray, actions: np.ndarray) -> tuple[int, int]:
    """``(node, fidelity)`` of the decision nearest to ``hand`` after ``actions`` int64[n].

    The real ``hand`` int64[LENGTH] has not begun; after ``actions`` somebody has to be to act. The
    node is -1 where the tree has none with as many players in that round.
    """
    real, mine = hand.copy(), places.start.copy()
    x, fidelity = follow(places, mine, real, 0, SAME, np.asarray(actions, np.int64))
    return settle(places, real, x, fidelity)


@njit
def settle(places, real, x, fidelity):
    """The end of a path that :func:`follow` has followed: ``(node, fidelity)``."""
    if x < 0:
        return nearest(places, real, -1 - x), NEAREST
    return x, fidelity


@njit
def follow(places, mine, real, x, fidelity, actions):
    """Do ``actions`` int64[…] in ``real``, and the nearest in the tree's ``mine`` at node ``x``.

    Returns ``(node, fidelity)``; where the path was lost at node y, the node is -1 - y, and
    ``mine`` of no use.
    """
    tried = np.empty(rules.LENGTH, np.int64)
    for a in actions:
        share = fraction(real, a)
        before = real[rules.ROUND]
        rules.apply(real, a)
        if x >= 0:
            y = _step(places, mine, real, x, a, share, tried)
            if y < 0:
                x = -1 - x
            else:
                if places.action[y] != a:
                    fidelity = max(fidelity, TRANSLATED)
                x = y
        if x < 0 and real[rules.PHASE] == rules.BETTING and real[rules.ROUND] != before:
            y = nearest(places, real, -1 - x)
            if y >= 0:
                x, fidelity = y, NEAREST
                hand_at(places, x, mine)
    return x, fidelity


@njit
def _step(places, mine, real, x, a, share, tried):
    """The child of ``x`` that ``a`` leads to, ``mine`` advanced with it; -1 where none agrees.

    ``real`` is the real hand after ``a``, a raise by ``share`` of the pot if it is one.
    """
    first, n = places.node[x, 1], n_actions(places.node[x, 0])
    raises = 0
    while raises < n and places.action[first + raises] <= rules.CALL:
        if places.action[first + raises] == a:
            return _try(places, mine, real, first + raises, tried)
        raises += 1
    if a == rules.CALL and raises < n:  # a limp, and the tree has none: the smallest raise
        return _try(places, mine, real, first + raises, tried)
    if a <= rules.CALL or raises == n:
        return -1
    sizes = np.empty(n - raises)
    for k in range(raises, n):
        sizes[k - raises] = fraction(mine, places.action[first + k])
    at = deterministic(sizes, share)
    for away in range(sizes.size):  # the chosen one, then its neighbours, the smaller first
        for k in (at - away, at + away):
            if 0 <= k < sizes.size:
                y = _try(places, mine, real, first + raises + k, tried)
                if y >= 0:
                    return y
    return -1


@njit
def _try(places, mine, real, y, tried):
    """``y``, with ``mine`` advanced to it, if the hands agree there; else -1."""
    for k in range(rules.LENGTH):
        tried[k] = mine[k]
    rules.apply(tried, places.action[y])
    if not agree(tried, real):
        return -1
    for k in range(rules.LENGTH):
        mine[k] = tried[k]
    return y


@njit
def agree(mine, real):
    """Whether both hands have the same round, actor, seats folded, and a bet to call or none."""
    if mine[rules.PHASE] != real[rules.PHASE] or mine[rules.FOLDERS] != real[rules.FOLDERS]:
        return False
    if mine[rules.PHASE] != rules.BETTING:
        return True
    if mine[rules.ROUND] != real[rules.ROUND] or mine[rules.ACTOR] != real[rules.ACTOR]:
        return False
    return faces_a_bet(mine) == faces_a_bet(real)


@njit
def hand_at(places, x, out):
    """Write the hand at node ``x`` to ``out``."""
    actions = np.empty(256, np.int64)
    n = 0
    while places.parent[x] >= 0:
        actions[n] = places.action[x]
        x = places.parent[x]
        n += 1
    for k in range(rules.LENGTH):
        out[k] = places.start[k]
    for k in range(n - 1, -1, -1):
        rules.apply(out, actions[k])


@njit
def nearest(places, real, near):
    """The decision node most like the hand ``real``, -1 for none.

    Of those alike it is the one that has most of its path in common with node ``near``. The round
    and the seats left are the same; so are actor and something to call, where there is such a node.
    """
    pot = real[rules.POT] * places.start[rules.BIG_BLIND] / real[rules.BIG_BLIND]
    for k in range(2 * real[rules.SEATS]):
        actor = (real[rules.ACTOR] + k // 2) % real[rules.SEATS]
        bet = faces_a_bet(real) != (k % 2 == 1)
        kind = _kind(real[rules.ROUND], rules.contenders(real), actor, bet)
        start = np.searchsorted(places.kind, kind)
        end = np.searchsorted(places.kind, kind + (1 << _POT_BITS))
        if start == end:
            continue
        low = np.searchsorted(places.kind, kind + np.int64(np.ceil(pot / ALIKE)))
        high = np.searchsorted(places.kind, kind + np.int64(pot * ALIKE) + 1)
        if low == high:  # no such pot: those with the nearest one
            low = min(low, end - 1)
            if low > start and _is_lower_nearer(places.kind, low - 1, low, kind, pot):
                low -= 1
            high = np.searchsorted(places.kind, places.kind[low] + 1)
            low = np.searchsorted(places.kind, places.kind[low])
        return _most_in_common(places, low, high, kind, pot, near)
    return np.int64(-1)


@njit
def _most_in_common(places, low, high, kind, pot, near):
    """The node of ``places.at[low : high]``, all of one ``kind``, nearest to ``near``.

    It parts last from the path to ``near``; among equals it has the nearest ``pot``, then is first.
    """
    parts = np.empty((256, 2), np.int64)
    x, ancestors = np.int64(near), 0
    while x >= 0:
        parts[ancestors, 0], parts[ancestors, 1] = places.node[x, 1], _end(places, x)
        x = np.int64(places.parent[x])
        ancestors += 1
    best, level = low, ancestors
    for i in range(low, high):
        at = np.int64(places.at[i])
        was = level
        while level > 0 and parts[level - 1, 0] <= at < parts[level - 1, 1]:
            level -= 1
        there = level == ancestors or parts[level, 0] <= at < parts[level, 1]
        lower = places.kind[i] == places.kind[best]
        lower = lower or _is_lower_nearer(places.kind, best, i, kind, pot)
        if level < was or (there and not lower):
            best = i
    return np.int64(places.at[best])


@njit
def _end(places, x):
    """One past the last node below decision ``x``: those nodes lie together in the tree."""
    while True:
        first, n = places.node[x, 1], n_actions(places.node[x, 0])
        x = -1
        for child in range(first, first + n):
            if is_decision(places.node[child, 0]):
                x = child
        if x < 0:
            return first + n


@njit
def _is_lower_nearer(kinds, low, high, kind, pot):
    """Whether the pot of entry ``low`` is nearer to ``pot`` than that of ``high``, by ratio."""
    return pot * pot < (kinds[high] - kind) * (kinds[low] - kind)


@njit
def _kind(in_round, mask, actor, bet):
    return (((np.int64(in_round) << 10 | mask) << 4 | actor) << 1 | bet) << _POT_BITS


@njit
def kinds(start, node, parent, action):
    """``Places.kind`` of every node, int64[nodes]; of no use at terminals."""
    kind = np.empty(len(node), np.int64)
    high, pot = np.empty(len(node), np.int32), np.empty(len(node), np.int32)
    mask = np.empty(len(node), np.int16)
    high[0], pot[0], mask[0] = start[rules.HIGH], start[rules.POT], rules.contenders(start)
    for x in range(len(node)):
        head = node[x, 0]
        if x > 0:
            y, a = parent[x], action[x]
            seat = seat_of(node[y, 0])
            high[x], pot[x], mask[x] = high[y], pot[y], mask[y]
            if a < rules.CALL:
                mask[x] &= ~(1 << seat)
            elif a == rules.CALL:
                pot[x] += min(high[y], start[rules.STACKS + seat]) - node[y, 3]
            else:
                high[x] = a
                pot[x] += a - node[y, 3]
        if is_decision(head):
            bet = node[x, 3] < high[x]
            kind[x] = _kind(round_of(head), mask[x], seat_of(head), bet) | pot[x]
    return kind


@njit
def faces_a_bet(hand):
    """Whether the actor has something to call."""
    return hand[rules.CHIPS + hand[rules.ACTOR]] < hand[rules.HIGH]
