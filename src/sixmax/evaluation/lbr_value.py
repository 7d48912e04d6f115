"""What actions are worth to a local best response: if from then on both check and call.

Lisy and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017),
algorithm 1. All values are net of what is in the pot already.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import card_bit, pack
from sixmax.cards.evaluate import rank_holes
from sixmax.evaluation.lbr_places import (
    ACTIONS,
    find_child,
    has_met,
    meet,
    real_action,
    row,
    translate,
)
from sixmax.game.config import SEEN
from sixmax.game.rules import (
    ACTOR,
    CALL,
    FOLD,
    HIGH,
    POT,
    ROUND,
    apply,
    deepest_opponent,
    limits,
)
from sixmax.jit import njit


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
def fold_chances(player, x, hand, real, out):
    """How likely each bucket folds in ``real``, where it is to act: into ``out``."""
    p = np.empty(ACTIONS)
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
    chance = np.empty(ACTIONS)
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
    masses, done, taken = np.zeros((n, 3)), np.empty((ACTIONS, 3)), np.empty(ACTIONS, np.int64)
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
