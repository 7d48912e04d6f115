"""The values of terminals for every hand, by a sweep over the hands of both players.

The hands of both go up the ladder of strengths together (:mod:`sixmax.cards.strength_ladder` has
the sweep of one list). A hand of mine beats the weight met before its step, and beats or ties with
the weight met after it. After the sweep, the sum counts all opponent hands that share no card with
it.

Eight terminals go at once, as the lanes of a row of an array [rows, LANES]. Lanes are added by one
or two instructions; LLVM does not find these by itself, because rows might overlap. Every lane is
rounded as a single number would be.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sixmax.base.jit import formula, inlined, numba, uncounted

LANES = 8
ALL = 52  # the row of ``held`` with the sum over all hands; those of the cards are 0 to 51


def _are_lanes(array, dtype, written=False):
    """Whether ``array``, a type, has rows of ``dtype`` one after the other, and may be written."""
    if not isinstance(array, types.Array) or (written and not array.mutable):
        return False
    return (array.ndim, array.dtype, array.layout) == (2, dtype, "C")


def _lanes(context, builder, array_type, array, row):
    """A pointer to the lanes of ``array[row]``, and the type of one."""
    struct = context.make_array(array_type)(context, builder, array)
    first = builder.gep(struct.data, [builder.mul(row, row.type(LANES))])
    kind = context.get_data_type(array_type.dtype)
    return builder.bitcast(first, ir.VectorType(kind, LANES).as_pointer()), kind


def _load(context, builder, array_type, array, row):
    """The lanes of ``array[row]`` as float64."""
    place, kind = _lanes(context, builder, array_type, array, row)
    lanes = builder.load(place, align=4)
    wide = ir.VectorType(ir.DoubleType(), LANES)
    return lanes if kind == ir.DoubleType() else builder.fpext(lanes, wide)


def _store(context, builder, array_type, array, row, lanes):
    place, kind = _lanes(context, builder, array_type, array, row)
    if kind != ir.DoubleType():
        lanes = builder.fptrunc(lanes, ir.VectorType(kind, LANES))
    builder.store(lanes, place, align=4)


@intrinsic
def meet(typing, held, low, high, lanes, i):
    """In a kernel: add ``lanes[i]`` float32 to the rows of both cards and of ALL in ``held``.

    ``held`` float64[53, LANES] is what all hands met hold of each card, and in all.
    """
    if not (_are_lanes(held, types.float64, True) and _are_lanes(lanes, types.float32)):
        return None

    def generate(context, builder, signature, arguments):
        held, low, high, lanes, i = arguments
        weight = _load(context, builder, signature.args[3], lanes, i)
        for row in (low.type(ALL), low, high):
            sums = _load(context, builder, signature.args[0], held, row)
            sums = builder.fadd(sums, weight)
            _store(context, builder, signature.args[0], held, row, sums)
        return context.get_dummy_value()

    number = types.int64
    return types.void(held, number, number, lanes, number), generate


def _left(out, held, lanes, add):
    """The signature and the code of :func:`left`, and of :func:`add_left` where ``add``."""
    wide, narrow = types.float64, types.float32
    read = _are_lanes(held, wide) and _are_lanes(lanes, narrow)
    if not (read and _are_lanes(out, narrow, True)):
        return None

    def generate(context, builder, signature, arguments):
        out, held, lanes, at = arguments
        to, sums, own, _ = signature.args
        i, low, high, same = cgutils.unpack_tuple(builder, at)
        left = _load(context, builder, sums, held, low.type(ALL))
        for row in (low, high):
            left = builder.fsub(left, _load(context, builder, sums, held, row))
        left = builder.fadd(left, _load(context, builder, own, lanes, same))
        if add:
            left = builder.fadd(left, _load(context, builder, to, out, i))
        _store(context, builder, to, out, i, left)
        return context.get_dummy_value()

    return types.void(out, held, lanes, types.UniTuple(types.int64, 4)), generate


@intrinsic
def left(typing, out, held, lanes, at):
    """In a kernel: write to ``out[i]`` float32 the weight of the hands met without two cards.

    ``at`` is (i, low, high, same), four int64: the row, the cards, and the hand of both.
    It is ``held[ALL]`` less the rows of both cards. The hand of both, ``lanes[same]``, is in all
    three and is given back.
    """
    return _left(out, held, lanes, add=False)


@intrinsic
def add_left(typing, out, held, lanes, at):
    """In a kernel: add to ``out[i]`` what :func:`left` writes."""
    return _left(out, held, lanes, add=True)


if numba.config.DISABLE_JIT:

    def meet(held, low, high, lanes, i):
        """Row by row."""
        for row in (ALL, low, high):
            held[row] += lanes[i]

    def left(out, held, lanes, at):
        """The whole row at once."""
        i, low, high, same = at
        out[i] = held[ALL] - held[low] - held[high] + lanes[same]

    def add_left(out, held, lanes, at):
        """The whole row at once."""
        i, low, high, same = at
        out[i] = held[ALL] - held[low] - held[high] + lanes[same] + out[i]


@uncounted
def value_ends(terminals, players, place, reach, value, sums):
    """Write the values of terminals on a board: ``value[slot]``, from ``reach[source]``.

    ``terminals`` are ``ends`` and ``stake`` of a part, ``players`` my Hands and theirs, ``sums``
    the ``lanes``, ``won``, ``alive`` and ``held`` of a thread's Room. At a showdown a win gains as
    much over a tie as a loss costs, so the value of a hand is ``win`` times the weight that it
    beats, less ``win`` times that which beats it: all less the weight that it beats or ties with.
    """
    (ends, stake), (mine, theirs), (lanes, won, alive, held) = terminals, players, sums
    begin, end = mine.begin[place], mine.begin[place + 1]
    low, high, same = mine.low[begin:end], mine.high[begin:end], mine.same[begin:end]
    weaker, level = mine.weaker[begin:end], mine.level[begin:end]
    begin, end = theirs.begin[place], theirs.begin[place + 1]
    lows, highs = theirs.low[begin:end], theirs.high[begin:end]
    faced = low, high, weaker, level, same, lows, highs
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
    """Fill ``won``; the number of their hands that are in ``held`` then."""
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
