"""The values of terminals for every hand, by a sweep over the hands of both players.

The hands of both go up the ladder of strengths together (:mod:`sixmax.cards.strength_ladder` has
the sweep of one list). A hand of mine beats the weight met before its step, and beats or ties with
the weight met after it. Once all are met, the rest is weight that it can face at all.
"""

import numpy as np

from sixmax.base.jit import uncounted
from sixmax.search.solvers.ranges.lanes import LANES, add_left, left, meet


@uncounted
def value_ends(ends, stake, mine, theirs, place, reach, value, lanes, won, alive, held):
    """Write the values of ``ends`` on a board: ``value[slot]``, from ``reach[source]``.

    LANES ends go at once. At a showdown a win gains as much over a tie as a loss costs, so the
    value of a hand is ``win`` times the weight that it beats, less ``win`` times that which beats
    it. The latter is all less the weight that it beats or ties with.
    """
    begin, end = mine.begin[place], mine.begin[place + 1]
    low, high, same = mine.low[begin:end], mine.high[begin:end], mine.same[begin:end]
    weaker, level = mine.weaker[begin:end], mine.level[begin:end]
    begin, end = theirs.begin[place], theirs.begin[place + 1]
    lows, highs = theirs.low[begin:end], theirs.high[begin:end]
    lanes[lows.size] = np.float32(0.0)  # the hand that is not among theirs
    for first in range(0, len(ends), LANES):
        some = min(LANES, len(ends) - first)
        for k in range(some):
            row = reach[ends[first + k, 0]]
            for j in range(lows.size):
                lanes[j, k] = row[j]
        held[:] = 0.0
        met = np.int64(0)
        if ends[first, 2] >= 0:
            met = _sweep(lows, highs, low, high, weaker, level, same, lanes, won, held)
        for j in range(met, lows.size):
            meet(held, lows[j], highs[j], lanes, j)
        for i in range(low.size):
            left(alive, i, held, low[i], high[i], lanes, same[i])
        for k in range(some):
            chips = stake[first + k]
            if ends[first + k, 1] >= 0:
                _fold(value[ends[first + k, 1], : low.size], alive, k, chips[0])
            if ends[first + k, 2] >= 0:
                _showdown(value[ends[first + k, 2], : low.size], alive, won, k, chips[1], chips[2])


@uncounted
def _sweep(lows, highs, low, high, weaker, level, same, lanes, won, held):
    """The weight that each of my hands beats, and that it beats or ties with, into ``won``.

    Returns the number of their hands met, which are those in ``held``.
    """
    first = met = np.int64(0)
    while first < low.size:
        below, upto, stop = weaker[first], level[first], first
        for j in range(met, below):
            meet(held, lows[j], highs[j], lanes, j)
        while stop < low.size and weaker[stop] == below and level[stop] == upto:
            left(won, stop, held, low[stop], high[stop], lanes, lows.size)
            stop += 1
        for j in range(below, upto):
            meet(held, lows[j], highs[j], lanes, j)
        for i in range(first, stop):
            add_left(won, i, held, low[i], high[i], lanes, same[i])
        first, met = stop, np.int64(upto)
    return met


@uncounted
def _fold(out, alive, k, chips):
    chips = np.float32(chips)
    for i in range(out.size):
        out[i] = chips * alive[i, k]


@uncounted
def _showdown(out, alive, won, k, tie, win):
    tie, win = np.float32(tie), np.float32(win)
    for i in range(out.size):
        out[i] = tie * alive[i, k] + win * (won[i, k] - alive[i, k])
