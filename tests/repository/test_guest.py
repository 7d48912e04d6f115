"""sixmax is a good guest: a process that imports it stays as it would be without.

Two processes are held to each other: both have kernels of their own, one has all of sixmax too.
"""

import json
import os
import subprocess
import sys

import pytest

from processes import printed

KERNELS = """
import numba
import numpy as np


@numba.njit(cache=True)
def total(array):
    result = 0.0
    for x in array:
        result += x
    return result


@numba.njit(cache=True, parallel=True)
def squares(array):
    for i in numba.prange(len(array)):
        array[i] = array[i] ** 2


@numba.njit(cache=True)
def assign(out, values):
    out[:2] = values


@numba.njit
def assign_rows(out, values):
    out[:2] = values


@numba.njit
def product(a, b):
    return np.dot(a, b)
"""
STATE = """
import gc, json, locale, logging, multiprocessing, os, random, signal, sys, threading
import numpy as np

random.seed(1)
np.random.seed(1)

def name(thing):
    return f"{thing.__module__}.{thing.__qualname__}"

def state():
    import numba
    from numba.core import caching, compiler, dispatcher, event
    from numba.np import arraymath, arrayobj

    return {
        "environment": dict(os.environ),
        "numba.config": {k: repr(v) for k, v in vars(numba.config).items() if k.isupper()},
        "locators": [name(x) for x in caching.CacheImpl._locator_classes],
        "cache classes": [name(getattr(caching, x)) for x in dir(caching) if "Cache" in x
                          and isinstance(getattr(caching, x), type)],
        "caches": [name(dispatcher.FunctionCache), name(caching.Cache.__init__)],
        "compiler": [name(getattr(compiler.Compiler, x)) for x in
                     ("define_pipelines", "compile_extra")],
        "blas": [arraymath._HAVE_BLAS, "scipy.linalg.cython_blas" in sys.modules],
        "misfit": name(arrayobj.raise_with_shape_context),
        "listeners": {k: len(v) for k, v in event._registered.items() if v},
        "forged": sorted(k for k, v in sys.modules.items() if v is None),
        "threads": [numba.get_num_threads(), numba.threading_layer()],
        "numpy": [np.geterr(), repr(np.get_printoptions()), np.random.random()],
        "python": [
            gc.get_threshold(), gc.get_freeze_count(), gc.isenabled(), sys.getrecursionlimit(),
            sys.getswitchinterval(), [type(x).__name__ for x in sys.meta_path], sys.path,
            name(sys.excepthook), os.getcwd(), random.random(), locale.setlocale(locale.LC_ALL),
            multiprocessing.get_start_method(True), threading.stack_size(),
            logging.getLogger().level, len(logging.getLogger().handlers),
            [str(signal.getsignal(x)) for x in sorted(signal.valid_signals())],
        ],
    }
"""
SIXMAX = """
import importlib, pkgutil
import sixmax, sixmax.base.jit
names = [x.name for x in pkgutil.walk_packages(sixmax.__path__, "sixmax.")]
assert len(names) > 200
for each in names:
    if not each.endswith("__main__"):
        importlib.import_module(each)
from sixmax.base import jit
from sixmax.cfr import regret

regret.match(np.zeros(2, np.int32), 0, 2, np.zeros(2))

@jit.njit
def ours(out, values):
    kernels.assign_rows(out, values)
    out[:2] = values
"""
WORK = """
import kernels
shown = {}

def refusal(kernel):
    try:
        kernel(np.zeros(3), np.zeros(3))
    except ValueError as error:
        return str(error)

def work():
    array = np.arange(5.0)
    kernels.squares(array)
    shown["results"] = [kernels.total(array), array.tolist(), kernels.product(array, array)]
    shown["refusals"] = [refusal(kernels.assign), refusal(kernels.assign_rows)]
    shown["cached in"] = [kernels.total._cache.cache_path, kernels.squares._cache.cache_path]
    shown["hits"] = [sum(x._cache_hits.values()) for x in (kernels.total, kernels.squares)]
"""
GUEST = """
shown["ours"] = refusal(ours)
spent = sixmax.base.progress.compiled_s()
work()
assert sixmax.base.progress.compiled_s() == spent
"""
LONG = "cannot assign slice of shape (2,) from input of shape (3,)"


def shown_by(folder, *parts):
    """The state at the end of a process of its own, without the settings of this one."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    kept = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CACHE_HOME": home}
    paths = {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    code = "\n".join([*parts, "print(json.dumps(shown | state()))"])
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | paths, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The state of a process that never hears of sixmax, and its folder."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "kernels.py").write_text(KERNELS)
    return folder, shown_by(folder, STATE, WORK, "work()")


@pytest.mark.parametrize("first", ["sixmax", "numba"])
def test_import__leaves_the_process_as_it_is(alone, first):
    folder, expected = alone
    parts = (SIXMAX, WORK) if first == "sixmax" else (WORK, SIXMAX)
    actual = shown_by(folder, STATE, *parts, GUEST)
    assert actual.pop("ours") == LONG  # by a foreign kernel that a kernel of ours calls
    assert actual.pop("hits") == [1, 1]  # of kernels that the other process has kept
    for key in actual:
        assert actual[key] == expected[key], key
    assert actual["refusals"] == [LONG, LONG]
    assert actual["cached in"] == [str(folder / "__pycache__")] * 2


def test_import__of_the_package_alone_is_quick_and_loads_no_numba():
    code = (
        "import sys, time; start = time.process_time(); import sixmax; "
        "print(time.process_time() - start, *{'numba', 'numpy', 'pydantic'} & set(sys.modules))"
    )
    seconds, *loaded = printed(sys.executable, "-c", code).split()
    assert loaded == []
    assert float(seconds) < 0.3
