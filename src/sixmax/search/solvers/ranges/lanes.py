"""Sums and regret matching of many numbers at once, by functions for kernels.

Lanes are the numbers of a row of an array float32[rows, LANES]. They are added by a few
instructions; LLVM does not find these by itself, because rows might overlap. The work beside them,
the finding of a hand's cards, is the same for one lane as for all, and takes most of the time: so
there are as many lanes as a part of a subgame has terminals. Every lane is rounded as a single
number would be.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sixmax.base.jit import numba

LANES = 32
ALL = 52  # the row of ``held`` with the sum over all hands; those of the cards are 0 to 51
TILE = 8  # rows and columns that are exchanged at a time
TINY = 1e-36  # sums below have no inverse in float32
NOISE = 4e-6  # of a sum of weights: rounding may leave as much of nothing
FOLD, TIE, WIN = range(3)  # rows of a scale

_INDEX = types.int64
_SOME = types.UniTuple(types.int64, TILE)


def _are_rows(array, written=False):
    """Whether ``array``, a type, has rows of float32 one after the other, and may be written."""
    if not isinstance(array, types.Array) or (written and not array.mutable):
        return False
    return (array.ndim, array.dtype, array.layout) == (2, types.float32, "C")


class _Rows:
    """An array of a kernel that is being compiled, read and written by vectors of its rows."""

    def __init__(self, context, builder, array_type, array):
        struct = context.make_array(array_type)(context, builder, array)
        self._builder, self._data = builder, struct.data
        self._width = cgutils.unpack_tuple(builder, struct.shape)[-1]

    def _place(self, row, column, size):
        builder = self._builder
        at = builder.add(builder.mul(row, self._width), column)
        kind = ir.VectorType(ir.FloatType(), size)
        return builder.bitcast(builder.gep(self._data, [at]), kind.as_pointer())

    def load(self, row, column=None, size=LANES):
        column = row.type(0) if column is None else column
        return self._builder.load(self._place(row, column, size), align=4)

    def store(self, vector, row, column=None):
        column = row.type(0) if column is None else column
        place = self._place(row, column, vector.type.count)
        self._builder.store(vector, place, align=4)


def _unpack(context, builder, signature, arguments):
    """The arguments of an intrinsic: arrays as _Rows, tuples as lists, numbers as they are."""
    for kind, value in zip(signature.args, arguments, strict=True):
        if isinstance(kind, types.Array):
            yield _Rows(context, builder, kind, value)
        elif isinstance(kind, types.UniTuple):
            yield cgutils.unpack_tuple(builder, value)
        else:
            yield value


def _void(signature, body):
    """An intrinsic of ``signature`` whose code ``body(builder, *arguments)`` builds."""

    def generate(context, builder, signature, arguments):
        body(builder, *_unpack(context, builder, signature, arguments))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def meet(typing, held, low, high, lanes, i):
    """In a kernel: add ``lanes[i]`` to the rows of both cards and of ALL in ``held``.

    ``held`` float32[53, LANES] is what all hands met hold of each card, and in all.
    """
    if not (_are_rows(held, True) and _are_rows(lanes)):
        return None

    def body(builder, held, low, high, lanes, i):
        weight = lanes.load(i)
        for row in (low.type(ALL), low, high):
            held.store(builder.fadd(held.load(row), weight), row)

    return _void(types.void(held, _INDEX, _INDEX, lanes, _INDEX), body)


def _left(out, held, lanes, add):
    """The signature and the code of :func:`left`, and of :func:`add_left` where ``add``."""
    if not (_are_rows(held) and _are_rows(lanes) and _are_rows(out, True)):
        return None

    def body(builder, out, held, lanes, at):
        i, low, high, same = at
        left = every = held.load(low.type(ALL))
        for row in (low, high):
            left = builder.fsub(left, held.load(row))
        left = builder.fadd(left, lanes.load(same))
        least = builder.fmul(every, ir.Constant(every.type, [NOISE] * LANES))
        nothing = ir.Constant(every.type, None)
        left = builder.select(builder.fcmp_ordered(">", left, least), left, nothing)
        out.store(builder.fadd(left, out.load(i)) if add else left, i)

    return _void(types.void(out, held, lanes, types.UniTuple(types.int64, 4)), body)


@intrinsic
def left(typing, out, held, lanes, at):
    """In a kernel: write to ``out[i]`` the weight of the hands met without two cards.

    ``at`` is (i, low, high, same), four int64: the row, the cards, and the hand of both.
    It is ``held[ALL]`` less the rows of both cards. The hand of both, ``lanes[same]``, is in all
    three and is given back. Less than NOISE of all is nothing: a hand that meets no other would
    have regrets of rounding, and play by them.
    """
    return _left(out, held, lanes, add=False)


@intrinsic
def add_left(typing, out, held, lanes, at):
    """In a kernel: add to ``out[i]`` what :func:`left` writes."""
    return _left(out, held, lanes, add=True)


@intrinsic
def match(typing, shares, reach, table, at):
    """In a kernel: regret matching for TILE hands from ``h`` on, and reach after each action.

    ``at`` is (h, first, size, actions, row, source, child), seven int64. The regrets of action a
    are ``table[first + a * size + h]`` and what follows; its shares go to ``shares[row + a]``, and
    ``reach[source]`` times them to ``reach[child + a]``. The last tile of a row is read and written
    whole, so that TILE numbers more lie after the last row of ``table``, float32.
    """
    flat = isinstance(table, types.Array) and (table.ndim, table.layout) == (1, "C")
    if not (_are_rows(shares, True) and _are_rows(reach, True) and flat):
        return None
    if table.dtype != types.float32:
        return None

    def body(builder, shares, reach, table, at):
        h, first, size, actions, row, source, child = at
        kind = ir.VectorType(ir.FloatType(), TILE)
        nothing, one = ir.Constant(kind, None), ir.Constant(kind, [1.0] * TILE)
        place = builder.add(first, h)

        def positive(a):
            regret = table.load(h.type(0), builder.add(place, builder.mul(a, size)), TILE)
            return builder.select(builder.fcmp_ordered(">", regret, nothing), regret, nothing)

        last = builder.sub(actions, actions.type(1))
        total = cgutils.alloca_once(builder, kind)
        builder.store(positive(last), total)
        with cgutils.for_range(builder, last) as loop:
            builder.store(builder.fadd(builder.load(total), positive(loop.index)), total)
        every = builder.load(total)
        met = builder.fcmp_ordered(">", every, ir.Constant(kind, [TINY] * TILE))
        # One division a hand, which takes as long as ten sums.
        inverse = builder.fdiv(one, builder.select(met, every, one))
        even = builder.fdiv(ir.FloatType()(1.0), builder.sitofp(actions, ir.FloatType()))
        even = builder.insert_element(ir.Constant(kind, ir.Undefined), even, ir.IntType(32)(0))
        lane = ir.Constant(ir.VectorType(ir.IntType(32), TILE), None)
        even, before = builder.shuffle_vector(even, even, lane), reach.load(source, h, TILE)
        with cgutils.for_range(builder, actions) as loop:
            share = builder.select(met, builder.fmul(positive(loop.index), inverse), even)
            shares.store(share, builder.add(row, loop.index), h)
            reach.store(builder.fmul(before, share), builder.add(child, loop.index), h)

    seven = types.UniTuple(types.int64, 7)
    return _void(types.void(shares, reach, table, seven), body)


def _transposed(builder, rows):
    """TILE vectors of TILE numbers with rows and columns exchanged, in three rounds of pairs."""
    rows, half = list(rows), TILE
    for step in (1, 2, 4):
        half = step
        first = [k for k in range(TILE) if not k & half]
        low = [k if not k & half else TILE + (k ^ half) for k in range(TILE)]
        high = [k ^ half if not k & half else TILE + k for k in range(TILE)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), TILE), mask) for mask in (low, high)]
        for k in first:
            pair = rows[k], rows[k | half]
            rows[k], rows[k | half] = (builder.shuffle_vector(*pair, mask) for mask in masks)
    return rows


@intrinsic
def lay_rows(typing, lanes, j, k, rows, sources):
    """In a kernel: ``lanes[j + a, k + b] = rows[sources[b], j + a]`` for a and b below TILE."""
    if not (_are_rows(lanes, True) and _are_rows(rows)):
        return None

    def body(builder, lanes, j, k, rows, sources):
        tile = [rows.load(source, j, TILE) for source in sources]
        for a, vector in enumerate(_transposed(builder, tile)):
            lanes.store(vector, builder.add(j, j.type(a)), k)

    return _void(types.void(lanes, _INDEX, _INDEX, rows, _SOME), body)


@intrinsic
def give_folds(typing, rows, slots, at, alive, scale):
    """In a kernel: ``rows[slots[b], i + a] = scale[FOLD, k + b] * alive[i + a, k + b]``.

    ``at`` is (i, k), two int64; a and b are below TILE.
    """
    if not (_are_rows(rows, True) and _are_rows(alive) and _are_rows(scale)):
        return None

    def body(builder, rows, slots, at, alive, scale):
        i, k = at
        fold, tile = scale.load(k.type(FOLD), k, TILE), []
        for a in range(TILE):
            row = builder.add(i, i.type(a))
            tile.append(builder.fmul(fold, alive.load(row, k, TILE)))
        for slot, vector in zip(slots, _transposed(builder, tile), strict=True):
            rows.store(vector, slot, i)

    return _void(types.void(rows, _SOME, types.UniTuple(types.int64, 2), alive, scale), body)


@intrinsic
def give_showdowns(typing, rows, slots, at, alive, won, scale):
    """In a kernel: the same with ``scale[TIE] * alive + scale[WIN] * (won - alive)``."""
    read = _are_rows(alive) and _are_rows(won) and _are_rows(scale)
    if not (read and _are_rows(rows, True)):
        return None

    def body(builder, rows, slots, at, alive, won, scale):
        i, k = at
        tie, win = (scale.load(k.type(row), k, TILE) for row in (TIE, WIN))
        tile = []
        for a in range(TILE):
            row = builder.add(i, i.type(a))
            met = alive.load(row, k, TILE)
            more = builder.fmul(win, builder.fsub(won.load(row, k, TILE), met))
            tile.append(builder.fadd(builder.fmul(tie, met), more))
        for slot, vector in zip(slots, _transposed(builder, tile), strict=True):
            rows.store(vector, slot, i)

    pair = types.UniTuple(types.int64, 2)
    return _void(types.void(rows, _SOME, pair, alive, won, scale), body)


if numba.config.DISABLE_JIT:

    def meet(held, low, high, lanes, i):
        """Row by row."""
        for row in (ALL, low, high):
            held[row] += lanes[i]

    def left(out, held, lanes, at):
        """The whole row at once."""
        i, low, high, same = at
        row = held[ALL] - held[low] - held[high] + lanes[same]
        out[i] = np.where(row > np.float32(NOISE) * held[ALL], row, np.float32(0))

    def add_left(out, held, lanes, at):
        """The whole row at once."""
        before = out[at[0]].copy()
        left(out, held, lanes, at)
        out[at[0]] += before

    def match(shares, reach, table, at):
        """Action by action; what lies after the end of the table counts as nothing."""
        h, first, size, actions, row, source, child = at
        places = first + h + size * np.arange(actions)[:, None] + np.arange(TILE)
        inside = np.minimum(places, len(table) - 1)
        regret = np.where(places < len(table), np.maximum(table[inside], np.float32(0)), 0)
        total, here = regret.sum(axis=0, dtype=np.float32), slice(h, h + TILE)
        met = total > np.float32(TINY)
        inverse = np.float32(1) / np.where(met, total, np.float32(1))
        for a in range(actions):
            shares[row + a, here] = np.where(met, regret[a] * inverse, np.float32(1 / actions))
            reach[child + a, here] = reach[source, here] * shares[row + a, here]

    def lay_rows(lanes, j, k, rows, sources):
        """The whole tile at once."""
        lanes[j : j + TILE, k : k + TILE] = rows[list(sources), j : j + TILE].T

    def give_folds(rows, slots, at, alive, scale):
        """The whole tile at once."""
        own, some = (slice(first, first + TILE) for first in at)
        rows[list(slots), own] = (scale[FOLD, some] * alive[own, some]).T

    def give_showdowns(rows, slots, at, alive, won, scale):
        """The whole tile at once."""
        own, some = (slice(first, first + TILE) for first in at)
        met, more = alive[own, some], won[own, some] - alive[own, some]
        rows[list(slots), own] = (scale[TIE, some] * met + scale[WIN, some] * more).T
