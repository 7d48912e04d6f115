"""The values of terminals for every hand, many terminals at once."""

import numpy as np

from sixmax.cards.strength_ladder import add_beaten, live
from sixmax.jit import njit

LANES = 16  # terminals valued at once
ZERO = np.float32(0.0)


@njit
def ends_at_once(ends, shown, stake, me, boards, r, board, reach, value, lanes, gains, held):
    """Up to LANES terminals on a board, the first ``shown`` of them showdowns.

    A win gains as much over a tie as a loss costs: the value of a hand is ``win`` times the weight
    of the hands that it beats minus ``win`` times those that beat it. The latter are all live hands
    (those that share no card with it) minus those that it beats or ties with.
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
    live(lanes, low, high, tie - win, gains, held[0])
    if shown:
        stop = boards.stop[board * size : (board + 1) * size]
        add_beaten(lanes, low, high, stop, win[:shown], gains, held[1])
    for k in range(many):
        out = value[ends[k, 1]]
        if size < out.size:
            out[:] = ZERO
        for i in range(size):
            out[order[i]] = gains[i, k]
