import json

import pytest
from click.testing import CliRunner

from abstraction.small_deck import RANKS
from sixmax.cli.measure.quality import quality
from sixmax.cli.stages.abstraction import cluster, features
from sixmax.store import read


def call(command, *arguments):
    result = CliRunner().invoke(command, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("command", [features, cluster, quality])
def test_help__names_every_option_and_shows_what_to_type(command):
    text = call(command, "--help")
    assert "--threads" in text
    assert f"sixmax {command.name} " in text


def test_commands__from_a_deck_to_a_quality_report(tmp_path):
    deck = ["--ranks", 4, "--threads", 2]
    train = ["--sample", 500, "--restarts", 1, "--max-iterations", 5, "--seed", 3]
    call(features, "--bins", 10, "--clusters", 3, "--out", tmp_path, *deck)
    options = ["--features", tmp_path, *train, *deck]
    store, report = tmp_path / "b.zarr", tmp_path / "q.json"
    call(cluster, "flop", "--buckets", 7, "--out", store, *options)
    picture = ["--picture", tmp_path / "q.png", "--json", report, "--scored", 500]
    call(quality, "flop", "--buckets", store, *picture, *options)
    assert json.loads(report.read_text())["buckets"] == 7
    assert read(store, "buckets").attributes["config"]["seed"] == 3
    assert len(read(store, "buckets").attributes["code"]) == 16
    assert read(tmp_path / "turn.zarr", "features-turn").attributes["config"]["bins"] == 10


def test_cluster__preflop_needs_no_more_than_the_deck(folder, tmp_path):
    out = ["--features", folder, "--out", tmp_path / "p.zarr", "--ranks", RANKS]
    call(cluster, "preflop", *out)
    assert len(read(tmp_path / "p.zarr", "buckets")["strength"]) == RANKS**2
