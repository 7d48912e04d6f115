"""Values of terminals for every hand, by sums over the opponent's in order of strength.

Sums over all hands and over those with each card, in the order of strength, are laid out once
(:mod:`sixmax.cards.strength_ladder` has the sweep that keeps one sum of each). A hand of mine beats
those that are weaker, less those of them that hold either of its cards: three rows of these sums,
whose places are known beforehand. Eight terminals go at once: lanes are the numbers of a row of an
array float32[rows, TILE], one for each.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sixmax.base.jit import formula, numba, uncounted
from sixmax.base.vectors import NOTHING, TILE, VECTOR, all_of, are_rows, void
from sixmax.search.solvers.ranges.rows import ZERO

NOISE = 4e-6  # of a sum of weights: rounding may leave as much of nothing
FOLD, TIE, WIN = range(3)  # rows of a scale

_INDEX = types.int64
_SOME = types.UniTuple(types.int64, TILE)


@intrinsic
def pile(typing, sums, lanes, order, at):
    """In a kernel: ``sums[row + 1 + k] = sums[row + k] + lanes[order[first + k]]``, k < n.

    ``at`` is (row, first, n), three int64; ``sums[row]`` becomes zeros.
    """
    known = isinstance(order, types.Array) and (order.ndim, order.layout) == (1, "C")
    if not (are_rows(sums, True) and are_rows(lanes) and known and order.dtype == types.int16):
        return None

    def body(builder, sums, lanes, order, at):
        row, first, n = at
        total = cgutils.alloca_once(builder, VECTOR)
        builder.store(NOTHING, total)
        sums.store(builder.load(total), row)
        with cgutils.for_range(builder, n) as loop:
            hand = order.number(builder.add(first, loop.index))
            builder.store(builder.fadd(builder.load(total), lanes.load(hand)), total)
            above = builder.add(row, row.type(1))
            sums.store(builder.load(total), builder.add(above, loop.index))

    return void(types.void(sums, lanes, order, types.UniTuple(types.int64, 3)), body)


@intrinsic
def left(typing, alive, sums, lanes, at):
    """In a kernel: write to ``alive[i]`` the weight of all hands that share no card with a hand.

    ``at`` is (i, all, low, high, same), five int64: the row, those of ``sums`` over all hands and
    over those with either card, and the hand of both cards. Its lane is in all three sums and is
    given back. Less than NOISE of all is nothing: a hand that meets no other would have regrets of
    rounding, and play by them.
    """
    if not (are_rows(sums) and are_rows(lanes) and are_rows(alive, True)):
        return None

    return void(types.void(alive, sums, lanes, types.UniTuple(types.int64, 5)), _left)


@intrinsic
def ahead(typing, alive, won, sums, lanes, at):
    """In a kernel: :func:`left`, and in ``won[i]`` the weight beaten less that which beats.

    It is nothing where the first is, and else may be wrong by as much of all as rounding leaves.
    ``at`` has six int64 more: the rows over the weaker hands, and over those that are weaker or
    level, each in all and with either card.
    """
    read = are_rows(sums) and are_rows(lanes)
    if not (read and are_rows(alive, True) and are_rows(won, True)):
        return None

    def body(builder, alive, won, sums, lanes, at):
        weight, met, same = _left(builder, alive, sums, lanes, at[:5])
        beaten = _without(builder, sums, at[5:8])
        level = builder.fadd(_without(builder, sums, at[8:]), same)
        more = builder.fadd(beaten, builder.fsub(level, weight))
        won.store(builder.select(met, more, NOTHING), at[0])

    return void(types.void(alive, won, sums, lanes, types.UniTuple(types.int64, 11)), body)


def _without(builder, sums, rows):
    """A sum less those of two cards."""
    every, low, high = (sums.load(row) for row in rows)
    return builder.fsub(builder.fsub(every, low), high)


def _left(builder, alive, sums, lanes, at):
    """The code of :func:`left`: the weight, whether it is more than nothing, that of ``same``."""
    i, every, low, high, same = at
    same = lanes.load(same)
    weight = builder.fadd(_without(builder, sums, (every, low, high)), same)
    least = builder.fmul(sums.load(every), all_of(NOISE))
    met = builder.fcmp_ordered(">", weight, least)
    alive.store(builder.select(met, weight, NOTHING), i)
    return weight, met, same


def _transposed(builder, rows):
    """TILE vectors of TILE numbers with rows and columns exchanged, in three rounds of pairs."""
    rows = list(rows)
    for half in (1, 2, 4):
        first = [k for k in range(TILE) if not k & half]
        low = [k if not k & half else TILE + (k ^ half) for k in range(TILE)]
        high = [k ^ half if not k & half else TILE + k for k in range(TILE)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), TILE), mask) for mask in (low, high)]
        for k in first:
            pair = rows[k], rows[k | half]
            rows[k], rows[k | half] = (builder.shuffle_vector(*pair, mask) for mask in masks)
    return rows


@intrinsic
def lay_rows(typing, lanes, j, rows, sources):
    """In a kernel: ``lanes[j + a, b] = rows[sources[b], j + a]`` for a and b below TILE."""
    if not (are_rows(lanes, True) and are_rows(rows)):
        return None

    def body(builder, lanes, j, rows, sources):
        tile = [rows.load(source, j) for source in sources]
        for a, vector in enumerate(_transposed(builder, tile)):
            lanes.store(vector, builder.add(j, j.type(a)))

    return void(types.void(lanes, _INDEX, rows, _SOME), body)


def _give(builder, rows, slots, i, value):
    """Store the ``value`` of the lanes of TILE hands from ``i`` on in the rows ``slots``."""
    tile = [value(builder.add(i, i.type(a))) for a in range(TILE)]
    for slot, vector in zip(slots, _transposed(builder, tile), strict=True):
        rows.store(vector, slot, i)


@intrinsic
def give_folds(typing, rows, slots, i, alive, scale):
    """In a kernel: ``rows[slots[b], i + a] = scale[FOLD, b] * alive[i + a, b]``, as above."""
    if not (are_rows(rows, True) and are_rows(alive) and are_rows(scale)):
        return None

    def body(builder, rows, slots, i, alive, scale):
        fold = scale.load(i.type(FOLD))
        _give(builder, rows, slots, i, lambda row: builder.fmul(fold, alive.load(row)))

    return void(types.void(rows, _SOME, _INDEX, alive, scale), body)


@intrinsic
def give_showdowns(typing, rows, slots, i, alive, won, scale):
    """In a kernel: the same with ``scale[TIE] * alive + scale[WIN] * won``."""
    read = are_rows(alive) and are_rows(won) and are_rows(scale)
    if not (read and are_rows(rows, True)):
        return None

    def body(builder, rows, slots, i, alive, won, scale):
        tie, win = (scale.load(i.type(row)) for row in (TIE, WIN))
        _give(builder, rows, slots, i, lambda row: builder.fadd(
            builder.fmul(tie, alive.load(row)), builder.fmul(win, won.load(row))
        ))  # fmt: skip

    return void(types.void(rows, _SOME, _INDEX, alive, won, scale), body)


if numba.config.DISABLE_JIT:

    def pile(sums, lanes, order, at):
        row, first, n = at
        sums[row] = 0
        for k in range(n):
            sums[row + 1 + k] = sums[row + k] + lanes[order[first + k]]

    def left(alive, sums, lanes, at):
        i, every, low, high, same = at
        row = sums[every] - sums[low] - sums[high] + lanes[same]
        alive[i] = np.where(row > np.float32(NOISE) * sums[every], row, np.float32(0))

    def ahead(alive, won, sums, lanes, at):
        left(alive, sums, lanes, at[:5])
        i, every, low, high, same = at[:5]
        beaten, level = (sums[a] - sums[b] - sums[c] for a, b, c in (at[5:8], at[8:]))
        weight = sums[every] - sums[low] - sums[high] + lanes[same]
        more = beaten + (level + lanes[same] - weight)
        won[i] = np.where(alive[i] > 0, more, np.float32(0))

    def lay_rows(lanes, j, rows, sources):
        lanes[j : j + TILE] = rows[list(sources), j : j + TILE].T

    def give_folds(rows, slots, i, alive, scale):
        rows[list(slots), i : i + TILE] = (scale[FOLD] * alive[i : i + TILE]).T

    def give_showdowns(rows, slots, i, alive, won, scale):
        own = slice(i, i + TILE)
        rows[list(slots), own] = (scale[TIE] * alive[own] + scale[WIN] * won[own]).T


@uncounted
def value_ends(terminals, players, place, reach, value, room):
    """Write the values of terminals on a board: ``value[slot]``, from ``reach[source]``.

    ``terminals`` are ``ends`` and ``stake`` of a part, ``players`` my Hands and theirs, ``room``
    the ``lanes``, ``sums``, ``won``, ``alive`` and ``scale`` of a thread's Room. At a showdown a
    win gains as much over a tie as a loss costs, so the value of a hand is ``tie`` times the weight
    that it meets, and ``win`` times that which it beats less that which beats it.
    """
    (ends, stake), (mine, theirs), (lanes, sums, won, alive, scale) = terminals, players, room
    begin, end = mine.begin[place], mine.begin[place + 1]
    begin2, end2 = theirs.begin[place], theirs.begin[place + 1]
    n, m = end - begin, end2 - begin2
    at, same = mine.sums[begin:end], mine.same[begin:end]
    order, lists = theirs.order[3 * begin2 : 3 * end2], theirs.lists[place]
    for first in range(0, len(ends), TILE):
        sources = _eight(ends, first, 0, 0)
        for j in range(0, m, TILE):
            lay_rows(lanes, j, reach, sources)
        lanes[m] = ZERO  # the hand that is not among theirs
        for k in range(min(TILE, len(ends) - first)):
            for row in range(3):
                scale[row, k] = stake[first + k, row]
        for k in range(len(lists) - 1):
            begin, end = np.int64(lists[k]), np.int64(lists[k + 1])
            pile(sums, lanes, order, (begin + k, begin, end - begin))
        if ends[first, 2] >= 0:
            for i in range(n):
                ahead(alive, won, sums, lanes, _eleven(i, m, same[i], at[i]))
        else:
            for i in range(n):
                left(alive, sums, lanes, _eleven(i, m, same[i], at[i])[:5])
        slots = _eight(ends, first, 1, len(value) - 1)
        if min(slots) < len(value) - 1:
            for i in range(0, n, TILE):
                give_folds(value, slots, i, alive, scale)
        slots = _eight(ends, first, 2, len(value) - 1)
        if min(slots) < len(value) - 1:
            for i in range(0, n, TILE):
                give_showdowns(value, slots, i, alive, won, scale)


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
    number = ends[min(i, len(ends) - 1), column]
    return number if i < len(ends) and number >= 0 else otherwise


@formula
def _eleven(i, m, same, at):
    """The rows for a hand of mine: all m hands of theirs, the same, and those of Hands.sums."""
    return (
        np.int64(i), np.int64(m), np.int64(at[6]), np.int64(at[7]), np.int64(same),
        np.int64(at[0]), np.int64(at[1]), np.int64(at[2]),
        np.int64(at[3]), np.int64(at[4]), np.int64(at[5]),
    )  # fmt: skip
