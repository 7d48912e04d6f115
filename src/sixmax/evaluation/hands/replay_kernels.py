"""ACPC log lines checked in machine code: read, played, shown down and compared.

The kernel takes what it understands and leaves every other line to :mod:`sixmax.game.notation`,
which says what is wrong with it: it is fast, not the judge.
"""

import numpy as np

from sixmax.cards.evaluate import evaluate_packed
from sixmax.evaluation.hands.tally import TOLERANCE
from sixmax.game.pots import payoffs
from sixmax.game.rules import (
    BETTING,
    CALL,
    CHIPS,
    FOLD,
    PHASE,
    ROUND,
    SEATS,
    SHOWN,
    apply,
    contenders,
    is_legal,
)
from sixmax.jit import njit

EMPTY, GOOD, EARLY, ASK = range(4)  # kinds of line; EARLY: good, with a pot that was all-in early
_RANKS = np.full(256, -1, np.int64)
_SUITS = np.full(256, -1, np.int64)
for _k, _name in enumerate(b"23456789TJQKA"):
    _RANKS[_name] = _k
for _k, _name in enumerate(b"cdhs"):
    _SUITS[_name] = _k
_HEAD = np.frombuffer(b"STATE:", np.uint8)
_FNV_START, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@njit
def scan_kernel(text, at, start, kind, place, net, name, span):
    """Check the lines of ``text`` uint8[bytes] from ``at`` on, until it ends or ``kind`` is full.

    ``start`` is the hand before its first action. Writes of each line its ``kind`` uint8, its
    ``place`` int64[2] in the text, and where it is good: ``net`` float64[seats] chips as the line
    has them, a hash of each ``name`` uint64[seats], and its ``span`` int64[seats, 2]. Returns the
    number of lines, and where the next one begins.
    """
    seats = start[SEATS]
    hand, out = start.copy(), np.empty(seats)
    hole, rank = np.empty(seats, np.int64), np.zeros(seats, np.int32)
    lines = 0
    while at < text.size and lines < kind.size:
        end = at
        while end < text.size and text[end] != 10:
            end += 1
        place[lines, 0], place[lines, 1] = at, end
        stop = end
        if stop > at and text[stop - 1] == 13:
            stop -= 1
        if stop == at or text[at] == 35:  # "#"
            kind[lines] = EMPTY
        else:
            hand[:] = start
            kind[lines] = _check(
                text, at, stop, hand, hole, rank, out, net[lines], name[lines], span[lines]
            )
        lines += 1
        at = end + 1
    return lines, at


@njit
def _check(text, at, stop, hand, hole, rank, out, net, name, span):
    """The kind of one line, from ``at`` to ``stop``."""
    seats = hand[SEATS]
    for k in range(_HEAD.size):
        if at + k >= stop or text[at + k] != _HEAD[k]:
            return ASK
    at += _HEAD.size
    digits = at
    while at < stop and 48 <= text[at] <= 57:
        at += 1
    if at == digits or at >= stop or text[at] != 58:  # ":"
        return ASK
    if at - digits > 18:  # as notation has it
        return ASK
    in_round, acted, at = _play(text, at + 1, stop, hand)
    if at < 0 or hand[PHASE] == BETTING:
        return ASK
    board, cards, at = _cards(text, at + 1, stop, in_round, hole)
    if at < 0:
        return ASK
    mask = contenders(hand)
    if hand[PHASE] == SHOWN:
        if cards != 5:
            return ASK
        for p in range(seats):
            if mask >> p & 1:
                if hole[p] == 0:
                    return ASK
                rank[p] = evaluate_packed(board | hole[p])
    payoffs(hand[CHIPS : CHIPS + seats], mask, rank, out)
    at = _numbers(text, at + 1, stop, net)
    if at < 0:
        return ASK
    for p in range(seats):
        if abs(net[p] - out[p]) > TOLERANCE:
            return ASK
    if not _names(text, at + 1, stop, name, span):
        return ASK
    return EARLY if hand[PHASE] == SHOWN and acted < in_round else GOOD


@njit
def _play(text, at, stop, hand):
    """Do the actions up to the next colon.

    Returns the number of slashes, the round of the last action, and where that colon is or -1.
    """
    in_round, acted = 0, 0
    while at < stop and text[at] != 58:
        letter = text[at]
        at += 1
        if letter == 47:
            in_round += 1
            continue
        if letter == 99:
            action = CALL
        elif letter == 102:
            action = FOLD
        elif letter == 114:
            action, first = 0, at
            while at < stop and 48 <= text[at] <= 57 and at < first + 10:
                action = 10 * action + text[at] - 48
                at += 1
            if action == 0 or text[first] == 48:
                return in_round, acted, -1
        else:
            return in_round, acted, -1
        if hand[PHASE] != BETTING or hand[ROUND] != in_round or not is_legal(hand, action):
            return in_round, acted, -1
        apply(hand, action)
        acted = in_round
    return in_round, acted, at if at < stop else -1


@njit
def _card(text, at):
    """A packed card, 0 where there is none."""
    rank, suit = _RANKS[text[at]], _SUITS[text[at + 1]]
    return 0 if rank < 0 or suit < 0 else 1 << (16 * suit + rank)


@njit
def _cards(text, at, stop, in_round, hole):
    """Read holes and boards up to the next colon: the packed board, its cards, and where or -1."""
    seen, board, cards = 0, 0, 0
    for p in range(hole.size):
        hole[p] = 0
        if p > 0:
            if at >= stop or text[at] != 124:  # "|"
                return board, cards, -1
            at += 1
        if at + 4 <= stop and _RANKS[text[at]] >= 0:
            for k in range(2):
                card = _card(text, at + 2 * k)
                if card == 0 or seen & card:
                    return board, cards, -1
                seen |= card
                hole[p] |= card
            at += 4
    for r in range(in_round):
        if at >= stop or text[at] != 47:
            return board, cards, -1
        at += 1
        size = 3 if r == 0 else 1
        if at + 2 * size > stop:
            return board, cards, -1
        for k in range(size):
            card = _card(text, at + 2 * k)
            if card == 0 or seen & card:
                return board, cards, -1
            seen |= card
            board |= card
        cards += size
        at += 2 * size
    if at >= stop or text[at] != 58:
        return board, cards, -1
    return board, cards, at


@njit
def _numbers(text, at, stop, net):
    """Read payoffs up to the next colon; where it is, or -1."""
    for p in range(net.size):
        if p > 0:
            if at >= stop or text[at] != 124:
                return -1
            at += 1
        sign = 1.0
        if at < stop and text[at] == 45:
            sign = -1.0
            at += 1
        value, first = 0.0, at
        while at < stop and 48 <= text[at] <= 57 and at < first + 12:
            value = 10.0 * value + (text[at] - 48)
            at += 1
        if at == first:
            return -1
        if at < stop and text[at] == 46:
            at += 1
            part, first = 0.1, at
            while at < stop and 48 <= text[at] <= 57:
                value += part * (text[at] - 48)
                part *= 0.1
                at += 1
            if at == first:
                return -1
        net[p] = sign * value
    return at if at < stop and text[at] == 58 else -1


@njit
def _names(text, at, stop, name, span):
    """Hash the names up to the end of the line; whether there are as many as seats."""
    for p in range(name.size):
        if p > 0:
            if at >= stop or text[at] != 124:
                return False
            at += 1
        found = _FNV_START
        span[p, 0] = at
        while at < stop and text[at] != 124 and text[at] != 58:
            found = (found ^ np.uint64(text[at])) * _FNV_PRIME
            at += 1
        span[p, 1] = at
        name[p] = found
    return at == stop
