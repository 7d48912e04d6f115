"""Sums of eight numbers at once, in kernels that call them like functions.

Lanes are the numbers of a row of an array [rows, LANES]. They are added by one or two
instructions; LLVM does not find these by itself, because rows might overlap. Every lane is rounded
as a single number would be.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sixmax.base.jit import numba

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
