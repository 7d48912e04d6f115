"""Options of the commands that search, as their stages get them."""

import pytest
from click.testing import CliRunner

from sixmax.cli import app
from sixmax.evaluation.search_gain import stage

GAIN = ["gain", "--run", "r", "--hands", "2", "--seed", "1", "--out", "gain.json"]


@pytest.mark.parametrize(
    ("options", "buckets"),
    [([], 500), (["--setting", "fast"], 0), (["--setting", "fast", "--flops", "2"], 500)],
)
def test_gain__on_flops_keeps_their_buckets_in_the_fast_setting(
    tmp_path, monkeypatch, options, buckets
):
    given = []
    monkeypatch.setattr(stage, "gain", lambda **options: given.append(options))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*GAIN, *options])
    assert done.exit_code == 0, done.output
    (actual,) = given
    assert actual["config"].buckets == buckets


@pytest.mark.parametrize("agent", ["search", "blueprint-purified"])
def test_gain__measures_the_agent_that_is_named(tmp_path, monkeypatch, agent):
    given = []
    monkeypatch.setattr(stage, "gain", lambda **options: given.append(options))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*GAIN, "--agent", agent])
    assert done.exit_code == 0, done.output
    assert given[0]["agent"] == agent
