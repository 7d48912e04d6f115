"""What kernels share, and the limits of those that count no references."""

import ast
from pathlib import Path

import numpy as np
import pytest
from numba import TypingError
from numba.core.registry import CPUDispatcher

from sixmax.base import jit
from sixmax.base.jit import add_shared, claim, njit, parallel, prange, read_only


@parallel
def _claimed(counter, out):
    for _ in prange(len(out)):
        _claim_for(counter, out)


@njit
def _claim_for(counter, out):
    while True:
        n = claim(counter)
        if n >= out.size:
            return
        out[n % len(out), n // len(out)] += 1


def test_claim__gives_every_number_once():
    counter, out = np.zeros(1, np.int64), np.zeros((4, 50_000), np.int64)
    _claimed(counter, out)
    assert (out == 1).all()
    assert counter[0] >= out.size  # a thread that finds none left has claimed too


@parallel
def _added(array, parts, times):
    for _ in prange(parts):
        _add_often(array, times)


@njit
def _add_often(array, times):
    for k in range(times):
        add_shared(array, k % 2, np.int32(3))


def test_add_shared__loses_nothing_that_others_add():
    array = np.array([7, -7, 1], np.int32)
    _added(array, 4, 100_000)
    assert array.tolist() == [7 + 4 * 50_000 * 3, -7 + 4 * 50_000 * 3, 1]


def test_add_shared__returns_the_sum():
    array = np.array([7, -7], np.int32)
    sums = njit(lambda a: (add_shared(a, 1, np.int32(5)), add_shared(a, 1, np.int32(-9))))(array)
    assert sums == (-2, -11)
    assert array.tolist() == [7, -11]


@njit
def _claim_one(counter):
    return claim(counter)


@njit
def _add_one(array):
    return add_shared(array, 0, np.int32(1))


@njit
def _add_much(array):
    return add_shared(array, 0, 1 << 40)


@njit
def _add_fraction(array):
    return add_shared(array, 0, 2.7)


def shielded(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("kernel", "array"),
    [
        (_claim_one, np.zeros(1, np.int32)),
        (_claim_one, np.zeros(1)),
        (_claim_one, np.zeros((1, 1), np.int64)),
        (_claim_one, shielded(np.zeros(1, np.int64))),
        (_add_one, np.zeros(1, np.float32)),
        (_add_one, np.zeros(1, np.int64)),
        (_add_one, np.zeros(1, np.uint32)),
        (_add_one, np.zeros((1, 1), np.int32)),
        (_add_one, shielded(np.zeros(1, np.int32))),
        (_add_much, np.zeros(1, np.int32)),
        (_add_fraction, np.zeros(1, np.int32)),
    ],
)
def test_shared__refuse_what_they_cannot_add(kernel, array):
    """They would add to the bits of what is there, cut the number, or write where nobody may."""
    with pytest.raises(TypingError):
        kernel(array)


def uncounted(source):
    """The functions of a module that count no references."""
    tree = ast.parse(source)
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        and {ast.unparse(d) for d in node.decorator_list} & {"uncounted", "inlined", "unchecked"}
    ]  # fmt: skip


def returned(function):
    """Names that it returns as they were given: not assigned, alone or in a tuple."""
    stored = {x.id for x in ast.walk(function)
              if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}  # fmt: skip
    values = [x.value for x in ast.walk(function) if isinstance(x, ast.Return) and x.value]
    parts = [p for v in values for p in (v.elts if isinstance(v, ast.Tuple) else [v])]
    return {p.id for p in parts if isinstance(p, ast.Name)} - stored


def test_uncounted__returns_no_argument():
    """numba refuses an array that such a kernel makes, and not one that it was given: a caller
    that counts would let go of what it does not hold."""
    package, seen = Path(jit.__file__).parents[1], 0
    for file in package.rglob("*.py"):
        for function in uncounted(file.read_text()):
            arguments = {a.arg for a in function.args.args}
            assert not arguments & returned(function), f"{file}: {function.name}"
            seen += 1
    assert seen > 30
    bad = "@uncounted\ndef first(a, b):\n    return 1, a"
    assert returned(uncounted(bad)[0]) == {"a"}


@pytest.mark.parametrize(
    "name", ["njit", "njit_for_both", "uncounted", "inlined", "parallel", "unchecked"]
)
def test_flags__are_all_set_so_that_none_is_handed_down(name):
    result = getattr(jit, name)(lambda x: x)
    assert isinstance(result, CPUDispatcher)
    handed_down = {"_nrt", "forceinline", "error_model", "fastmath"}  # by CPUTargetOptions.finalize
    assert handed_down <= set(result.targetoptions)


@njit
def _first(array, at):
    return array[at]


def test_jit__literal_and_small_integers_share_a_kernel():
    @njit
    def of_all(array):
        return _first(array, 0) + _first(array, 1) + _first(array, np.int32(len(array) - 1))

    assert of_all(np.array([1, 20, 300])) == 321
    assert _first(np.array([1, 20, 300]), np.int16(1)) == 20
    assert len(_first.signatures) == 1


@pytest.mark.parametrize("number", [3, np.int64(3), np.float64(0.5), np.zeros(())])
def test_read_only__refuses_a_number(number):
    with pytest.raises(ValueError, match="wanted an array"):
        read_only(number)
