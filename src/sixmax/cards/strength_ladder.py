"""Hands by strength: the part of a range that each beats, cards removed, in one sweep.

The hands that a board leaves stand on a ladder, the weakest first, ties on one step. A hand beats
all on the steps below, less those that hold either of its cards. The sweep goes up once and keeps
the hands met, in all and by card (Johanson et al., "Accelerating Best Response Calculation in Large
Extensive Games", IJCAI 2011), for K *lanes* at a time: K ranges, or K sets of hands counted apart.

Lanes are weights [hands, K], or for sets the lane of each hand [hands], in the order of the Rungs.
``rows`` are the rows of ``out`` that hands write to, for None their own. ``held`` [cards, K] is
scratch, and its type that of the sums: floats come out the same only in the same order of hands.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.cards.deck import hole_cards
from sixmax.cards.evaluate import BLOCKED, rank_holes

_DIGIT_BITS = 10  # values have 30 bits: three passes of the sort
_DIGIT = (1 << _DIGIT_BITS) - 1


class Ladder(NamedTuple):
    """The hands of a board by strength, written by :func:`climb`; the first ``size`` entries."""

    cards: np.ndarray  # int8[H, 2]: lo, hi of each hole (constant)
    value: np.ndarray  # int32[H]: value of each hole on the board, -1 blocked
    order: np.ndarray  # int16[H]: the holes not blocked, by ascending value
    low: np.ndarray  # uint8[H]: their lower cards
    high: np.ndarray  # uint8[H]: their higher cards
    stop: np.ndarray  # int16[H]: where the hands end that tie with this one
    spare: np.ndarray  # int16[H]
    digit_count: np.ndarray  # int32[1024]


class Rungs(NamedTuple):
    """Hands by strength, as a Ladder has them; for :func:`live` in any order."""

    low: np.ndarray  # uint8[size]
    high: np.ndarray  # uint8[size]
    stop: np.ndarray  # int16[size]


@njit
def rungs(s, size):
    """The ``size`` hands of a Ladder."""
    return Rungs(s.low[:size], s.high[:size], s.stop[:size])


def ladder(ranks: int) -> Ladder:
    """Room for the ladders of one thread, for a deck of ``ranks`` ranks."""
    return new_ladder(hole_cards(ranks))


@njit
def new_ladder(cards):
    """Room for the ladders of the holes ``cards`` int8[H, 2]."""
    n = len(cards)
    return Ladder(
        cards, np.empty(n, np.int32), np.empty(n, np.int16), np.empty(n, np.uint8),
        np.empty(n, np.uint8), np.empty(n, np.int16), np.empty(n, np.int16),
        np.empty(1 << _DIGIT_BITS, np.int32),
    )  # fmt: skip


@njit
def climb(board, ranks, s):
    """Sort the holes of a board of 3 to 5 cards by strength into ``s``; returns their number."""
    value, order, spare, digit_count = s.value, s.order, s.spare, s.digit_count
    cards, low, high, stop = s.cards, s.low, s.high, s.stop
    rank_holes(board, ranks, value)
    size = 0
    for hole in range(len(value)):
        spare[size] = hole
        size += value[hole] != BLOCKED
    _sort_pass(spare, order, size, value, 0, digit_count)
    _sort_pass(order, spare, size, value, _DIGIT_BITS, digit_count)
    _sort_pass(spare, order, size, value, 2 * _DIGIT_BITS, digit_count)
    end = size
    for i in range(size - 1, -1, -1):
        if i + 1 < size and value[order[i]] != value[order[i + 1]]:
            end = i + 1
        low[i], high[i], stop[i] = cards[order[i], 0], cards[order[i], 1], end
    return size


@njit
def _sort_pass(source, target, size, value, shift, digit_count):
    """One stable pass of a radix sort of holes by ``_DIGIT_BITS`` bits of their values."""
    digit_count[:] = 0
    for i in range(size):
        digit_count[value[source[i]] >> shift & _DIGIT] += 1
    first = 0
    for digit in range(len(digit_count)):
        first, digit_count[digit] = first + digit_count[digit], first
    for i in range(size):
        digit = value[source[i]] >> shift & _DIGIT
        target[digit_count[digit]] = source[i]
        digit_count[digit] += 1


@njit
def live(lanes, hands, gain, out, held, rows=None):
    """``out[row, k]``: ``gain[k]`` times the part of lane k that shares no card with hand i.

    A hand's own weight is taken off with each of its cards, and given back once.
    """
    low, high, _ = hands
    many = gain.size
    met = np.zeros(many, held.dtype)
    held[:] = 0
    for i in range(low.size):
        _meet(lanes, i, low[i], high[i], met, held)
    for i in range(low.size):
        lo, hi, row = low[i], high[i], i if rows is None else rows[i]
        for k in range(many):
            out[row, k] = gain[k] * (met[k] - held[lo, k] - held[hi, k] + _own(lanes, i, k))


@njit
def add_beaten(lanes, hands, gain, out, held, rows=None, tied=True):
    """Add to ``out[row, k]`` ``gain[k]`` times the part of lane k that hand i beats.

    Where ``tied``, also times the part that it beats or ties with: a win counts twice, a tie once.
    """
    low, high, stop = hands
    many = gain.size
    met = np.zeros(many, held.dtype)
    held[:] = 0
    start = 0
    while start < low.size:
        end = stop[start]
        for i in range(start, end):
            lo, hi, row = low[i], high[i], i if rows is None else rows[i]
            for k in range(many):
                out[row, k] += gain[k] * (met[k] - held[lo, k] - held[hi, k])
        for i in range(start, end):
            _meet(lanes, i, low[i], high[i], met, held)
        for i in range(start, end if tied else start):
            lo, hi, row = low[i], high[i], i if rows is None else rows[i]
            for k in range(many):
                out[row, k] += gain[k] * (met[k] - held[lo, k] - held[hi, k] + _own(lanes, i, k))
        start = end


@njit
def add_pairs(ranges, of, hands, shown, gain, out):
    """Add to ``out[a, b]`` the pairs of hands of class a and class b that share no card.

    ``out`` is float64[C, C], and ``of`` int[n] the classes of ``hands``, n Rungs. At each of the
    ends, ``shown`` bool[ends], the hands weigh ``ranges`` float64[2, ends, n], a pair the product,
    times ``gain`` float64[ends]. Where hands are shown, a pair counts for the first player if its
    hand is stronger, and against it if weaker.
    """
    (low, high, stop), (first, second) = hands, ranges
    met, held = np.empty(len(out)), np.empty((high.max() + 1, len(out)))
    for t in range(len(shown)):
        met[:] = 0
        held[:] = 0
        if shown[t]:  # below all hands: each of them wins
            for i in range(of.size):
                _meet_class(of[i], -second[t, i], low[i], high[i], met, held)
        start = 0
        while start < of.size:
            end = stop[start] if shown[t] else of.size
            for i in range(start, end):  # ties at a showdown, or all that a fold leaves
                _meet_class(of[i], second[t, i], low[i], high[i], met, held)
            for i in range(start, end):
                weight, row = gain[t] * first[t, i], out[of[i]]
                if weight == 0.0:
                    continue
                lo, hi = held[low[i]], held[high[i]]
                for k in range(met.size):
                    row[k] += weight * (met[k] - lo[k] - hi[k])
                if not shown[t]:  # its own weight was taken off with each card
                    row[of[i]] += weight * second[t, i]
            for i in range(start, end):  # and now they lose
                _meet_class(of[i], second[t, i], low[i], high[i], met, held)
            start = end


@uncounted
def _meet_class(k, weight, lo, hi, met, held):
    """Add ``weight`` of class k, of the cards ``lo`` and ``hi``, to the hands met."""
    met[k] += weight
    held[lo, k] += weight
    held[hi, k] += weight


@uncounted
def _meet(lanes, i, lo, hi, met, held):
    """Add hand i, of the cards ``lo`` and ``hi``, to the hands met."""
    if lanes.ndim == 1:  # decided where it is compiled
        _meet_class(lanes[i], 1, lo, hi, met, held)
    else:
        for k in range(met.size):
            weight = lanes[i, k]
            met[k] += weight
            held[lo, k] += weight
            held[hi, k] += weight


@uncounted
def _own(lanes, i, k):
    """The weight of hand i in lane k."""
    if lanes.ndim == 1:
        return np.int32(lanes[i] == k)
    else:
        return lanes[i, k]
