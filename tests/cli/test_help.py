"""`sixmax --help`: every command once, in a group, with a line of its own."""

from click.testing import CliRunner

from sixmax.cli import COMMANDS, GROUPS, app


def test_help__lists_every_command_in_its_group_on_one_line():
    text = CliRunner().invoke(app, ["--help"]).output
    lines = [line.split() for line in text.splitlines() if line.startswith("  ")]
    listed = [words[0] for words in lines if words[0] in COMMANDS]
    assert listed == [name for group in GROUPS.values() for name in group]
    assert len(listed) == sum(len(group) for group in GROUPS.values()) == len(COMMANDS)
    for name, (_, expected) in COMMANDS.items():
        assert [name, *expected.split()] in lines
