"""Our compiled kernels: where they are kept, and how they are compiled.

All of it holds for our kernels alone: those of others in the same process, and those of others
that ours call, are compiled and kept as if sixmax were not there.

numba's own cache notices an edit in the file of a kernel but not in the files of the kernels it
calls, and then silently runs the old machine code. Our kernels are therefore kept by module and by
a digest of the module and all that it imports. numba's setting of other places
(NUMBA_CACHE_LOCATOR_CLASSES) would move the kernels of others too, so each of ours is given a cache
of its own.
"""

import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler, typed_passes
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.extending import overload
from numba.np import arrayobj

from sixmax.base import locks
from sixmax.base.code_digest import CACHE, source_digest
from sixmax.base.progress import compiling


def keep(kernel: Any) -> None:
    """Let the dispatcher ``kernel`` be kept on disk, below NUMBA_CACHE_DIR or our own cache.

    A function without a file, as one of a notebook, is not kept: no digest tells its callees.
    """
    if os.path.isfile(inspect.getfile(kernel.py_func)):
        kernel._cache = _Cache(kernel.py_func)


class _Locator(caching._CacheLocator):
    """The folder of a compiled kernel, named after its module and the digest of that."""

    def __init__(self, function):
        self._py_file = inspect.getfile(function)
        self._line = function.__code__.co_firstlineno
        self._digest = source_digest(Path(self._py_file))
        self._folder = f"{function.__module__}-{self._digest}"

    def get_cache_path(self):
        return os.path.join(numba.config.CACHE_DIR or CACHE / "numba", self._folder)

    def get_source_stamp(self):
        return self._digest

    def get_disambiguator(self):
        return str(self._line)


class _Kept(caching.CompileResultCacheImpl):
    """numba's form of a compiled kernel in a file, in no other place than ours."""

    def __init__(self, function):
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function)
        name = f"{Path(self._locator._py_file).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class _Index(caching.IndexDataCacheFile):
    """The kernels of a function, by the types of its arguments; none where a class has moved.

    The digest does not cover the class of an argument, as the game that a kernel of all games gets.
    """

    def _load_index(self):
        try:
            return super()._load_index()
        except (ImportError, AttributeError, OSError):
            return {}


class _Cache(caching.FunctionCache):
    _impl_class = _Kept

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = _Index(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def save_overload(self, sig, data):
        with suppress(OSError):  # a place that may only be read, a full disk: compiled again
            super().save_overload(sig, data)


@contextmanager
def alone(kernel: Any) -> Iterator[None]:
    """No other process compiles ``kernel`` meanwhile; the clock of progress stops for the wait.

    numba's own lock comes first: no two threads of a process then wait for files. Kernels call
    no kernel that calls them, so that no two processes wait for each other.
    """
    folder = kernel._cache.cache_path
    with global_compiler_lock, ExitStack() as held:
        if folder is not None:
            lock = Path(folder, f"{kernel.__qualname__}.lock")
            held.enter_context(locks.alone(lock, compiling))
        yield


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


_OURS = {typed_passes.NativeLowering: _Lowering, typed_passes.NativeParforLowering: _ParforLowering}


class Compiler(compiler.Compiler):
    """numba's compiler, timed and with the short message."""

    def compile_extra(self, func):
        with compiling():
            return super().compile_extra(func)

    def define_pipelines(self):
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.passes = [(_OURS.get(step, step), text) for step, text in each.passes]
            each.finalize()
        return pipelines
