import json

import pytest

from abstraction.small_deck import RANKS
from commands import called
from sixmax.abstraction import buckets, features, quality
from sixmax.cli.command import command
from sixmax.store import read

CLUSTER = command("cluster", buckets.make)
FEATURES = command("features", features.make)
QUALITY = command("quality", quality.make)


@pytest.mark.parametrize("made", [FEATURES, CLUSTER, QUALITY])
def test_help__names_every_option_and_shows_what_to_type(made):
    text = called("--help", on=made).output
    assert "--threads" in text
    assert f"sixmax stage {made.name} " in text


def test_commands__from_a_deck_to_a_quality_report(tmp_path):
    deck = ["--ranks", 4, "--threads", 2]
    train = ["--sample", 500, "--restarts", 1, "--max-iterations", 5, "--seed", 3]
    called("--bins", 10, "--clusters", 3, "--out", tmp_path, *deck, on=FEATURES)
    options = ["--features", tmp_path, *train, *deck]
    store, report = tmp_path / "b.zarr", tmp_path / "q.json"
    called("flop", "--buckets", 7, "--out", store, *options, on=CLUSTER)
    picture = ["--picture", tmp_path / "q.png", "--json", report, "--scored", 500]
    called("flop", "--buckets", store, *picture, *options, on=QUALITY)
    assert json.loads(report.read_text())["buckets"] == 7
    assert read(store, "buckets").attributes["config"]["seed"] == 3
    assert len(read(store, "buckets").attributes["code"]) == 16
    assert read(tmp_path / "turn.zarr", "features-turn").attributes["config"]["bins"] == 10


def test_cluster__preflop_needs_no_more_than_the_deck(folder, tmp_path):
    out = ["--features", folder, "--out", tmp_path / "p.zarr", "--ranks", RANKS]
    called("preflop", *out, on=CLUSTER)
    assert len(read(tmp_path / "p.zarr", "buckets")["strength"]) == RANKS**2
