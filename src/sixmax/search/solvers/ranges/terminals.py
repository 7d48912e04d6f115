"""What the terminals of a subgame are worth to every hand, many of them at once."""

import numpy as np

from sixmax.jit import njit

LANES = 16  # terminals valued at once
ZERO = np.float32(0.0)


@njit
def ends_at_once(ends, shown, stake, me, boards, r, board, reach, value, lanes, gains, held):
    """Up to LANES terminals on a board, the first ``shown`` of them showdowns.

    A win adds as much to where a tie leaves a hand as a loss takes off: win * (what it beats - what
    beats it) is win * (what it beats + what it beats or ties with - all that is live). Live is what
    shares no card with the hand: all, less what holds either card, plus its own, taken off twice.
    """
    size, begin = boards.live[r], boards.start[r] + board * boards.live[r]
    order = boards.order[begin : begin + size]
    low, high = boards.low[begin : begin + size], boards.high[begin : begin + size]
    many = len(ends)
    tie, win = np.empty(many), np.empty(many)
    for k in range(many):
        tie[k], win[k] = stake[ends[k, 0], me, 0], stake[ends[k, 0], me, 1]
        row = reach[ends[k, 1]]
        for i in range(size):
            lanes[i, k] = row[order[i]]
    live_kernel(lanes, low, high, tie - win, gains, held)
    if shown:
        stop = boards.stop[board * size : (board + 1) * size]
        show_kernel(lanes, low, high, stop, win[:shown], gains, held)
    for k in range(many):
        out = value[ends[k, 1]]
        if size < out.size:
            out[:] = ZERO
        for i in range(size):
            out[order[i]] = gains[i, k]


@njit
def live_kernel(lanes, low, high, gain, out, held):
    """``out[i, k]``: ``gain[k]`` times the range ``lanes[:, k]`` that hand i leaves.

    The hands are in the order of ``low`` and ``high``, their cards. Sums are in double precision: a
    hand's own is what remains of them.
    """
    many = gain.size
    one, total = held[0], np.zeros(many)
    one[:] = 0.0
    for i in range(low.size):
        lo, hi = low[i], high[i]
        for k in range(many):
            v = np.float64(lanes[i, k])
            total[k] += v
            one[lo, k] += v
            one[hi, k] += v
    for i in range(low.size):
        lo, hi = low[i], high[i]
        for k in range(many):
            out[i, k] = gain[k] * (total[k] - one[lo, k] - one[hi, k] + lanes[i, k])


@njit
def show_kernel(lanes, low, high, stop, win, out, held):
    """Add ``win[k]`` times the range that hand i beats, and beats or ties with, to ``out[i, k]``.

    Up the ladder of strengths, in which the hands are (Johanson et al., "Accelerating Best Response
    Calculation in Large Extensive Games", IJCAI 2011).
    """
    many = win.size
    met, total = held[1], np.zeros(many)
    met[:] = 0.0
    start = 0
    while start < low.size:
        end = stop[start]
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(many):
                out[i, k] += win[k] * (total[k] - met[lo, k] - met[hi, k])
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(many):
                v = np.float64(lanes[i, k])
                total[k] += v
                met[lo, k] += v
                met[hi, k] += v
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(many):
                out[i, k] += win[k] * (total[k] - met[lo, k] - met[hi, k] + lanes[i, k])
        start = end
