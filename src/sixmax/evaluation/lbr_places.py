"""Where an opponent that plays from a table is in its tree, to who cannot see its cards.

The opponent finds its place by translation (:mod:`sixmax.search.shadow`, of which the kernels here
are the compiled twin). Where that draws among two sizes, both places are kept with their chances:
a *place* is a node, the hand of the blueprint's game there, and for each private hand the chance
that the opponent has it and is there.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import pack
from sixmax.cards.isomorphism import find_board, permute_hole, sort_suits
from sixmax.cfr.policy import probabilities
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    FOLD,
    HIGH,
    LENGTH,
    PHASE,
    POT,
    ROUND,
    STACKS,
    apply,
    limits,
)
from sixmax.jit import njit
from sixmax.search.translate import probability

PLACES = 32  # of the opponent in its tree, at most: the likeliest are kept
ACTIONS = 256  # of a node, at most


class Player(NamedTuple):
    """The opponent: a policy uint8[layout.size] in a tree, and where hands find their buckets.

    base, columns: int64[rounds, seats]; start: int64[LENGTH], its game before the first action.
    """

    node: np.ndarray
    action: np.ndarray
    base: np.ndarray
    columns: np.ndarray
    buckets: np.ndarray
    policy: np.ndarray
    start: np.ndarray


class Scene(NamedTuple):
    """Arrays that one hand is played with.

    bucket: int32[4, holes]     the opponent's bucket of every hole by round, -1 where blocked
    equity: float64[4, holes]   chance to win against the hole, ties half, over the boards to come
    known: bool[4]              which rows of ``equity`` are there
    belief: float64[PLACES, holes]
    at: int64[PLACES]           nodes
    hands: int64[PLACES, LENGTH]
    weight, cards: float64[holes], int8[holes, 2]
    """

    bucket: np.ndarray
    equity: np.ndarray
    known: np.ndarray
    belief: np.ndarray
    at: np.ndarray
    hands: np.ndarray
    weight: np.ndarray
    cards: np.ndarray


@njit
def find_child(player, x, action):
    """The child of node ``x`` that ``action`` leads to, -1 for none."""
    first = player.node[x, 1]
    for a in range(player.node[x, 0] >> 12 & 255):
        if player.action[first + a] == action:
            return np.int64(first + a)
    return np.int64(-1)


@njit
def meet(player, x, hand, real):
    """Let the shadow at ``x``, ``hand`` catch up with ``real``; returns its node."""
    while hand[PHASE] == BETTING and (
        hand[ROUND] < real[ROUND] or (hand[ROUND] == real[ROUND] and hand[ACTOR] != real[ACTOR])
    ):
        x = find_child(player, x, CALL)
        apply(hand, CALL)
    return x


@njit
def has_met(hand, real):
    """Whether a shadow that has caught up stands where the same seat is to act."""
    return hand[PHASE] == BETTING and hand[ROUND] == real[ROUND]


@njit
def fraction(hand, amount):
    """The raise to ``amount`` as a fraction of the pot after calling."""
    to_call = limits(hand)[0]
    return (amount - hand[HIGH]) / (hand[POT] + to_call)


@njit
def translate(player, x, hand, real, action):
    """What stands for ``action`` of ``real`` at the node ``x`` where both meet.

    Returns (one, other, chance of one): actions of the tree.
    """
    if find_child(player, x, action) >= 0:
        return action, action, 1.0
    if action == FOLD:
        return CALL, CALL, 1.0
    first, n = player.node[x, 1], player.node[x, 0] >> 12 & 255
    wanted = fraction(real, action) if action > CALL else 0.0
    below = above = np.int64(CALL)
    low = high = 0.0
    for a in range(n):
        size = np.int64(player.action[first + a])
        if size <= CALL or action == CALL:
            continue
        share = fraction(hand, size)
        if share < wanted:
            below, low = size, share
        elif above == CALL:
            above, high = size, share
    if below == CALL or above == CALL:
        only = max(below, above)
        return only, only, 1.0
    return below, above, probability(low, high, wanted)


@njit
def real_action(player, x, hand, real, a):
    """Action ``a`` of node ``x`` as it is done in ``real``, which the shadow has met."""
    action = np.int64(player.action[player.node[x, 1] + a])
    same = True
    for k in range(LENGTH):
        same = same and hand[k] == real[k]
    if same:
        return action
    to_call, low, high = limits(real)
    if action == FOLD and to_call > 0:
        return np.int64(FOLD)
    if action <= CALL or high == 0:
        return np.int64(CALL)
    if action >= hand[STACKS + hand[ACTOR]]:
        return np.int64(high)
    wanted = real[HIGH] + fraction(hand, action) * (real[POT] + to_call)
    return np.int64(min(max(np.int64(wanted + 0.5), low), high))


@njit
def row(player, x, bucket, out):
    """The policy at node ``x`` with ``bucket`` into ``out``; returns the number of actions."""
    head = player.node[x, 0]
    seat, in_round, n = head >> 4 & 15, head >> 8 & 15, np.int64(head >> 12 & 255)
    at = player.base[in_round, seat] + bucket * player.columns[in_round, seat] + player.node[x, 2]
    probabilities(player.policy, at, n, out)
    return n


@njit
def move(player, scene, places, real, action, opponents, u, true):
    """Let all places follow ``action``, which is about to be done in ``real``.

    Where it is the opponent's, beliefs are updated by Bayes' rule. ``true`` is the place where the
    opponent really is, and ``u`` the uniform number that draws where it goes. Returns the new
    number of places and the true one.
    """
    in_round, holes = real[ROUND], scene.weight.size
    at, hands = np.empty(2 * PLACES, np.int64), np.empty((2 * PLACES, LENGTH), np.int64)
    belief, n, now = np.zeros((2 * PLACES, holes)), 0, -1
    chance, p = np.empty(ACTIONS), np.empty(ACTIONS)
    for s in range(places):
        x = meet(player, scene.at[s], scene.hands[s], real)
        met = has_met(scene.hands[s], real)
        if opponents:
            for b in range(player.buckets[in_round]):
                chance[b] = 0.0
                if met:
                    for a in range(row(player, x, b, p)):
                        if real_action(player, x, scene.hands[s], real, a) == action:
                            chance[b] += p[a]
                elif action == CALL:
                    chance[b] = 1.0
        one, other, share = np.int64(CALL), np.int64(CALL), 1.0
        if met:
            one, other, share = translate(player, x, scene.hands[s], real, action)
        for branch in range(2):
            mass = share if branch == 0 else 1.0 - share
            drawn = s == true and (u < share) == (branch == 0)
            if mass <= 0.0 and not drawn:
                continue
            y, hand = x, scene.hands[s].copy()
            if met:
                taken = one if branch == 0 else other
                y = find_child(player, x, taken)
                apply(hand, taken)
            k = 0
            while k < n and at[k] != y:
                k += 1
            if k == n:
                at[n], hands[n] = y, hand
                n += 1
            if drawn:
                now = k
            for h in range(holes):
                w = scene.belief[s, h] * mass
                if w > 0.0:
                    belief[k, h] += w * chance[scene.bucket[in_round, h]] if opponents else w
    return _keep(scene, at, hands, belief, n, now)


@njit
def _keep(scene, at, hands, belief, n, now):
    """The likeliest places, the true one always among them; beliefs sum to 1."""
    mass = np.empty(n)
    for k in range(n):
        mass[k] = belief[k].sum() + (1e300 if k == now else 0.0)
    order = np.argsort(-mass)
    kept, total, true = min(n, PLACES), 0.0, 0
    for i in range(kept):
        total += belief[order[i]].sum()
    for i in range(kept):
        k = order[i]
        scene.at[i], scene.hands[i] = at[k], hands[k]
        if total > 0.0:
            scene.belief[i] = belief[k] / total
        if k == now:
            true = i
    return kept, true


@njit
def remove(scene, places, cards):
    """Take from the beliefs the holes that have one of ``cards``."""
    total = 0.0
    for h in range(scene.weight.size):
        for card in cards:
            if scene.cards[h, 0] == card or scene.cards[h, 1] == card:
                scene.belief[:places, h] = 0.0
    for s in range(places):
        total += scene.belief[s].sum()
    if total > 0.0:
        scene.belief[:places] /= total


@njit
def fill_buckets(tables, board, cards, out):
    """The opponent's bucket of every hole in every round of the board: int32[4, holes]."""
    preflop, flop, turn, river, flops, turns, rivers, flop_slots, turn_slots, river_slots = tables
    perm = np.empty(4, np.int8)
    for h in range(len(cards)):
        out[0, h] = preflop[0, h]
    at = find_board(flop_slots, flops, sort_suits(pack(board[:3]), perm))
    _fill(flop[at], cards, perm, out[1])
    at = find_board(turn_slots, turns, sort_suits(pack(board[:4]), perm))
    _fill(turn[at], cards, perm, out[2])
    at = find_board(river_slots, rivers, sort_suits(pack(board), perm))
    _fill(river[at], cards, perm, out[3])


@njit
def _fill(table, cards, perm, out):
    for h in range(len(cards)):
        out[h] = table[permute_hole(cards[h, 0], cards[h, 1], perm)]
