"""The node of a tree that is most like a hand which is not in it; see sixmax.play.locate."""

import numpy as np

from sixmax.game.rules import (
    ACTOR,
    BIG_BLIND,
    CALL,
    CHIPS,
    HIGH,
    POT,
    ROUND,
    SEATS,
    STACKS,
    contenders,
)
from sixmax.game.tree import DECISION, kind_of, n_actions, round_of, seat_of
from sixmax.jit import njit

ALIKE = 1.5  # pots within this factor are taken for alike
_POT_BITS = 32


@njit
def nearest(places, real, near):
    """The decision node that is most like the hand ``real``, -1 for none; of those alike the one
    that has most of its path in common with node ``near``.

    The same round and seats left always; the same actor and something to call, where there is one.
    """
    pot = real[POT] * places.start[BIG_BLIND] / real[BIG_BLIND]
    for k in range(2 * real[SEATS]):
        actor = (real[ACTOR] + k // 2) % real[SEATS]
        bet = faces_a_bet(real) != (k % 2 == 1)
        kind = _kind(real[ROUND], contenders(real), actor, bet)
        begin = np.searchsorted(places.kind, kind)
        end = np.searchsorted(places.kind, kind + (1 << _POT_BITS))
        if begin == end:
            continue
        low = np.searchsorted(places.kind, kind + np.int64(np.ceil(pot / ALIKE)))
        high = np.searchsorted(places.kind, kind + np.int64(pot * ALIKE) + 1)
        if low == high:  # no such pot: those with the nearest one
            low = min(low, end - 1)
            if low > begin and _is_lower_nearer(places.kind, low - 1, low, kind, pot):
                low -= 1
            high = np.searchsorted(places.kind, places.kind[low] + 1)
            low = np.searchsorted(places.kind, places.kind[low])
        return _most_in_common(places, low, high, kind, pot, near)
    return np.int64(-1)


@njit
def _most_in_common(places, low, high, kind, pot, near):
    """Of ``places.at[low : high]``, all of one ``kind``, the node that parts last from the path to
    ``near``; of those alike the one with the nearest ``pot``, then the first."""
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
    """One past the last node below decision ``x``: what is below it lies together in the tree."""
    while True:
        first, n = places.node[x, 1], n_actions(places.node[x, 0])
        x = -1
        for child in range(first, first + n):
            if kind_of(places.node[child, 0]) == DECISION:
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
    """What ``Places.kind`` says of every node, int64[nodes]; of no use at terminals."""
    kind = np.empty(len(node), np.int64)
    high, pot = np.empty(len(node), np.int32), np.empty(len(node), np.int32)
    mask = np.empty(len(node), np.int16)
    high[0], pot[0], mask[0] = start[HIGH], start[POT], contenders(start)
    for x in range(len(node)):
        head = node[x, 0]
        if x > 0:
            y, a = parent[x], action[x]
            seat = seat_of(node[y, 0])
            high[x], pot[x], mask[x] = high[y], pot[y], mask[y]
            if a < CALL:
                mask[x] &= ~(1 << seat)
            elif a == CALL:
                pot[x] += min(high[y], start[STACKS + seat]) - node[y, 3]
            else:
                high[x] = a
                pot[x] += a - node[y, 3]
        if kind_of(head) == DECISION:
            bet = node[x, 3] < high[x]
            kind[x] = _kind(round_of(head), mask[x], seat_of(head), bet) | pot[x]
    return kind


@njit
def faces_a_bet(hand):
    """Whether the actor has something to call."""
    return hand[CHIPS + hand[ACTOR]] < hand[HIGH]
