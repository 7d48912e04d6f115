"""Digests change with the code that a module imports, and with no other."""

import datetime
import json
import re
import shutil
from pathlib import Path

import pytest

import sixmax.base.code_digest as digests
from processes import PYTHON, ROOT, printed
from sixmax.base.code_digest import PACKAGE, closure, code_digest, commit, made_now, source_digest


@pytest.fixture
def copy(monkeypatch, tmp_path):
    """A copy of the package, which the digests are of."""
    shutil.copytree(PACKAGE, tmp_path / "sixmax", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(digests, "PACKAGE", tmp_path / "sixmax")
    forget()
    yield tmp_path / "sixmax"
    monkeypatch.undo()
    forget()


def forget():
    inner = digests._imports, digests._text_digest, digests._kept
    for cached in (code_digest, source_digest, closure, *inner):
        cached.cache_clear()


def changed_by(file, text, digest_of, modules):
    """The ``modules`` whose digest is another once ``text`` is added to ``file``."""
    forget()
    before = {module: digest_of(module) for module in modules}
    file.write_text(file.read_text() + text)
    forget()
    return [module for module in modules if digest_of(module) != before[module]]


STAGES = [
    "abstraction.features", "blueprint.train", "evaluation.match.contest",
    "evaluation.search_gain.gain", "report.page",
]  # fmt: skip


def test_code_digest__changes_with_what_a_stage_imports(copy):
    assert changed_by(copy / "report/page.py", "\nMORE = 1\n", code_digest, STAGES) == STAGES[-1:]
    assert changed_by(copy / "cards/evaluate.py", "\nMORE = 1\n", code_digest, STAGES) == STAGES
    later = changed_by(copy / "search/public_hand.py", "\nMORE = 1\n", code_digest, STAGES)
    assert later == ["evaluation.search_gain.gain", "report.page"]


@pytest.mark.parametrize(
    "edited",
    [
        "hands/phh.py", "evaluation/match/two_runs.py", "agents/rule.py",
        "evaluation/aivat/values_fit.py", "evaluation/exploitability/lbr.py",
        "evaluation/search_gain/duel.py",
    ],
)  # fmt: skip
def test_code_digest__of_the_search_gain_sees_no_other_evaluation(copy, edited):
    """The gain is a third of a run: an edit of matches, hands or AIVAT does not repeat it."""
    stages = ["evaluation.search_gain.gain", "evaluation.search_gain.duel"]
    after = changed_by(copy / edited, "\nMORE = 1\n", code_digest, stages)
    assert stages[0] not in after
    assert edited != "evaluation/search_gain/duel.py" or after == stages[1:]


def test_code_digest__sees_neither_comments_nor_docstrings(copy):
    assert changed_by(copy / "cards/evaluate.py", "\n# more\n", code_digest, STAGES) == []
    page = copy / "report" / "page.py"
    before = code_digest("report.page")
    page.write_text('"""Another docstring."""\n' + page.read_text().split('"""', 2)[2])
    forget()
    assert code_digest("report.page") == before


def test_code_digest__of_a_module_that_is_not_there():
    with pytest.raises(ValueError, match=r"sixmax.report.nowhere: no such module"):
        code_digest("report.nowhere")


def test_source_digest__of_a_kernel_sees_constants_it_imports_and_comments(copy):
    kernels = ["cards/evaluate", "cfr/regret", "cfr/sampled/traverse"]
    paths = [copy / f"{name}.py" for name in kernels]
    assert changed_by(copy / "cfr/regret.py", "\n# more\n", source_digest, paths) == paths[1:]


def test_closure__has_imports_inside_functions_and_of_test_modules():
    names = {file.name for file in closure(PACKAGE / "cli" / "command.py")}
    assert {"command.py", "packed.py", "progress.py"} <= names
    oracle = closure(ROOT / "tests" / "oracles" / "aivat.py")
    assert PACKAGE / "base" / "jit.py" in oracle
    assert PACKAGE / "report" / "page.py" not in oracle


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import sixmax as sx", True),
        ("import sixmax.base.jit", True),  # the name of the package is bound
        ("from sixmax import cfr", True),
        ("from sixmax import (\n    base,\n    cfr as learning,\n)", True),
        ("import sixmax.base.jit as jit", False),
        ("from sixmax.base import jit", False),
        ("from sixmax.base.jit import njit", False),
    ],
)
def test_closure__of_research_code_has_all_that_a_name_can_reach(tmp_path, line, expected):
    """A kernel may call `sx.cfr.regret.match` after no more than `import sixmax as sx`."""
    (tmp_path / "lab.py").write_text(f"{line}\n")
    reached = closure(tmp_path / "lab.py")
    assert (PACKAGE / "cfr" / "regret.py" in reached) == expected
    assert PACKAGE / "base" / "kernels.py" in reached or "cfr" in line


def test_layers__are_those_of_pyproject():
    """The import check of `make lint`, so that `make test` alone notices too."""
    printed(Path(PYTHON).parent / "lint-imports", "--no-cache")


def test_layers__name_every_part():
    import tomllib

    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    named = [name.strip() for layer in layers for name in layer.split("|")]
    outside = {"__init__", "__main__", "__pycache__", "config"}
    parts = [path for path in PACKAGE.iterdir() if path.suffix in ("", ".py")]  # not py.typed
    expected = {f"sixmax.{path.stem}" for path in parts if path.stem not in outside}
    assert sorted(named) == sorted(expected)


def test_code_digest__is_the_same_with_and_without_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(digests, "CACHE", tmp_path)
    actual = []
    for damage in (None, None, "{", "[1]"):
        if damage:
            (kept,) = tmp_path.iterdir()
            kept.write_text(damage)
        forget()
        actual.append(digests.code_digest("plan.plan"))
    assert len(set(actual)) == 1
    (kept,) = tmp_path.iterdir()
    assert len(json.loads(kept.read_text())) > 50


def test_closure__of_an_installed_package_has_no_library_that_lies_beside_it(tmp_path, monkeypatch):
    """As in site-packages: the folder of sixmax is the folder of numpy too."""
    package = tmp_path / "sixmax"
    package.mkdir()
    (tmp_path / "library.py").write_text("")
    (package / "low.py").write_text("import library\n")
    (package / "high.py").write_text("from library import x\nfrom sixmax import low\n")
    outside = tmp_path / "plugin.py"
    outside.write_text("import library\nfrom sixmax.high import y\n")
    monkeypatch.setattr(digests, "PACKAGE", package)
    ours = (package / "high.py", package / "low.py")
    assert digests.closure(package / "high.py") == ours
    assert digests.closure(outside) == (outside, *ours)


def test_commit__is_one_word():
    assert re.fullmatch(r"[0-9a-f]{7,40}\+?|unknown", commit())


def test_made_now__is_this_minute_in_utc():
    actual = made_now()
    date = datetime.datetime.strptime(actual["date"], "%Y-%m-%dT%H:%MZ")
    age = datetime.datetime.now(datetime.UTC) - date.replace(tzinfo=datetime.UTC)
    assert 0 <= age.total_seconds() < 120
    assert actual["commit"] == commit()
