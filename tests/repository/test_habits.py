"""Files that other programs read: CI, pre-commit, the Snakemake workflow catalog."""

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from processes import ROOT, finished, printed

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CI = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
ENTRIES = {hook["id"]: hook for each in HOOKS for hook in each["hooks"]}
CHECKS = {  # a command, and the package of the dev group that has it
    "ruff check": "ruff", "ruff format --check": "ruff", "snakefmt --check": "snakefmt",
    "lint-imports --no-cache": "import-linter",
}  # fmt: skip
# The inputs that the actions document, as far as the file could use them.
INPUTS = {
    "actions/checkout": {"fetch-depth", "persist-credentials"},
    "actions/setup-python": {"python-version", "cache", "cache-dependency-path"},
}


def steps(job, key):
    return [step[key] for step in CI["jobs"][job]["steps"] if key in step]


def test_ci__runs_what_a_change_must_pass_with_every_python():
    linux = CI["jobs"]["linux"]
    assert steps("linux", "run") == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    pythons = linux["strategy"]["matrix"]["python"]
    assert all(isinstance(each, str) for each in pythons)  # 3.10 would be 3.1
    assert f">={pythons[0]}" == PROJECT["project"]["requires-python"]
    assert pythons == ["3.11", "3.12", "3.13"]
    assert CI[True].keys() == {"push", "pull_request", "workflow_dispatch"}  # YAML reads `on` so
    assert CI["permissions"] == {"contents": "read"}


def test_ci__takes_actions_by_major_version_with_inputs_that_they_have():
    for job in CI["jobs"].values():
        assert job["timeout-minutes"] <= 30
        for step in job["steps"]:
            if "uses" in step:
                action, _, version = step["uses"].partition("@")
                assert re.fullmatch(r"v\d+", version)
                assert step.get("with", {}).keys() <= INPUTS[action]


def test_ci__tests_on_macos_by_a_target_of_make_whose_folders_exist():
    (run,) = steps("macos", "run")
    said = printed(*run.split(), "-n")
    line = next(line for line in said.splitlines() if "pytest" in line)
    places = [word for word in line.split() if word.startswith("tests/")]
    assert {"tests/cards", "tests/cfr", "tests/cli", "tests/betting", "tests/store"} <= set(places)
    assert not {"tests/serve", "tests/workflow"} & set(places)  # a browser; schedulers
    for place in places:
        assert list(ROOT.glob(place)), place


def test_hooks__are_local_and_ask_what_make_lint_asks():
    (repository,) = HOOKS
    assert repository["repo"] == "local"
    asked = "\n".join(hook["entry"] for hook in ENTRIES.values())
    said = printed("make", "-n", "lint")
    dev = " ".join(PROJECT["dependency-groups"]["dev"])
    for command, package in CHECKS.items():
        assert command in asked
        assert command in said
        assert package in dev
    assert {hook["language"] for hook in ENTRIES.values()} == {"system"}


@pytest.mark.parametrize(
    ("hook", "name", "good", "bad"),
    [
        ("ruff-check", "a.py", "import os\n\nprint(os.sep)\n", "import os\n"),
        ("ruff-format", "a.py", "x = 1\n", "x=1\n"),
        ("snakefmt", "a.smk", 'rule a:\n    input:\n        "x",\n', "rule a:\n  input: 'x'\n"),
        ("large-files", "a b.txt", "small", "large" * 200_000),
    ],
)
def test_hook__takes_a_good_file_and_refuses_a_bad_one(tmp_path, hook, name, good, bad):
    entry = ENTRIES[hook]["entry"].replace(".venv/bin", str(Path(sys.executable).parent))
    file, actual = tmp_path / name, []
    for text in (good, bad):
        file.write_text(text)
        done = finished(*shlex.split(entry), file)
        actual.append(done.returncode)
        assert "Traceback" not in done.stderr
    assert actual == [0, 1]


def test_files__are_small_but_for_those_that_the_hook_leaves_out():
    listed = printed("git", "ls-files", "-z")
    left_out = re.compile(ENTRIES["large-files"]["exclude"])
    files = [ROOT / name for name in listed.split("\0") if name]
    large = [f.name for f in files if f.exists() and f.stat().st_size > 500 * 1024]
    assert [name for name in large if not left_out.search(name)] == []


def test_catalog__finds_what_it_asks_for_standardized_usage():
    """https://snakemake.github.io/snakemake-workflow-catalog, "Adding workflows"."""
    assert "snakemake workflow" in (ROOT / "README.md").read_text().lower()  # it searches for it
    assert 'include: "../Snakefile"' in (ROOT / "workflow" / "Snakefile").read_text()
    assert list((ROOT / "workflow" / "rules").glob("*.smk"))
    assert (ROOT / "config" / "README.md").is_file()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    deployment = usage["software-stack-deployment"]
    assert deployment.keys() == {"conda", "apptainer", "apptainer+conda", "report"}
    # A rule with an environment of its own would be deployed by it.
    rules = "\n".join(f.read_text() for f in (ROOT / "workflow").rglob("*.smk"))
    assert deployment["conda"] is bool(re.search(r"^\s+conda:", rules, re.M)) is False
