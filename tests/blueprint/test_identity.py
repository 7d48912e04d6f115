"""The frozen identity of a run."""

import json

import pytest

from sixmax.base.errors import UserError
from sixmax.blueprint import identity

SETTINGS = {"seed": 1, "game": {"stacks": [10, 10]}, "blueprint": {"batch": 5}}
CONTENT = {"tree": "aa", "flop": "bb"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "blueprint" / "run.json"
    identity.write(path, SETTINGS, CONTENT)
    return path


def checkpoint(file, run, content):
    state = file.parent / "state" / "00001.zarr"
    state.mkdir(parents=True)
    (state / "zarr.json").write_text(json.dumps({"attributes": {"run": run, "content": content}}))


def test_write__is_stable_and_read_back(file):
    before = file.read_bytes()
    identity.write(file, SETTINGS, CONTENT)
    assert file.read_bytes() == before
    assert identity.read(file.parents[1])["settings"] == SETTINGS


def test_refuse_other__names_what_differs_and_both_values(file):
    identity.refuse_other(file, SETTINGS)
    other = {**SETTINGS, "blueprint": {"batch": 9}}
    with pytest.raises(UserError, match=r"blueprint\.batch = 5, the config now says 9"):
        identity.refuse_other(file, other)
    identity.refuse_other(file.with_name("none.json"), other)


@pytest.mark.parametrize(
    ("trained", "now", "said"),
    [
        ({"mean_every": 5}, {"mean_every": 5, "mean_after": 3}, "average_after = 0, .* says 3;"),
        ({"mean_every": 5, "mean_after": 3}, {"mean_every": 5}, "average_after = 3, .* says 0;"),
        ({}, {"mean_every": 5, "mean_after": 3}, "mean_every = its default, .* says 5;"),
        ({}, {"algorithm": "libratus", "prune_half": 7}, "prune_half = its default, .* says 7;"),
    ],
)
def test_refuse_other__names_keys_of_today(trained, now, said, tmp_path):
    """`algorithm` and `mean_after` are kept, for the digests of before, but are no keys."""
    file = tmp_path / "blueprint" / "run.json"
    identity.write(file, SETTINGS | {"blueprint": trained}, CONTENT)
    with pytest.raises(UserError, match=rf"trained with blueprint\.{said}"):
        identity.refuse_other(file, SETTINGS | {"blueprint": now})


@pytest.mark.parametrize(
    "key", ["blueprint.prune_share", "abstraction.restarts", "blueprint.mean_after"]
)
def test_refuse_other__of_a_constant_says_that_no_config_trains_the_run_on(key, tmp_path):
    file, (section, name) = tmp_path / "blueprint" / "run.json", key.split(".")
    identity.write(file, SETTINGS | {section: {name: 3}}, CONTENT)
    said = rf"{key} = 3, no key any more; .* only an older sixmax trains it on; now 2; give"
    with pytest.raises(UserError, match=said):
        identity.refuse_other(file, SETTINGS | {section: {name: 2}})


def test_read__refuses_an_edited_file(file):
    file.write_text(file.read_text().replace('"seed": 1', '"seed": 2'))
    with pytest.raises(UserError, match="edited by hand"):
        identity.read(file.parents[1])


def test_write__refuses_where_checkpoints_saw_other_content(file):
    checkpoint(file, "ffff", {"tree": "aa", "flop": "cc"})
    with pytest.raises(UserError, match="another flop than is there now"):
        identity.write(file, SETTINGS, CONTENT)


def test_write__goes_on_where_checkpoints_are_of_this_run(file):
    checkpoint(file, identity.read(file.parents[1])["digest"], CONTENT)
    identity.write(file, SETTINGS, CONTENT)


def test_write__a_damaged_checkpoint_is_one_line(file):
    checkpoint(file, identity.read(file.parents[1])["digest"], CONTENT)
    state = file.parent / "state" / "00001.zarr"
    (state / "zarr.json").write_text('{"attributes": ')
    with pytest.raises(UserError, match=r"00001\.zarr: damaged store; delete the folder"):
        identity.write(file, SETTINGS, CONTENT)
