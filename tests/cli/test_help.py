"""`sixmax --help`: every command once, in a group, with a line of its own."""

import json
import re

import click
import pytest

from commands import called
from processes import ROOT
from sixmax.api.solve_file import RAISES
from sixmax.base import retired
from sixmax.cli import COMMANDS, GROUPS, STAGES, function_at, line_of
from sixmax.cli.command import command

EVERY = [*COMMANDS, *(f"stage {name}" for name in STAGES)]


def test_help__lists_every_command_in_its_group_on_one_line():
    text = called("--help").output
    lines = [line.split() for line in text.splitlines() if line.startswith("  ")]
    listed = [words[0] for words in lines if words[0] in COMMANDS]
    assert listed == [name for group in GROUPS.values() for name in group]
    assert len(listed) == sum(len(group) for group in GROUPS.values()) == len(COMMANDS) <= 39
    for name, place in COMMANDS.items():
        assert [name, *line_of(place).split()] in lines
    assert any(words[0] == "stage" for words in lines)


def test_help__lists_the_stages_of_the_workflow_apart():
    text = called("stage", "--help").output
    lines = [line.split() for line in text.splitlines() if line.startswith("  ")]
    for name, place in STAGES.items():
        assert [name, *line_of(place).split()] in lines


def test_guide__names_the_commands_of_before():
    text = (ROOT / "docs" / "guide" / "run.md").read_text(encoding="utf-8")
    moved, rows = text.split("## Commands of before")[1].split("## ")[0].split("\n\n|")
    assert dict(re.findall(r"^\| `([a-z-]+)` \| `(.+)` \|$", rows, re.M)) == retired.COMMANDS
    assert re.findall(r"`([a-z-]+)`", moved) == [name for name in STAGES if name != "pool"]


@pytest.mark.parametrize("name", EVERY)
def test_help__explains_each(name):
    text = called(*name.split(), "--help").output
    assert "Raises" not in text
    assert "``" not in text


@pytest.mark.parametrize("name", EVERY)
def test_help__says_of_each_argument_its_words_or_its_meaning(name):
    place = (COMMANDS | STAGES)[name.removeprefix("stage ")]
    made = command(name, function_at(place))
    for each in made.params:
        if isinstance(each, click.Argument):
            metavar = (each.metavar or each.name.upper()).strip("[].")
            assert re.search(rf"\b{metavar}\b", made.help), metavar
            for word in getattr(each.type, "choices", ()):
                assert word in made.help


def test_help__of_stages_does_not_name_itself():
    assert "stage --help" in called("--help").output
    assert "stage --help" not in called("stage", "--help").output


@pytest.mark.parametrize("place", [*COMMANDS.values(), *STAGES.values()])
def test_help__first_line_can_be_read_alone(place):
    assert re.search(r"\b([Tt]hese|[Tt]hose|such)\b", line_of(place)) is None


def test_help__default_of_raises_can_be_copied():
    text = called("solve", "--help", terminal_width=300).output
    assert json.loads(re.search(r"Default: (\{.*\})", text)[1]) == RAISES
