"""How kernels are compiled: their clock, their message, one process at a time."""

import errno
import os
import subprocess
import sys
import time

import numba
import numpy as np
import pytest
from numba.np import arrayobj

from sixmax.base import compile_clock
from sixmax.base.jit import njit, parallel, prange
from sixmax.base.kernels import compiler

LONG = arrayobj.raise_with_shape_context


def test_clock__runs_while_a_kernel_of_ours_is_compiled_and_no_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))  # nothing is kept there
    foreign, kernel = numba.njit(lambda x: x - 1), njit(lambda x: x + 1)
    before = compile_clock.spent()
    foreign(1)
    assert compile_clock.spent() == before
    kernel(1)
    after = compile_clock.spent()
    assert after > before
    kernel(1)
    assert compile_clock.spent() == after


def test_clock__stops_where_a_kernel_does_not_compile():
    kernel = njit(lambda x: x.nothing)
    with pytest.raises(numba.TypingError):
        kernel(1)
    after = compile_clock.spent()
    time.sleep(0.01)
    assert compile_clock.spent() == after


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

    monkeypatch.setattr(compiler.fcntl, "flock", refuse)
    assert njit(lambda a: a + 1)(1) == 2
