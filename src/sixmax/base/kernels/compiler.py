"""The compiler of our kernels: one process at a time, timed, with a short message.

All of it holds for our kernels alone: those of others in the same process, and those of others
that ours call, are compiled as if sixmax were not there.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from numba.core import compiler, typed_passes
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.extending import overload
from numba.np import arrayobj

from sixmax.base import compile_clock


@contextmanager
def alone(kernel: Any) -> Iterator[None]:
    """No other process compiles ``kernel`` meanwhile; the clock of progress stops for the wait.

    numba's own lock comes first: no two threads of a process then wait for files. Kernels call
    no kernel that calls them, so that no two processes wait for each other.
    """
    folder = kernel._cache.cache_path
    with global_compiler_lock, ExitStack() as held:
        if folder is not None:
            # A cache that may only be read, a file system without locks: it is compiled twice.
            with suppress(OSError):
                os.makedirs(folder, exist_ok=True)
                path = Path(folder, f"{kernel.__qualname__}.lock")
                _lock(held.enter_context(path.open("ab")))
        yield


def _lock(file: IO[bytes]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with compile_clock.running():
            fcntl.flock(file, fcntl.LOCK_EX)


# numba tells both shapes where an array does not fit a slice, by a message that compiles for 2 to
# 4 s in every process that compiles such a kernel. Its passes look the message up by this name
# while they lower a kernel to LLVM, and numba's lock lets no other thread compile meanwhile. The
# callees of a kernel have been compiled before, so that foreign ones keep numba's message.
def _misfit(shape, slice_shape):
    """Raise ValueError: an array does not fit the slice that it is assigned to."""


@overload(_misfit)
def _misfit_in_kernels(shape, slice_shape):
    def refuse(shape, slice_shape):
        raise ValueError("an array does not fit the slice that it is assigned to")

    return refuse


class _Short:
    """A pass that lowers with the short message."""

    def run_pass(self, state):
        long, arrayobj.raise_with_shape_context = arrayobj.raise_with_shape_context, _misfit
        try:
            return super().run_pass(state)
        finally:
            arrayobj.raise_with_shape_context = long


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(_Short, typed_passes.NativeLowering):
    _name = "sixmax_lowering"


@register_pass(mutates_CFG=True, analysis_only=False)
class _ParforLowering(_Short, typed_passes.NativeParforLowering):
    _name = "sixmax_parfor_lowering"


_OURS = {
    typed_passes.NativeLowering: _Lowering,
    typed_passes.NativeParforLowering: _ParforLowering,
}


class Compiler(compiler.Compiler):
    """numba's compiler: the clock of progress stops for it, and a misfit is told in short."""

    def compile_extra(self, func):
        with compile_clock.running():
            return super().compile_extra(func)

    def define_pipelines(self):
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.passes = [(_OURS.get(step, step), text) for step, text in each.passes]
            each.finalize()
        return pipelines
