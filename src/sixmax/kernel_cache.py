"""The place where compiled kernels are kept.

numba's own cache notices an edit in the file of a kernel but not in the files of the kernels
it calls, and then silently runs the old machine code. Our kernels are therefore kept by module and
by a digest of the module and all that it imports: an edit compiles the kernels that can see it, and
copies of the same source, wherever they lie, share what is compiled.
"""

import functools
import os
from pathlib import Path

import numba
from numba.core import caching

from sixmax.code_digest import PACKAGE, closure, source_digest


def install() -> None:
    """Let numba keep our kernels so, in the folder of its option CACHE_DIR."""
    caching.CacheImpl._locator_classes = [_BySource, *caching.CacheImpl._locator_classes]
    caching.IndexDataCacheFile = _Index


@functools.cache
def _sees_us(name: str) -> bool:
    """Whether the source file ``name`` is of this package, or imports it."""
    file = Path(name)
    return file.is_file() and any(PACKAGE in each.parents for each in closure(file))


class _BySource(caching.UserProvidedCacheLocator):
    """The place of a compiled kernel: a folder for its module and all that this imports."""

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._digest = source_digest(Path(py_file))
        folder = f"{py_func.__module__}-{self._digest}"
        self._cache_path = os.path.join(numba.config.CACHE_DIR, folder)

    def get_source_stamp(self):
        return self._digest

    @classmethod
    def from_function(cls, py_func, py_file):
        return super().from_function(py_func, py_file) if _sees_us(py_file) else None


class _Index(caching.IndexDataCacheFile):
    """The kernels of a function, by the types of its arguments.

    A type may be a class of a module that the digest does not cover, as the game of a search that
    calls a kernel of all games. If the class has moved since, the kernels are compiled anew.
    """

    def _load_index(self):
        try:
            return super()._load_index()
        except (ImportError, AttributeError):
            return {}
