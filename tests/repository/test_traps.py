"""docs/traps.md names tests that exist, and every planted bug has its row."""

import ast
import re
from pathlib import Path

from repository.test_mutations import QUICK, SLOW

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


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
