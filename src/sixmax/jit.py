"""numba's flags, and instructions that numba lacks."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sixmax import compile_clock
from sixmax.code_digest import CACHE

_PARTS = 32  # of the work that several threads share

os.environ.setdefault("NUMBA_CACHE_DIR", str(CACHE / "numba"))
# Threads that wait for others spin for some 30 microseconds, as long as it takes to wake one, and
# then sleep: docs/results/performance.md has training with other spins.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ["OMP_WAIT_POLICY"] = "passive"
    os.environ.setdefault("GOMP_SPINCOUNT", "3000")
if "numba" in sys.modules:  # imported before us: it has read its environment already
    sys.modules["numba"].config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]

import numba  # noqa: E402
import numpy as np  # noqa: E402
from llvmlite import ir  # noqa: E402
from numba import prange  # noqa: E402
from numba.core import cgutils, event, sigutils, types  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.extending import intrinsic, overload, register_jitable  # noqa: E402
from numba.np import arrayobj  # noqa: E402

from sixmax import kernel_cache  # noqa: E402


class _Clock(event.Listener):
    """Stops the clock of progress while a kernel is compiled; one from the cache tells nothing."""

    def on_start(self, event):
        compile_clock.begin()

    def on_end(self, event):
        compile_clock.end()


event.register("numba:compile", _Clock())
kernel_cache.install()

# To see whether there is a BLAS, numba imports scipy.linalg as soon as it loads a kernel: 0.3 s of
# every job. None of our kernels multiplies matrices; one that did would still find its BLAS.
_BLAS = "scipy.linalg.cython_blas"
if _BLAS not in sys.modules:
    sys.modules[_BLAS] = None  # type: ignore[assignment]  # imports of it fail
    from numba.np import arraymath

    arraymath._HAVE_BLAS = True
    del sys.modules[_BLAS]


# numba tells both shapes where an array does not fit a slice, by a message that compiles for 2 s in
# every process that compiles such a kernel.
def _misfit(shape, slice_shape):
    """Raise ValueError: an array does not fit the slice that it is assigned to."""


@overload(_misfit)
def _misfit_in_kernels(shape, slice_shape):
    def refuse(shape, slice_shape):
        raise ValueError("an array does not fit the slice that it is assigned to")

    return refuse


arrayobj.raise_with_shape_context = _misfit

# A flag that a kernel does not set is that of whichever kernel has it compiled first, and then lies
# in the cache for all: so every kernel sets all that are handed down. C calls no kernel; a wrapper
# for it would take a twentieth of the time of compiling.
_FLAGS = {
    "cache": True, "nogil": True, "error_model": "python", "fastmath": False,
    "forceinline": False, "_nrt": True, "no_cfunc_wrapper": True,
}  # fmt: skip


@contextmanager
def _alone(kernel: Any) -> Iterator[None]:
    """No other process compiles ``kernel`` meanwhile; the clock of progress stops for the wait.

    numba's own lock comes first: no two threads of a process then wait for files. Kernels call
    no kernel that calls them, so that no two processes wait for each other.
    """
    path = Path(kernel._cache.cache_path, f"{kernel.__qualname__}.lock")
    with global_compiler_lock:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("ab")
        except OSError:  # a cache that may only be read
            yield
            return
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                compile_clock.begin()
                try:
                    fcntl.flock(file, fcntl.LOCK_EX)
                finally:
                    compile_clock.end()
            except OSError:  # a file system without locks: kernels may be compiled twice
                pass
            yield


def _plain(kind: types.Type) -> types.Type:
    """The type that a kernel is compiled for: small and literal integers are int64.

    Python should pass an int and no np.int32, whose kernel numba looks up anew at each call.
    """
    kind = types.unliteral(kind)
    small = isinstance(kind, types.Integer) and kind.signed and kind.bitwidth < 64
    return types.int64 if small else kind


def _decorator(**flags: bool) -> Callable[..., Any]:
    """numba's decorator with ``flags`` beside ours; one process compiles a kernel, others wait."""
    compiled = numba.njit(**_FLAGS | flags)

    def decorate(function: Callable[..., Any]) -> Any:
        kernel = compiled(function)
        if numba.config.DISABLE_JIT:
            return kernel
        compile_now = kernel.compile

        def compile_alone(signature: Any) -> Any:
            arguments, result = sigutils.normalize_signature(signature)
            arguments = tuple(map(_plain, arguments))
            if arguments in kernel.overloads:
                return kernel.overloads[arguments].entry_point
            with _alone(kernel):
                return compile_now(result(*arguments) if result else arguments)

        kernel.compile = compile_alone
        return kernel

    return decorate


njit = _decorator()
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
_INLINED = {k: v for k, v in _FLAGS.items() if k != "cache"} | {"_nrt": False, "forceinline": True}
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
    """The number of threads that parallel kernels use now."""
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


__all__ = [
    "add_shared",
    "claim",
    "formula",
    "in_parts",
    "inlined",
    "njit",
    "parallel",
    "prange",
    "prefetch",
    "read_only",
    "set_threads",
    "threads_in_use",
    "unchecked",
    "uncounted",
    "variants",
]
