"""Settings of the command's own process: an import of sixmax elsewhere changes nothing.

None of them changes a result or a compiled kernel: a notebook and a command share both.
"""

import atexit
import gc
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_OBJECTS = 50_000  # new objects before the garbage collector looks through the youngest
_BLAS = "scipy.linalg.cython_blas"
_PRODUCTS = "numba.np.arraymath"


def settle() -> None:
    """Set up this process for one command, before it loads numpy or numba."""
    # A job of `train` ends with 140,000 objects, nearly all of libraries. Looking through them for
    # cycles, while they are imported and again when all ends, was a quarter of it. Seconds of
    # processor by each setting are in docs/results/performance.md, under "ideas tried".
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)
    # numpy's BLAS would start a thread for each core: an eighth of a short job, which multiplies no
    # matrix. And with another number of threads it may add in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    wait_briefly()
    if _PRODUCTS not in sys.modules and _BLAS not in sys.modules:
        sys.meta_path.insert(0, _Unseen())


def wait_briefly() -> None:
    """Let threads that wait for others spin for some 30 microseconds, and then sleep.

    That is as long as it takes to wake one: docs/results/performance.md has other spins. OpenMP
    reads it when the first parallel kernel runs.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ["OMP_WAIT_POLICY"] = "passive"
        os.environ.setdefault("GOMP_SPINCOUNT", "3000")


class _Unseen(MetaPathFinder):
    """Keeps numba's matrix products from importing scipy.linalg to see whether there is a BLAS.

    That is .2 of 1.7 s of processor in every short job. None of our kernels multiplies matrices;
    one that did would still find its BLAS.
    """

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != _PRODUCTS:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        if spec is not None:
            spec.loader.exec_module = _without_blas(spec.loader.exec_module)
        return spec


def _without_blas(run: Any) -> Any:
    def unseeing(module: ModuleType) -> None:
        sys.modules[_BLAS] = None  # imports of it fail
        try:
            run(module)
        finally:
            del sys.modules[_BLAS]
        module._HAVE_BLAS = True

    return unseeing
