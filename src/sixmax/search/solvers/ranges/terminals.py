"""The values of terminals for every hand, by a sweep over the hands of both players.

The hands of both go up the ladder of strengths together (:mod:`sixmax.cards.strength_ladder` has
the sweep of one list). A hand of mine beats the weight met before its step, and beats or ties with
the weight met after it. Once all are met, the rest is weight that it can face at all.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import formula, inlined, uncounted
from sixmax.search.solvers.ranges.lanes import LANES, add_left, left, meet


class Ends(NamedTuple):
    """Terminals of a part, as :class:`sixmax.search.solvers.ranges.tree_parts.Public` has them."""

    slots: np.ndarray
    stake: np.ndarray


class SweepRoom(NamedTuple):
    """Room for the sweeps of one thread, as of a Room."""

    lanes: np.ndarray
    won: np.ndarray
    alive: np.ndarray
    held: np.ndarray


class Faced(NamedTuple):
    """My hands and theirs on one board (:class:`sixmax.search.solvers.ranges.hands.Hands`)."""

    low: np.ndarray
    high: np.ndarray
    weaker: np.ndarray
    level: np.ndarray
    same: np.ndarray
    lows: np.ndarray  # theirs
    highs: np.ndarray


@uncounted
def value_ends(terminals, players, place, reach, value, sums):
    """Write the values of Ends on a board: ``value[slot]``, from ``reach[source]``.

    ``players`` are my Hands and theirs.

    LANES ends go at once. At a showdown a win gains as much over a tie as a loss costs, so the
    value of a hand is ``win`` times the weight that it beats, less ``win`` times that which beats
    it. The latter is all less the weight that it beats or ties with.
    """
    (ends, stake), (mine, theirs), (lanes, won, alive, held) = terminals, players, sums
    begin, end = mine.begin[place], mine.begin[place + 1]
    low, high, same = mine.low[begin:end], mine.high[begin:end], mine.same[begin:end]
    weaker, level = mine.weaker[begin:end], mine.level[begin:end]
    begin, end = theirs.begin[place], theirs.begin[place + 1]
    lows, highs = theirs.low[begin:end], theirs.high[begin:end]
    faced = Faced(low, high, weaker, level, same, lows, highs)
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
            met = _sweep(faced, sums)
        for j in range(met, lows.size):
            meet(held, lows[j], highs[j], lanes, j)
        for i in range(low.size):
            left(alive, held, lanes, _at(i, low[i], high[i], same[i]))
        for k in range(some):
            chips = stake[first + k]
            if ends[first + k, 1] >= 0:
                _fold(value[ends[first + k, 1], : low.size], alive, k, chips[0])
            if ends[first + k, 2] >= 0:
                _showdown(value[ends[first + k, 2], : low.size], alive, won, k, chips[1], chips[2])


@inlined
def _sweep(faced, sums):
    """The weight that each of my hands beats, and that it beats or ties with, into ``won``.

    Returns the number of their hands met, which are those in ``held``.
    """
    low, high, weaker, level, same, lows, highs = faced
    lanes, won, _, held = sums
    first = met = np.int64(0)
    while first < low.size:
        below, upto, stop = weaker[first], level[first], first
        for j in range(met, below):
            meet(held, lows[j], highs[j], lanes, j)
        while stop < low.size and weaker[stop] == below and level[stop] == upto:
            left(won, held, lanes, _at(stop, low[stop], high[stop], lows.size))
            stop += 1
        for j in range(below, upto):
            meet(held, lows[j], highs[j], lanes, j)
        for i in range(first, stop):
            add_left(won, held, lanes, _at(i, low[i], high[i], same[i]))
        first, met = stop, np.int64(upto)
    return met


@formula
def _at(i, low, high, same):
    return np.int64(i), np.int64(low), np.int64(high), np.int64(same)


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
