"""Terminal values of all hands on many boards at once, against an opponent's range."""

import numpy as np

from sixmax.cards.equity import end_of_ties
from sixmax.jit import njit, parallel, prange


@parallel
def live_kernel(reach, value, pair, out):
    """The range that each hole leaves: ``out[board, hole]``, the sum of ``reach`` over the holes
    that share no card with it or with the board.

    ``reach``, ``out`` float64[boards, H]; ``value`` int32[boards, H], negative where the board
    blocks the hole, and there ``out`` is 0; ``pair`` int8[H, 2], the cards of each hole.
    """
    for board in prange(len(reach)):
        _live(reach[board], value[board], pair, out[board])


@njit
def _live(reach, value, pair, out):
    total, held = 0.0, np.zeros(pair[-1, 1] + 1)
    for hole in range(len(value)):
        if value[hole] >= 0:
            total += reach[hole]
            held[pair[hole, 0]] += reach[hole]
            held[pair[hole, 1]] += reach[hole]
    for hole in range(len(value)):
        out[hole] = 0.0
        if value[hole] >= 0:  # + its own: taken off once for each card
            out[hole] = total - held[pair[hole, 0]] - held[pair[hole, 1]] + reach[hole]


@parallel
def lead_kernel(reach, value, order, size, pair, out):
    """The range that each hole beats less the range that beats it, as :func:`live_kernel`.

    ``order`` int16[boards, H]: the first ``size`` holes are those not blocked, by ascending value.
    """
    for board in prange(len(reach)):
        _lead(reach[board], value[board], order[board], size, pair, out[board])


@njit
def _lead(reach, value, order, size, pair, out):
    """Up the ladder of values: what is beaten, less what is neither beaten nor tied.

    That is what lies below, plus what lies below or level, less all that is live.
    """
    _live(reach, value, pair, out)
    total, held = 0.0, np.zeros(pair[-1, 1] + 1)
    start = 0
    while start < size:
        stop = end_of_ties(value, order, start, size)
        for i in range(start, stop):
            lo, hi = pair[order[i], 0], pair[order[i], 1]
            out[order[i]] = total - held[lo] - held[hi] - out[order[i]]
        for i in range(start, stop):
            total += reach[order[i]]
            held[pair[order[i], 0]] += reach[order[i]]
            held[pair[order[i], 1]] += reach[order[i]]
        for i in range(start, stop):  # + its own, as above
            lo, hi = pair[order[i], 0], pair[order[i], 1]
            out[order[i]] += total - held[lo] - held[hi] + reach[order[i]]
        start = stop
