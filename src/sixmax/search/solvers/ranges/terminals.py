"""The values of terminals for every hand, by a sweep over the hands of both players.

The hands of both go up the ladder of strengths together (:mod:`sixmax.cards.strength_ladder` has
the sweep of one list). A hand of mine beats the weight met before its step, and beats or ties with
the weight met after it. After the sweep, the sum counts all opponent hands that share no card with
it.
"""

import numpy as np

from sixmax.base.jit import formula, inlined, uncounted
from sixmax.search.solvers.ranges.lanes import (
    LANES,
    TILE,
    add_left,
    give_folds,
    give_showdowns,
    lay_rows,
    left,
    meet,
)
from sixmax.search.solvers.ranges.rows import ZERO


@uncounted
def value_ends(terminals, players, place, reach, value, sums):
    """Write the values of terminals on a board: ``value[slot]``, from ``reach[source]``.

    ``terminals`` are ``ends`` and ``stake`` of a part, ``players`` my Hands and theirs, ``sums``
    the ``lanes``, ``won``, ``alive``, ``held`` and ``scale`` of a thread's Room. At a showdown a
    win gains as much over a tie as a loss costs, so the value of a hand is ``win`` times the weight
    that it beats, less ``win`` times that which beats it: all less the weight that it beats or ties
    with.
    """
    (ends, stake), (mine, theirs), (lanes, _, alive, held, scale) = terminals, players, sums
    begin, end = mine.begin[place], mine.begin[place + 1]
    low, high, same = mine.low[begin:end], mine.high[begin:end], mine.same[begin:end]
    weaker, level = mine.weaker[begin:end], mine.level[begin:end]
    begin, end = theirs.begin[place], theirs.begin[place + 1]
    lows, highs = theirs.low[begin:end], theirs.high[begin:end]
    faced = low, high, weaker, level, same, lows, highs
    for first in range(0, len(ends), LANES):
        some = min(LANES, len(ends) - first)
        for k in range(0, some, TILE):
            sources = _eight(ends, first + k, 0, 0)
            for j in range(0, lows.size, TILE):
                lay_rows(lanes, j, k, reach, sources)
        lanes[lows.size] = ZERO  # the hand that is not among theirs
        for k in range(some):
            for row in range(3):
                scale[row, k] = stake[first + k, row]
        held[:] = ZERO
        met = np.int64(0)
        if ends[first, 2] >= 0:
            met = _sweep(faced, sums)
        for j in range(met, lows.size):
            meet(held, lows[j], highs[j], lanes, j)
        for i in range(low.size):
            left(alive, held, lanes, _at(i, low[i], high[i], same[i]))
        for k in range(0, some, TILE):
            _give(value, (ends, first + k), low.size, sums, k)


@inlined
def _give(value, some, n, sums, k):
    """Write the values of TILE ends from the lanes from ``k`` on; ``some``: the ends, the first."""
    (ends, first), nowhere, (_, won, alive, _, scale) = some, np.int64(len(value) - 1), sums
    slots = _eight(ends, first, 1, nowhere)
    if min(slots) < nowhere:
        for i in range(0, n, TILE):
            give_folds(value, slots, (np.int64(i), k), alive, scale)
    slots = _eight(ends, first, 2, nowhere)
    if min(slots) < nowhere:
        for i in range(0, n, TILE):
            give_showdowns(value, slots, (np.int64(i), k), alive, won, scale)


@formula
def _eight(ends, first, column, otherwise):
    """A column of TILE ends from ``first`` on; ``otherwise`` where it is -1 or there is no end."""
    return (
        _one(ends, first, column, otherwise), _one(ends, first + 1, column, otherwise),
        _one(ends, first + 2, column, otherwise), _one(ends, first + 3, column, otherwise),
        _one(ends, first + 4, column, otherwise), _one(ends, first + 5, column, otherwise),
        _one(ends, first + 6, column, otherwise), _one(ends, first + 7, column, otherwise),
    )  # fmt: skip


@formula
def _one(ends, i, column, otherwise):
    number = np.int64(ends[min(i, len(ends) - 1), column])
    return number if i < len(ends) and number >= 0 else np.int64(otherwise)


@inlined
def _sweep(faced, sums):
    """Fill ``won``; the number of their hands that are in ``held`` then."""
    low, high, weaker, level, same, lows, highs = faced
    lanes, won, _, held, _ = sums
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
