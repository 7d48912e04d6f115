"""Local best response, hand by hand: the player who looks one action ahead, against a range."""

import numpy as np

from sixmax.evaluation.lbr_places import (
    ACTIONS,
    PLACES,
    Scene,
    fill_buckets,
    has_met,
    meet,
    move,
    real_action,
    remove,
    row,
)
from sixmax.evaluation.lbr_value import Menu, bet_values, call_value, candidates, look_ahead
from sixmax.game.config import SEEN
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    CHIPS,
    FOLD,
    FOLDERS,
    HIGH,
    LENGTH,
    PHASE,
    POT,
    ROUND,
    SHOWN,
    apply,
    limits,
)
from sixmax.jit import njit, parallel, prange
from sixmax.rng import step, stream, unit

_PARTS = 64  # work items of a call, whatever the threads


@njit
def decide(menu, player, scene, places, real, first, hole, board, ranks, table):
    """What the local best response does where it is to act."""
    in_round = real[ROUND]
    to_call, low, high = limits(real)
    offered = np.empty(menu.sizes.shape[1] + menu.spread.max() + 1, np.int64)
    value = np.empty(offered.size)
    if first and menu.opening > 0.0:
        if high == 0:
            return np.int64(CALL)
        amount = np.int64(real[HIGH] + menu.opening * (real[POT] + to_call) + 0.5)
        amount = min(max(amount, low), high)
        if menu.may_pass and to_call > 0:
            look_ahead(scene, in_round, hole, board, ranks, table)
            offered[0] = amount
            bet_values(player, scene, places, real, offered, 1, value)
            if value[0] <= 0.0:
                return np.int64(FOLD)
        return np.int64(amount)
    n, may_fold = candidates(menu, real, offered), menu.fold[in_round] and to_call > 0
    if n == 0 and not may_fold:
        return np.int64(CALL)
    look_ahead(scene, in_round, hole, board, ranks, table)
    best, chosen = call_value(scene, places, real), np.int64(CALL)
    bet_values(player, scene, places, real, offered, n, value)
    for k in range(n):
        if value[k] > best:
            best, chosen = value[k], offered[k]
    return np.int64(FOLD) if may_fold and best <= 0.0 else chosen


@njit
def play_hand(menu, player, scene, real, me, hole, other, board, ranks, table, state):
    """Play one hand. Returns what seat ``me`` wins, as dealt and as the mean over the range."""
    places, true, first, seen = 1, 0, True, 0
    scene.known[:] = False
    scene.at[0], scene.hands[0] = 0, player.start
    scene.belief[0] = 1.0
    remove(scene, 1, hole)
    held = max(other[0], other[1]) * (max(other[0], other[1]) - 1) // 2 + min(other[0], other[1])
    p = np.empty(ACTIONS)
    while real[PHASE] == BETTING:
        in_round = real[ROUND]
        if SEEN[in_round] > seen:
            remove(scene, places, board[seen : SEEN[in_round]])
            seen = SEEN[in_round]
        state = step(state)
        u = unit(state)
        if real[ACTOR] == me:
            action = decide(menu, player, scene, places, real, first, hole, board, ranks, table)
            first = False
        else:
            x = meet(player, scene.at[true], scene.hands[true], real)
            scene.at[true], action = x, np.int64(CALL)
            if has_met(scene.hands[true], real):
                n = row(player, x, scene.bucket[in_round, held], p)
                a, left = 0, u - p[0]
                while left >= 0.0 and a < n - 1:
                    a += 1
                    left -= p[a]
                action = real_action(player, x, scene.hands[true], real, a)
        state = step(state)
        places, true = move(
            player, scene, places, real, action, real[ACTOR] != me, unit(state), true
        )
        apply(real, action)
    return settle(scene, places, real, me, hole, held, board, ranks, table)


@njit
def settle(scene, places, real, me, hole, held, board, ranks, table):
    """What ``me`` wins at the end of a hand: as dealt, and on average over the range."""
    if real[PHASE] != SHOWN:
        if real[FOLDERS] >> me & 1:
            return -np.float64(real[CHIPS + me]), -np.float64(real[CHIPS + me])
        return np.float64(real[CHIPS + 1 - me]), np.float64(real[CHIPS + 1 - me])
    remove(scene, places, board)
    scene.known[3] = False
    look_ahead(scene, 3, hole, board, ranks, table)
    stake = min(real[CHIPS], real[CHIPS + 1])
    total = won = 0.0
    for s in range(places):
        for h in range(scene.weight.size):
            total += scene.belief[s, h]
            won += scene.belief[s, h] * scene.equity[3, h]
    mean = won / total if total > 0.0 else scene.equity[3, held]
    return stake * (2.0 * scene.equity[3, held] - 1.0), stake * (2.0 * mean - 1.0)


@parallel
def play_deals(
    fold, sizes, spread, opening, may_pass, player, tables, start, dealt, cards, ranks, table,
    first, seed, net,
):  # fmt: skip
    """Play deals ``dealt`` int8[n, 9], each with both holes in both seats.

    ``net`` float64[n, 4, 2] gets what the local best response wins: by seat, then by hole; as
    dealt, and as the mean over the range.
    """
    n, holes = len(dealt), len(cards)
    for part in prange(_PARTS):
        menu = Menu(fold, sizes, spread, opening, may_pass)
        scene = Scene(
            np.empty((4, holes), np.int32), np.empty((4, holes)), np.zeros(4, np.bool_),
            np.zeros((PLACES, holes)), np.empty(PLACES, np.int64),
            np.empty((PLACES, LENGTH), np.int64), np.empty(holes), cards,
        )  # fmt: skip
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            board = dealt[i, 4:9]
            fill_buckets(tables, board, cards, scene.bucket)
            state = stream(seed, np.uint64(first + i))
            for way in range(4):
                me, swapped = way >> 1, way & 1
                mine = 2 * (me ^ swapped)
                hole, other = dealt[i, mine : mine + 2], dealt[i, 2 - mine : 4 - mine]
                plain, mean = play_hand(
                    menu, player, scene, start.copy(), me, hole, other, board, ranks, table, state
                )
                net[i, way, 0], net[i, way, 1] = plain, mean
