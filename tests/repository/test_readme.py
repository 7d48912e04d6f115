"""The commands of README and help: they exist, and their examples are of the default tree."""

import json
import re

import pytest
from benchmarks import claims

from commands import called
from processes import ROOT, printed
from sixmax.blueprint.run import open_run
from sixmax.cli import COMMANDS
from sixmax.pack.card import card
from workflow.forked import without_jobs


def readme_commands():
    """The lines of the README's shell blocks, without comments."""
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.S)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


def test_readme__commands_exist(tmp_path):
    """Every `snakemake` and `sixmax` line in the README's code blocks is at least well formed."""
    commands = readme_commands()
    assert any(line.startswith("make run") for line in commands)
    words = [line.split() for line in commands]
    targets = [w[1] for w in words if w[0] == "snakemake" and len(w) == 2]
    assert len(targets) > 8
    done = without_jobs(*targets, "-n", "--directory", str(tmp_path))  # they start together
    assert done.returncode == 0, done.stderr
    for line in commands:
        words = line.split()
        if words[0] == "snakemake" and words[1:] in ([], *([t] for t in targets)):
            continue
        if words[0] == "make":
            printed("make", "-n", *words[1:])
        elif words[0] == "snakemake":
            done = without_jobs(*words[1:], "-n", "--directory", str(tmp_path))
            assert done.returncode == 0, line
        elif words[0] == "sixmax":
            called(words[1], "--help")
        elif words[0] == "git":
            assert words[1] == "clone"
        else:
            pytest.fail(f"README: no test knows how to check {line!r}")


def test_examples__name_actions_that_the_default_tree_offers():
    """`sixmax strategy … f f r225` in the README and in its own help."""
    from sixmax.betting.tree_build import build
    from sixmax.config import load

    tree = build(load(ROOT / "config" / "default.yaml").game)
    examples = [*readme_commands(), *called("strategy", "--help").output.splitlines()]
    bettings = set()
    for line in examples:
        if hit := re.search(r"sixmax strategy --run \S+((?: (?:f|c|r\d+)\b)*)", line):
            bettings.add(hit[1])
    assert len(bettings) > 1
    for betting in bettings:
        words = {"f": -1, "c": 0}
        tree.find([words.get(w) if w in words else int(w[1:]) for w in betting.split()])


def test_results__are_what_the_records_say():
    text, kept = (ROOT / "README.md").read_text(), json.loads(claims.KEPT.read_text())
    expected = claims.markdown(kept)
    assert f"<!-- {claims.MARK} -->\n{expected}\n<!-- end of {claims.MARK} -->" in text
    assert len(expected.splitlines()) - 2 <= 10
    assert len(text.split()) <= 1200


def test_results__are_what_their_commands_measure():
    """Three of them, in seconds; `make claims` measures all."""
    kept = json.loads(claims.KEPT.read_text())
    for claim in claims.CLAIMS:
        if claim.name in ("rule of two", "raises", "kuhn"):
            assert claim.value(claims.measure(claim))[0] == claim.value(kept[claim.name])[0]


def test_results__are_those_of_the_cards():
    """A packed run tells the matches of the run that it was made from."""
    kept = json.loads(claims.KEPT.read_text())
    for file, name, key in (
        (claims.SIX, "random", "random of six"),
        (claims.SIX, "call", "call of six"),
        (claims.SIX, "rule", "rule of six"),
        (claims.TWO, "rule", "rule of two"),
    ):
        told = card(open_run(ROOT / file), file)["strength"]
        row = next(row for row in told if (row["a"], row["b"]) == ("blueprint", name))
        assert (row["mean"], row["hands"]) == (kept[key]["mean"], kept[key]["hands"])


def test_help__teaches_every_command():
    for name in COMMANDS:
        assert len(called(name, "--help").output.splitlines()) > 8, name
