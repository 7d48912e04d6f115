"""The bugs of other systems, planted in a copy of the package: a test of ours must fail.

docs/traps.md says which bug is caught where. A mutation replaces one piece of source that occurs
once in the package; the named test then runs in a process of its own. Without the compiler, where
that is quicker than compiling.
"""

import pytest

from repository.planted import elsewhere, search, training
from repository.planted.mutation import assert_caught, copy, outcome, plant

QUICK = [*training.QUICK, *search.QUICK, *elsewhere.QUICK]
SLOW = [*training.SLOW, *elsewhere.SLOW]


@pytest.mark.parametrize("mutation", QUICK[:2], ids=lambda m: m.name)
def test_mutation__is_caught(mutation, tmp_path):
    """Two of them in every run, so that this file cannot rot."""
    assert_caught(mutation, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", QUICK[2:] + SLOW, ids=lambda m: m.name)
def test_mutation__is_caught_slowly(mutation, tmp_path):
    assert_caught(mutation, tmp_path)


@pytest.mark.parametrize("mutation", QUICK + SLOW, ids=lambda m: m.name)
def test_mutation__has_its_place_in_the_source(mutation, tmp_path):
    copy(tmp_path)
    plant(tmp_path, mutation)


@pytest.mark.slow
@pytest.mark.parametrize("jit", [False, True])
def test_copy__without_a_bug_passes_the_same_tests(jit, tmp_path):
    copy(tmp_path)
    for test in sorted({m.test for m in QUICK + SLOW if m.jit == jit}):
        status, output = outcome(tmp_path, test, jit)
        assert status == 0, output[-3000:]
