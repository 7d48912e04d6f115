"""Compiled kernels are kept by all that they can see, and never run when it has changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sixmax.base.code_digest import source_digest
from sixmax.base.jit import njit
from sixmax.cfr import regret

HELPERS = """

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


def output(folder, code, **variables):
    """Run ``code`` in ``folder``, with a cache of its own there."""
    places = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    own = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": places}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], env=os.environ | own | variables,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


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
