"""numba's flags, and instructions that numba lacks."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import prange as prange
from numba.core import cgutils, types
from numba.extending import intrinsic, overload, register_jitable

from sixmax.base import kernels

_PARTS = 32  # of the work that several threads share

# A flag that a kernel does not set is that of whichever kernel has it compiled first, and then lies
# in the cache for all: so every kernel sets all that are handed down. C calls no kernel; a wrapper
# for it would take a twentieth of the time of compiling.
_FLAGS = {
    "nogil": True, "error_model": "python", "fastmath": False,
    "forceinline": False, "_nrt": True, "no_cfunc_wrapper": True,
}  # fmt: skip


def _plain(kind: types.Type) -> types.Type:
    """``kind``, or int64 for small and literal integers: they share a kernel.

    Python should pass an int and no np.int32, whose kernel numba looks up anew at each call.
    """
    kind = types.unliteral(kind)
    small = isinstance(kind, types.Integer) and kind.signed and kind.bitwidth < 64
    return types.int64 if small else kind


def _decorator(by_both: bool = False, **flags: bool) -> Callable[..., Any]:
    """numba's decorator with ``flags`` beside ours; ``by_both``: see :func:`kernels.adopt`."""

    def decorate(function: Callable[..., Any]) -> Any:
        kernel = numba.njit(pipeline_class=kernels.Compiler, **_FLAGS | flags)(function)
        if not numba.config.DISABLE_JIT:
            kernels.adopt(kernel, _plain, by_both)
        return kernel

    return decorate


njit = _decorator()
# For large kernels that both Python and kernels call: compiled once.
njit_for_both = _decorator(by_both=True)
# For kernels that allocate nothing and return no array: numba counts references at every view and
# every field of a tuple, by two locked instructions on memory that all threads share. They were
# four fifths of the time of small games.
uncounted = _decorator(_nrt=False)
# The same for kernels called in one place, millions of times, with many arrays: each is half a
# dozen arguments.
inlined = _decorator(_nrt=False, forceinline=True)
parallel = _decorator(parallel=True)
# The same where division by zero gives inf or nan and no error: loops can then be vectorised.
unchecked = _decorator(error_model="numpy", _nrt=False)

# For formulas of a line: Python calls the plain function, kernels compile it into themselves.
_INLINED = _FLAGS | {"_nrt": False, "forceinline": True}
formula = register_jitable(**_INLINED)


def variants(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function of types that returns the code of ``function`` for kernels; inlined."""
    return overload(function, jit_options=_INLINED)


def _holds(array, dtype):
    """Whether ``array``, a type, is flat, of ``dtype`` and may be written to."""
    kind = types.Array
    return isinstance(array, kind) and (array.ndim, array.dtype, array.mutable) == (1, dtype, True)


def _place(context, builder, array_type, array, at):
    """A pointer to ``array[at]`` of a flat array."""
    struct = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, struct, [at], wraparound=False)


@intrinsic
def prefetch(typing, array, at):
    """In a kernel: ask for the cache line of ``array[at]``, a flat array, and go on."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature.args[0], *arguments)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        wanted = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        asks = builder.module.declare_intrinsic("llvm.prefetch", [byte], wanted)
        reading, everywhere, data = number(0), number(3), number(1)
        builder.call(asks, [builder.bitcast(place, byte), reading, everywhere, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def claim(typing, counter):
    """In a kernel: return ``counter[0]`` int64 and add one; no two threads get the same."""
    if not _holds(counter, types.int64):
        return None

    def generate(context, builder, signature, arguments):
        first = context.get_constant(types.int64, 0)
        place = _place(context, builder, signature.args[0], arguments[0], first)
        return builder.atomic_rmw("add", place, ir.IntType(64)(1), "monotonic")

    return types.int64(counter), generate


@intrinsic
def add_shared(typing, array, at, value):
    """In a kernel: add ``value`` to ``array[at]``, int32, and return the sum; atomic."""
    if not _holds(array, types.int32) or value != types.int32:
        return None

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature.args[0], *arguments[:2])
        return builder.add(
            builder.atomic_rmw("add", place, arguments[2], "monotonic"), arguments[2]
        )

    return types.int32(array, types.int64, types.int32), generate


if numba.config.DISABLE_JIT:

    def prefetch(array, at):
        """Nothing: Python cannot ask."""

    def claim(counter):
        """Without kernels nothing runs beside."""
        counter[0] += 1
        return counter[0] - 1

    def add_shared(array, at, value):
        """Nothing runs beside."""
        array[at] += value
        return array[at]


def set_threads(threads: int) -> None:
    """Let parallel kernels use ``threads`` threads, at most those that the machine has."""
    numba.set_num_threads(max(1, min(threads, numba.config.NUMBA_NUM_THREADS)))


def threads_in_use() -> int:
    """The threads that parallel kernels use now."""
    return int(numba.get_num_threads())


def read_only(array: np.ndarray) -> np.ndarray:
    """A contiguous view that nobody writes to, as a memory map is: both share compiled kernels.

    Raises ValueError for a number, which would become an array of one: kernels are slow with it.
    """
    if np.ndim(array) == 0:
        raise ValueError(f"found the number {array}, wanted an array")
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def in_parts(n: int, kernel: Callable[..., None], *args: Any) -> None:
    """Call ``kernel(*args, start, stop)`` for parts of ``range(n)``, on the threads in use.

    For a kernel made by ``njit`` that is large, and called seldom: a parallel loop around it would
    be compiled with all that it calls twice more, which takes longer than the work.
    """
    bounds = [n * k // _PARTS for k in range(_PARTS + 1)]
    with ThreadPoolExecutor(threads_in_use()) as pool:
        list(pool.map(lambda start, stop: kernel(*args, start, stop), bounds[:-1], bounds[1:]))
