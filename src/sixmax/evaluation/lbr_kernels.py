"""Local best response, hand by hand: the player who looks one action ahead, against a range.

The opponent plays from a table in the blueprint's tree and finds its place there by translation
(:mod:`sixmax.search.shadow`, of which the kernels here are the compiled twin). Where that draws
among two sizes, both places are kept with their chances: a *place* is a node, the hand of the
blueprint's game there, and for each private hand the chance that the opponent has it and is there.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import card_bit, pack
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.isomorphism import find_board, permute_hole, sort_suits
from sixmax.cfr.policy import probabilities
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
    STACKS,
    apply,
    deepest_opponent,
    limits,
)
from sixmax.jit import njit, parallel, prange
from sixmax.rng import step, stream, unit
from sixmax.search.translate import probability

PLACES = 32  # of the opponent in its tree, at most: the likeliest are kept
_ACTIONS = 256
_PARTS = 64


class Menu(NamedTuple):
    """What the local best response may do; rows go by round.

    fold: bool[4]           whether it may fold
    sizes: float64[4, k]    raises as fractions of the pot after calling; inf is all-in, nan none
    spread: int64[4]        so many raises more, even in logarithm from the smallest to all-in
    opening: float          its first action of a hand is a raise of so much of the pot; 0: is free
    may_pass: bool          or a fold there, where the raise is worth less than nothing
    """

    fold: np.ndarray
    sizes: np.ndarray
    spread: np.ndarray
    opening: float
    may_pass: bool


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
def fold_chances(player, x, hand, real, out):
    """How likely each bucket folds in ``real``, where it is to act: into ``out``."""
    p = np.empty(_ACTIONS)
    for b in range(player.buckets[real[ROUND]]):
        out[b] = 0.0
        if has_met(hand, real):
            n = row(player, x, b, p)
            for a in range(n):
                if real_action(player, x, hand, real, a) == FOLD:
                    out[b] += p[a]


@njit
def answer(player, scene, s, real, after, taken, out):
    """What the opponent at place ``s`` does against a raise that it takes for ``taken``.

    ``after`` is the hand after the raise. ``out`` float64[3]: the mass that folds, that goes on,
    and of that what the response beats.
    """
    in_round, x, hand = real[ROUND], scene.at[s], scene.hands[s].copy()
    if has_met(hand, real):
        x = find_child(player, x, taken)
        apply(hand, taken)
    x = meet(player, x, hand, after)
    chance = np.empty(_ACTIONS)
    fold_chances(player, x, hand, after, chance)
    out[:] = 0.0
    for h in range(scene.weight.size):
        w = scene.belief[s, h]
        if w > 0.0:
            folds = w * chance[scene.bucket[in_round, h]]
            out[0] += folds
            out[1] += w - folds
            out[2] += (w - folds) * scene.equity[in_round, h]


@njit
def bet_values(player, scene, places, real, amounts, n, out):
    """Net of what is put in already: what raises to ``amounts[:n]`` are worth, if the opponent
    folds or both check and call from then on (Lisy and Bowling 2017, algorithm 1), into ``out``.

    Raises that the opponent takes for the same are answered alike, so each is looked at once.
    """
    to_call, after = limits(real)[0], real.copy()
    masses, done, taken = np.zeros((n, 3)), np.empty((_ACTIONS, 3)), np.empty(_ACTIONS, np.int64)
    for s in range(places):
        scene.at[s] = meet(player, scene.at[s], scene.hands[s], real)
        met, known = has_met(scene.hands[s], real), 0
        for k in range(n):
            one, other, share = np.int64(CALL), np.int64(CALL), 1.0
            if met:
                one, other, share = translate(player, scene.at[s], scene.hands[s], real, amounts[k])
            for branch in range(2):
                mass, what = (share, one) if branch == 0 else (1.0 - share, other)
                if mass <= 0.0:
                    continue
                i = 0
                while i < known and taken[i] != what:
                    i += 1
                if i == known:
                    after[:] = real
                    apply(after, amounts[k])
                    answer(player, scene, s, real, after, what, done[i])
                    taken[i] = what
                    known += 1
                for c in range(3):
                    masses[k, c] += mass * done[i, c]
    for k in range(n):
        folds, goes_on, won = masses[k]
        fp, wp, pot = folds / max(folds + goes_on, 1e-300), won / max(goes_on, 1e-300), real[POT]
        more = amounts[k] - real[HIGH]
        out[k] = fp * pot + (1.0 - fp) * (wp * (pot + more) - (1.0 - wp) * (to_call + more))


@njit
def call_value(scene, places, real):
    """What a call is worth if both check and call from then on."""
    in_round = real[ROUND]
    total = won = 0.0
    for s in range(places):
        for h in range(scene.weight.size):
            w = scene.belief[s, h]
            if w > 0.0:
                total += w
                won += w * scene.equity[in_round, h]
    wp, to_call = won / max(total, 1e-300), limits(real)[0]
    return wp * real[POT] - (1.0 - wp) * to_call


@njit
def candidates(menu, real, out):
    """The raises that ``menu`` offers in ``real`` into ``out``, as chips; returns how many."""
    to_call, low, high = limits(real)
    if high == 0:
        return 0
    high = max(low, min(high, deepest_opponent(real, real[ACTOR])))
    in_round, n = real[ROUND], 0
    for k in range(menu.sizes.shape[1]):
        size = menu.sizes[in_round, k]
        if np.isnan(size):
            continue
        amount = high
        if not np.isinf(size):
            amount = np.int64(real[HIGH] + size * (real[POT] + to_call) + 0.5)
        out[n] = min(max(amount, low), high)
        n += n == 0 or out[n] != out[n - 1]
    for k in range(menu.spread[in_round]):
        smallest, largest = low - real[HIGH], high - real[HIGH]
        share = k / max(menu.spread[in_round] - 1, 1)
        amount = np.int64(real[HIGH] + smallest * (largest / smallest) ** share + 0.5)
        out[n] = min(max(amount, low), high)
        n += n == 0 or out[n] != out[n - 1]
    return n


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
def look_ahead(scene, in_round, hole, board, ranks, table):
    """Fill ``scene.equity[in_round]``: exactly over all boards to come, but before the flop from
    ``table`` float64[classes, classes], which knows no suits."""
    if scene.known[in_round]:
        return
    scene.known[in_round] = True
    out = scene.equity[in_round]
    if in_round == 0:
        mine = _class_of(hole[0], hole[1], ranks)
        for h in range(out.size):
            out[h] = table[mine, _class_of(scene.cards[h, 0], scene.cards[h, 1], ranks)]
        return
    seen = SEEN[in_round]
    cards = np.empty(5, np.int8)
    cards[:seen] = board[:seen]
    own = max(hole[0], hole[1]) * (max(hole[0], hole[1]) - 1) // 2 + min(hole[0], hole[1])
    rank, times = np.empty(out.size, np.int32), np.zeros(out.size, np.int64)
    out[:] = 0.0
    taken = card_bit(hole[0]) | card_bit(hole[1]) | pack(cards[:seen])
    deck = 4 * ranks
    if seen == 5:
        _tally(cards, ranks, own, rank, out, times)
    for turn in range(deck if seen < 5 else 0):
        if taken & card_bit(turn):
            continue
        cards[seen] = turn
        if seen == 4:
            _tally(cards, ranks, own, rank, out, times)
            continue
        for river in range(turn):
            if not taken & card_bit(river):
                cards[4] = river
                _tally(cards, ranks, own, rank, out, times)
    for h in range(out.size):
        out[h] /= max(times[h], 1)


@njit
def _tally(cards, ranks, own, rank, out, times):
    rank_holes(cards, ranks, rank)
    mine = rank[own]
    for h in range(out.size):
        if rank[h] >= 0:
            times[h] += 1
            out[h] += 1.0 if mine > rank[h] else 0.5 if mine == rank[h] else 0.0


@njit
def _class_of(a, b, ranks):
    """The preflop class of two cards: see sixmax.cards.deck.classes."""
    low, high = ranks - 1 - (min(a, b) >> 2), ranks - 1 - (max(a, b) >> 2)
    return high * ranks + low if a & 3 == b & 3 else low * ranks + high


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
    chance, p = np.empty(_ACTIONS), np.empty(_ACTIONS)
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
def play_hand(menu, player, scene, real, me, hole, other, board, ranks, table, state):
    """Play one hand. Returns what seat ``me`` wins, as dealt and as the mean over the range."""
    places, true, first, seen = 1, 0, True, 0
    scene.known[:] = False
    scene.at[0], scene.hands[0] = 0, player.start
    scene.belief[0] = 1.0
    remove(scene, 1, hole)
    held = max(other[0], other[1]) * (max(other[0], other[1]) - 1) // 2 + min(other[0], other[1])
    p = np.empty(_ACTIONS)
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


@njit
def _fill_buckets(tables, board, cards, out):
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
            _fill_buckets(tables, board, cards, scene.bucket)
            state = stream(seed, np.uint64(first + i))
            for way in range(4):
                me, swapped = way >> 1, way & 1
                mine = 2 * (me ^ swapped)
                hole, other = dealt[i, mine : mine + 2], dealt[i, 2 - mine : 4 - mine]
                plain, mean = play_hand(
                    menu, player, scene, start.copy(), me, hole, other, board, ranks, table, state
                )
                net[i, way, 0], net[i, way, 1] = plain, mean
