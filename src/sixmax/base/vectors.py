"""Vectors of eight float32 for functions that kernels call.

Eight numbers are added by one instruction. LLVM does not find it by itself where arrays might
overlap, and leaves the last numbers of a short row to a slow loop. Each is rounded as it would be
alone.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

TILE = 8  # numbers of a vector
VECTOR = ir.VectorType(ir.FloatType(), TILE)
NOTHING = ir.Constant(VECTOR, None)


def all_of(number: float) -> ir.Constant:
    """The vector of one number."""
    return ir.Constant(VECTOR, [number] * TILE)


def spread(builder: ir.IRBuilder, number: ir.Value) -> ir.Value:
    """The vector of one number that a kernel knows."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.IntType(32)(0))
    lane = ir.Constant(ir.VectorType(ir.IntType(32), TILE), None)
    return builder.shuffle_vector(one, one, lane)


def are_rows(array: types.Type, written: bool = False, axes: int = 2) -> bool:
    """Whether ``array`` has rows of float32 one after the other, and may be written."""
    if not isinstance(array, types.Array) or (written and not array.mutable):
        return False
    return (array.ndim, array.dtype, array.layout) == (axes, types.float32, "C")


class Rows:
    """An array of a kernel that is being compiled, read and written by vectors of its rows.

    A flat array is a single row, and lanes are rows of TILE numbers.
    """

    def __init__(self, context, builder, array_type, array):
        struct = context.make_array(array_type)(context, builder, array)
        self._builder, self._data = builder, struct.data
        self._width = cgutils.unpack_tuple(builder, struct.shape)[-1]

    def _place(self, row, column):
        """Eight numbers from a column on; a row of lanes without one, whose width is known."""
        builder = self._builder
        at = builder.mul(row, row.type(TILE) if column is None else self._width)
        at = at if column is None else builder.add(at, column)
        return builder.bitcast(builder.gep(self._data, [at]), VECTOR.as_pointer())

    def number(self, i):
        """The i-th of an array of small integers, as int64."""
        place = self._builder.gep(self._data, [i])
        return self._builder.sext(self._builder.load(place), ir.IntType(64))

    def load(self, row, column=None):
        return self._builder.load(self._place(row, column), align=4)

    def store(self, vector, row, column=None):
        self._builder.store(vector, self._place(row, column), align=4)

    def store_some(self, vector, row, column, n):
        """Store the first ``n`` numbers of ``vector`` alone, where there are fewer than TILE."""
        builder = self._builder
        whole = builder.icmp_signed(">=", n, n.type(TILE))
        with builder.if_else(whole, likely=True) as (all_of_them, some):
            with all_of_them:
                self.store(vector, row, column)
            with some:
                first = builder.bitcast(self._place(row, column), ir.FloatType().as_pointer())
                with cgutils.for_range(builder, n) as loop:
                    number = builder.extract_element(vector, loop.index)
                    builder.store(number, builder.gep(first, [loop.index]))


def _unpacked(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    if isinstance(kind, types.Array):
        return Rows(context, builder, kind, value)
    if isinstance(kind, types.UniTuple):
        each = cgutils.unpack_tuple(builder, value)
        return [_unpacked(context, builder, kind.dtype, one) for one in each]
    return value


def void(signature: Any, body: Callable[..., None]) -> tuple[Any, Callable[..., Any]]:
    """An intrinsic's ``signature``, and the code that ``body(builder, *arguments)`` builds.

    Arrays come as :class:`Rows`, tuples as lists.
    """

    def generate(context, builder, signature, arguments):
        pairs = zip(signature.args, arguments, strict=True)
        body(builder, *(_unpacked(context, builder, *pair) for pair in pairs))
        return context.get_dummy_value()

    return signature, generate
