"""Options that commands share, and the run of a command that names none."""

import re

import click
import pytest
from click.testing import CliRunner

from commands import called
from sixmax.base.errors import UserError
from sixmax.base.options import STARTER, found_run
from sixmax.cli import COMMANDS, STAGES, app

FINDS = {
    "serve", "play", "review", "advise", "strategy", "ranges", "worth", "table", "acpc",
}  # fmt: skip


def trained(name):
    return f"results/{name}/blueprint/strategy.zarr/zarr.json"


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ([STARTER], STARTER), ([STARTER, "hunl.sixmax"], STARTER),
        ([STARTER, trained("default"), trained("tiny")], STARTER), (["hunl.sixmax"], "hunl.sixmax"),
        ([trained("tiny")], "results/tiny"),
        ([trained("tiny"), "results/begun/blueprint/run.json", "results/.gitkeep"], "results/tiny"),
    ],
)  # fmt: skip
def test_found_run__is_the_starter_or_the_only_one(tmp_path, monkeypatch, capsys, there, expected):
    made(tmp_path, there)
    monkeypatch.chdir(tmp_path)
    assert str(found_run()) == expected
    assert capsys.readouterr().err == f"run: {expected}\n"


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ([], "found no results/{run} with a blueprint, and no *.sixmax; name a --run"),
        (["results/begun/blueprint/run.json"], "found no results/{run} with a blueprint, and no"),
        (
            ["b.sixmax", "a.sixmax", trained("tiny"), trained("default")],
            "found 4 runs: a.sixmax, b.sixmax, results/default, results/tiny; name one by --run",
        ),
    ],
)
def test_found_run__several_or_none_is_a_line(tmp_path, monkeypatch, there, expected):
    made(tmp_path, there)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=re.escape(expected)):
        found_run()


def made(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


def declared(flag):
    """Each command that has an option called ``flag``, and the option."""
    context = click.Context(app)
    stages = app.get_command(context, "stage")
    for group, names in ((app, COMMANDS), (stages, STAGES)):
        for name in names:
            for option in group.get_command(context, name).params:
                if flag in option.opts:
                    yield name, option


def test_commands__that_look_up_or_play_find_a_run_and_stages_want_its_name():
    runs = ((name, option) for name, option in declared("--run") if option.name == "folder")
    required = {name: option.required for name, option in runs}
    assert {name for name, wanted in required.items() if not wanted} == FINDS
    assert {"train", "average", "aivat", "improve", "match"} <= required.keys() - FINDS


def test_command__takes_the_run_that_is_found(tmp_path, monkeypatch):
    """One that is named is not looked for."""
    monkeypatch.chdir(tmp_path)
    made(tmp_path, [trained("tiny")])
    done = CliRunner().invoke(app, ["strategy"])
    assert str(done.exception).startswith("results/tiny: found no trained run")
    assert "run: results/tiny\n" in done.stderr
    done = CliRunner().invoke(app, ["strategy", "--run", "other"])
    assert str(done.exception).startswith("other: found no trained run")
    assert done.stderr == ""


def test_seed__has_one_bound_in_every_command():
    seeds = {name: (option.type.min, option.type.max) for name, option in declared("--seed")}
    assert len(seeds) > 15
    assert set(seeds.values()) == {(0, 2**63 - 1)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["review", "x.log", "--worst", "0"], "0 is not in the range x>=1"),
        (["play", "--against", ""], "wanted names, as in blueprint or rule,search"),
    ],
)
def test_options__refused_before_a_run_is_opened(words, said):
    assert said in called(*words, "--run", "r", code=2).output
