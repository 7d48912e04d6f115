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
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler, sigutils, typed_passes, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.extending import overload
from numba.np import arrayobj

from sixmax.base import locks
from sixmax.base.code_digest import CACHE, source_digest
from sixmax.base.progress import compiling

_BY_KERNEL = "no_cpython_wrapper"  # numba's option; on while another kernel asks for this one


def adopt(kernel: Any, plain: Callable[[types.Type], types.Type], by_both: bool) -> None:
    """Keep ``kernel``, a dispatcher, on disk; one process compiles it, by ``plain`` types.

    Python calls a kernel through a wrapper, which takes every array of every tuple out of its
    object: a quarter of the time of compiling. A kernel that another kernel asks for first has none
    until Python calls it too, and is then compiled again; ``by_both`` has it at once. A function
    without a file, as one of a notebook, is not kept: no digest tells its callees.
    """
    compile_now, template, insert = kernel.compile, kernel.get_call_template, kernel.add_overload
    options, of, wrapped = kernel.targetoptions, kernel.overloads, set()  # entry points
    options[_BY_KERNEL] = False
    if os.path.isfile(inspect.getfile(kernel.py_func)):
        kernel._cache = _Cache(kernel.py_func, options)

    def is_wrapped(arguments: Any) -> bool:
        return arguments in of and of[arguments].entry_point in wrapped

    # numba's own lock comes first: no two threads of a process then wait for files. Kernels call
    # no kernel that calls them, so that no two processes wait for each other.
    def compile_alone(signature: Any) -> Any:
        arguments, result = sigutils.normalize_signature(signature)
        arguments = tuple(map(plain, arguments))
        if not is_wrapped(arguments):
            with global_compiler_lock:
                if not is_wrapped(arguments) and not options[_BY_KERNEL]:
                    of.pop(arguments, None)
                if arguments not in of:
                    with _alone(kernel):
                        compile_now(result(*arguments) if result else arguments)
        return of[arguments].entry_point

    def compile_for_kernel(arguments: Any, named: Any) -> Any:
        before, options[_BY_KERNEL] = options[_BY_KERNEL], not by_both  # a caller holds the lock
        try:
            return template(arguments, named)
        finally:
            options[_BY_KERNEL] = before

    def add(result: Any) -> None:
        if _has_wrapper(result):
            wrapped.add(result.entry_point)
            insert(result)
        else:  # Python's calls do not meet it
            of[tuple(result.signature.args)] = result

    kernel.compile, kernel.add_overload = compile_alone, add
    kernel.get_call_template = compile_for_kernel


def _alone(kernel: Any) -> AbstractContextManager[None]:
    """No other process compiles ``kernel`` meanwhile; the clock of progress stops for the wait."""
    folder, code = kernel._cache.cache_path, kernel.py_func.__code__
    if folder is None:
        return nullcontext()
    return locks.alone(Path(folder, f"{code.co_qualname}.{code.co_firstlineno}.lock"), compiling)


def _has_wrapper(result: Any) -> bool:
    return result.library.get_pointer_to_function(result.fndesc.llvm_cpython_wrapper_name) != 0


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

    def __init__(self, function, options):
        super().__init__(function)
        self._options = options
        self._cache_file = _Index(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig, target_context):
        result = super().load_overload(sig, target_context)
        return result if result and (self._options[_BY_KERNEL] or _has_wrapper(result)) else None

    def save_overload(self, sig, data):
        with suppress(OSError):  # a place that may only be read, a full disk: compiled again
            super().save_overload(sig, data)


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
