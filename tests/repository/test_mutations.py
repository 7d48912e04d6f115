"""The bugs of other systems, planted in a copy of the package: a test of ours must fail.

docs/traps.md says which bug is caught where, by tests that exist. A mutation replaces one piece of
source that occurs once in the package; the named test then runs in a process of its own. Without
the compiler, where that is quicker than compiling.
"""

import ast
import re

import pytest

from repository.planted import elsewhere, search, training
from repository.planted.mutation import ROOT, assert_caught, copy, outcome, plant

QUICK = [training.QUICK[0], *search.QUICK, *training.QUICK[1:], *elsewhere.QUICK]
SLOW = [*training.SLOW, *elsewhere.SLOW]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


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


def rows():
    """(trap, where it is caught, whether it is planted) of each line of the table."""
    lines = (ROOT / "docs" / "traps.md").read_text(encoding="utf-8").splitlines()
    table = [line.strip("|").split("|") for line in lines if line.startswith("| ")]
    return [tuple(cell.strip() for cell in cells) for cells in table[1:]]


def functions(file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_traps__every_named_test_exists():
    named = {name for row in rows() for name in NAMED.findall(row[1])}
    assert len(named) > 20
    for file, test in sorted(named):
        assert test in functions(file), f"docs/traps.md names {file}::{test}, which is not there"


def test_traps__each_has_a_test_or_says_why_not():
    assert len(rows()) > 20
    for trap, caught, planted in rows():
        said = "not covered: comes with" in caught or "no test can settle it" in caught
        assert NAMED.search(caught) or said, trap
        assert planted in ("planted", ""), trap


def test_traps__what_is_planted_and_what_is_said_to_be_are_the_same():
    planted = {mutation.test for mutation in QUICK + SLOW}
    said = {"::".join(name) for row in rows() if row[2] for name in NAMED.findall(row[1])}
    assert planted <= said
    for trap, caught, mark in rows():
        named = {"::".join(name) for name in NAMED.findall(caught)}
        assert not mark or named & planted, trap
