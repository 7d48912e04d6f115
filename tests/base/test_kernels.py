"""Compiled kernels: kept by all that they can see; their clock, message and lock."""

import errno
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import lowering
from numba.np import arrayobj

from processes import PYTHON, printed
from sixmax.base import locks, progress
from sixmax.base.code_digest import source_digest
from sixmax.base.jit import formula, njit, njit_for_both, parallel, prange
from sixmax.cfr import regret

LONG = arrayobj.raise_with_shape_context
HELPERS = """
from sixmax.base.jit import njit, variants

@njit
def weight(x):
    return x * {factor}

def more(x):
    return x

@variants(more)
def _more(x):
    return lambda x: x + {factor}
"""
KERNELS = """
from helpers import more, weight
from sixmax.base.jit import njit, parallel, prange

@njit
def one(x):
    return more(weight(x))

@parallel
def many(out):
    for i in prange(len(out)):
        out[i] = more(weight(i))
"""
CALLS = """
import numpy as np
from kernels import many, one
out = np.zeros(3)
many(out)
print(one(1), out.tolist(), *(sum(x._cache_hits.values()) for x in (one, many)))
"""
MOVED = """
from game import {name}
from kernels import total
print(total({name}(1, 2)))
"""


def output(folder, code, *words, **variables):
    """Run ``code`` in ``folder``, with a cache of its own there."""
    places = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    own = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": places}
    return printed(PYTHON, "-B", "-c", code, *words, **own | variables)


def test_cache__recompiles_research_code_whose_callees_are_edited(tmp_path):
    """Callees, code for kernels and parallel loops alike, in whatever place the user keeps his."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    places = {"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}
    for factor in (2, 3):
        (tmp_path / "helpers.py").write_text(HELPERS.format(factor=factor))
        values = f"{2 * factor} {[float(factor * (i + 1)) for i in range(3)]}"
        for hits in (0, 1):
            assert output(tmp_path, CALLS, **places) == f"{values} {hits} {hits}\n"
    assert not list(tmp_path.glob("__pycache__/*.nbi"))
    assert len(list((tmp_path / "cache").glob("kernels-*"))) == 2


def test_cache__survives_a_class_that_has_moved(tmp_path):
    """A kernel whose module does not know the classes that it is compiled for."""
    kernel = "from sixmax.base.jit import njit\n\n@njit\ndef total(pair): return pair.a + pair.b\n"
    (tmp_path / "kernels.py").write_text(kernel)
    for name in ("First", "Second"):
        game = f"import typing\n\n\nclass {name}(typing.NamedTuple):\n    a: int\n    b: int\n"
        (tmp_path / "game.py").write_text(game)
        for _ in range(2):
            assert output(tmp_path, MOVED.format(name=name)) == "3\n"
    assert list((tmp_path / "cache").glob("kernels-*/*.nbi"))


def test_cache__that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "helpers.py").write_text(HELPERS.format(factor=2))
    (tmp_path / "file").touch()
    code = "from helpers import weight; print(weight(2))"
    assert output(tmp_path, code, NUMBA_CACHE_DIR=str(tmp_path / "file")) == "4\n"


CALLEE = """
import sys
import helpers, kernels
kernel = helpers.weight if sys.argv[1] == "callee" else kernels.one
print(kernel(1), *(sum(x._cache_misses.values()) for x in (helpers.weight, kernels.one)))
"""


def test_wrapper__is_made_where_python_first_calls_a_callee_and_is_kept(tmp_path):
    """Each line: the kernel that Python calls, its value, and kernels that were compiled."""
    (tmp_path / "helpers.py").write_text(HELPERS.format(factor=2))
    (tmp_path / "kernels.py").write_text(KERNELS)
    for words, expected in (
        ("caller", "4 1 1"), ("callee", "2 1 0"), ("callee", "2 0 0"), ("caller", "4 0 0"),
    ):  # fmt: skip
        assert output(tmp_path, CALLEE, words) == expected + "\n"


@pytest.fixture
def wrapped(tmp_path, monkeypatch):
    """The names of kernels of ours that get a wrapper in this process, where nothing is kept."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    names, make = [], lowering.BaseLower.create_cpython_wrapper

    def noted(self, *given):
        names.append(self.fndesc.qualname.split(".")[-1].split("[")[0])
        make(self, *given)

    monkeypatch.setattr(lowering.BaseLower, "create_cpython_wrapper", noted)
    return names


