"""The place where our compiled kernels are kept.

numba's own cache notices an edit in the file of a kernel but not in the files of the kernels
it calls, and then silently runs the old machine code. Our kernels are therefore kept by module and
by a digest of the module and all that it imports: an edit compiles the kernels that can see it, and
copies of the same source, wherever they lie, share what is compiled.

numba lets its user choose other places for all kernels of a process alike
(NUMBA_CACHE_LOCATOR_CLASSES). That would move the kernels of others too, so each of our kernels is
given a cache of its own.
"""

import inspect
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from sixmax.base.code_digest import CACHE, source_digest


def keep(kernel: Any) -> None:
    """Let the dispatcher ``kernel`` be kept on disk, below NUMBA_CACHE_DIR or our own cache.

    A function without a file, as one of a notebook, is not kept: no digest tells its callees.
    """
    if os.path.isfile(inspect.getfile(kernel.py_func)):
        kernel._cache = _Cache(kernel.py_func)


class _Locator(caching._CacheLocator):
    """The place of a compiled kernel: a folder for its module and all that this imports."""

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
    """The kernels of a function, by the types of its arguments.

    A type may be a class of a module that the digest does not cover, as the game of a search that
    calls a kernel of all games. If the class has moved since, the kernels are compiled anew.
    """

    def _load_index(self):
        try:
            return super()._load_index()
        except (ImportError, AttributeError, OSError):
            return {}


class _Cache(caching.FunctionCache):
    """The kept kernels of one function."""

    _impl_class = _Kept

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = _Index(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def save_overload(self, sig, data):
        with suppress(OSError):  # a place that may only be read, a full disk: compiled again
            super().save_overload(sig, data)
