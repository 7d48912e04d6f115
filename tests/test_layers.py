"""A part imports only what lies to its left."""

import ast
from pathlib import Path

import pytest

import sixmax
from sixmax.layers import BASE, IMPORTS, closure, code_digest

PACKAGE = Path(sixmax.__file__).parent


def imported_parts(file):
    """Names of sixmax's parts and base modules that a file imports anywhere."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sixmax":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sixmax."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("sixmax."))


@pytest.mark.parametrize("part", IMPORTS)
def test_imports__of_a_part_lie_to_its_left(part):
    allowed = {*closure(part), *BASE}
    for file in (PACKAGE / part).rglob("*.py"):
        assert set(imported_parts(file)) <= allowed, file


def test_imports__of_base_modules_stay_in_the_base():
    for name in BASE:
        assert set(imported_parts(PACKAGE / f"{name}.py")) <= {*BASE}, name


def test_parts__are_all_in_the_table():
    folders = {p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()}
    assert folders - {"cli"} == set(IMPORTS)


def test_digest__changes_with_a_parts_code_and_not_with_other_parts(monkeypatch, tmp_path):
    import shutil

    import sixmax.layers as layers

    copy = tmp_path / "sixmax"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(layers, "__file__", str(copy / "layers.py"))
    parts = ["cards", "game", "cfr", "blueprint", "report"]

    def digests():
        code_digest.cache_clear()
        return {part: code_digest(part) for part in parts}

    before = digests()
    page = copy / "report" / "page.py"
    page.write_text('"""Another docstring."""  # a comment\n' + page.read_text().split('"""', 2)[2])
    assert digests() == before
    page.write_text(page.read_text() + "\nMORE = 1\n")
    after = digests()
    assert [p for p in parts if after[p] != before[p]] == ["report"]
    evaluate = copy / "cards" / "evaluate.py"
    evaluate.write_text(evaluate.read_text() + "\nMORE = 1\n")
    assert [p for p in parts if digests()[p] != after[p]] == ["cards", "blueprint", "report"]
    code_digest.cache_clear()
    before = code_digest("cards"), code_digest("cards", "report/page")
    page.write_text(page.read_text() + "\nMORE = 2\n")
    code_digest.cache_clear()
    assert code_digest("cards") == before[0]
    assert code_digest("cards", "report/page") != before[1] != before[0]
    monkeypatch.undo()
    code_digest.cache_clear()