def test_wrapper__is_that_of_a_kernel_which_python_calls(wrapped):
    @formula
    def less(x):
        return x - 1

    @njit
    def half(pair):
        return less(pair[0][0]) / 2

    @njit_for_both
    def quarter(pair):
        return half(pair) / 2

    @njit
    def eighth(pair):
        return quarter(pair) / 2

    pair = (np.full(2, 9.0), np.zeros(3))
    assert eighth(pair) == 1
    assert wrapped == ["quarter", "eighth"]
    assert quarter(pair) == 2
    for _ in range(2):
        assert half(pair) == 4
    assert wrapped == ["quarter", "eighth", "half"]
    half.recompile()
    assert half(pair) == 4
    assert wrapped == ["quarter", "eighth", "half", "half"]


def test_wrapper__is_there_for_each_thread_while_others_compile_callers(wrapped):
    kernels = [njit(lambda x: x + 1) for _ in range(4)]
    callers = [_doubled(kernel) for kernel in kernels]  # theirs is another lock
    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda call: call(1), [*callers, *kernels] * 2))
    assert values == [4, 4, 4, 4, 2, 2, 2, 2] * 2


def _doubled(kernel):
    return njit(lambda x: kernel(x) * 2)


def test_cache__is_by_the_digest_of_the_module():
    folder = Path(regret.match._cache.cache_path)
    assert folder.name == f"sixmax.cfr.regret-{source_digest(Path(regret.__file__))}"


@pytest.mark.parametrize("factor", [2, 3])
def test_cache__keeps_no_function_without_a_file(factor):
    """As those of a notebook: the same text may call another kernel tomorrow."""
    names = {"njit": njit, "factor": factor}
    exec("@njit\ndef weight(x):\n    return x * factor\n", names)
    assert names["weight"](2) == 2 * factor
    assert names["weight"]._cache.cache_path is None


def test_clock__runs_while_a_kernel_of_ours_is_compiled_and_no_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))  # nothing is kept there
    foreign, kernel = numba.njit(lambda x: x - 1), njit(lambda x: x + 1)
    before = progress.compiled_s()
    foreign(1)
    assert progress.compiled_s() == before
    kernel(1)
    after = progress.compiled_s()
    assert after > before
    kernel(1)
    assert progress.compiled_s() == after


def test_clock__stops_where_a_kernel_does_not_compile():
    kernel = njit(lambda x: x.nothing)
    with pytest.raises(numba.TypingError):
        kernel(1)
    after = progress.compiled_s()
    time.sleep(0.01)
    assert progress.compiled_s() == after


@njit
def _assign(out, values):
    out[:2] = values


@parallel
def _assign_rows(out, values):
    for i in prange(len(out)):
        out[i, :2] = values


@pytest.mark.parametrize(("kernel", "shape"), [(_assign, (3,)), (_assign_rows, (4, 3))])
def test_compiler__a_misfit_is_refused_without_shapes(kernel, shape):
    """numba's message would tell the shapes, and compile for longer than most kernels."""
    out = np.zeros(shape)
    kernel(out, np.ones(2))
    assert out.reshape(-1, 3).tolist() == [[1, 1, 0]] * (out.size // 3)
    with pytest.raises(ValueError, match="an array does not fit the slice"):
        _assign(np.zeros(3), np.ones(3))
    assert arrayobj.raise_with_shape_context is LONG


def test_compiler__leaves_numbas_message_where_a_kernel_does_not_compile():
    @njit
    def kernel(array):
        array[0] = array
        return array

    with pytest.raises(numba.core.errors.NumbaError):
        kernel(np.zeros(3, "U3"))
    assert arrayobj.raise_with_shape_context is LONG


ONE_KERNEL = """
import sys, time
from sixmax.cfr import regret
import numpy as np
while time.time() < float(sys.argv[1]):
    time.sleep(0.001)
regret.match(np.zeros(2, np.int32), 0, 2, np.zeros(2))
print(sum(regret.match._cache_misses.values()))
"""


@pytest.mark.slow
def test_alone__compiles_a_kernel_in_one_process_while_others_wait(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", ONE_KERNEL, str(time.time() + 4)]
    jobs = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(2)]
    actual = sorted(int(job.communicate()[0]) for job in jobs)
    assert actual == [0, 1]


def test_alone__compiles_without_locks_where_the_file_system_has_none(monkeypatch):
    def refuse(file, operation):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(locks.fcntl, "flock", refuse)
    assert njit(lambda a: a + 1)(1) == 2
