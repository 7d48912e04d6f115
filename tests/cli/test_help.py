"""`sixmax --help`: every command once, in a group, with a line of its own."""

import re

import pytest
from click.testing import CliRunner

from processes import ROOT
from sixmax.base import retired
from sixmax.cli import COMMANDS, GROUPS, STAGES, app, line_of


def test_help__lists_every_command_in_its_group_on_one_line():
    text = CliRunner().invoke(app, ["--help"]).output
    lines = [line.split() for line in text.splitlines() if line.startswith("  ")]
    listed = [words[0] for words in lines if words[0] in COMMANDS]
    assert listed == [name for group in GROUPS.values() for name in group]
    assert len(listed) == sum(len(group) for group in GROUPS.values()) == len(COMMANDS) <= 39
    for name, place in COMMANDS.items():
        assert [name, *line_of(place).split()] in lines
    assert any(words[0] == "stage" for words in lines)


def test_help__lists_the_stages_of_the_workflow_apart():
    text = CliRunner().invoke(app, ["stage", "--help"]).output
    lines = [line.split() for line in text.splitlines() if line.startswith("  ")]
    for name, place in STAGES.items():
        assert [name, *line_of(place).split()] in lines


def test_guide__names_the_commands_of_before():
    text = (ROOT / "docs" / "guide" / "run.md").read_text(encoding="utf-8")
    moved, rows = text.split("## Commands of before")[1].split("## ")[0].split("\n\n|")
    assert dict(re.findall(r"^\| `([a-z-]+)` \| `(.+)` \|$", rows, re.M)) == retired.COMMANDS
    assert re.findall(r"`([a-z-]+)`", moved) == [name for name in STAGES if name != "pool"]


@pytest.mark.parametrize("name", [*COMMANDS, *(f"stage {name}" for name in STAGES)])
def test_help__explains_each(name):
    done = CliRunner().invoke(app, [*name.split(), "--help"])
    assert done.exit_code == 0, done.exception
    assert "Raises" not in done.output
    assert "``" not in done.output
