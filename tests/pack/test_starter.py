"""The packed runs that the repository carries: whole, small, and what their presets say."""

import json
from pathlib import Path

import numpy as np
import pytest

from sixmax.blueprint import identity
from sixmax.blueprint.run import open_run
from sixmax.config import load
from sixmax.evaluation.aivat.values import STORE
from sixmax.pack.card import text
from sixmax.session.luck import open_luck
from sixmax.store.archive.read import opened

ROOT = Path(__file__).parents[2]
STARTER, HEADS_UP = ROOT / "starter.sixmax", ROOT / "hunl.sixmax"
MOST = {STARTER: 25_000_000, HEADS_UP: 12_000_000}  # bytes


@pytest.fixture(params=MOST, ids=lambda file: file.stem)
def file(request):
    return request.param


@pytest.fixture
def packed(file):
    """The file, opened."""
    with opened(file) as archive:
        yield archive


def test_packed__is_whole_and_small(packed, file):
    assert file.stat().st_size <= MOST[file]
    packed.check()


def test_packed__has_the_values_that_take_luck_off_a_result(packed):
    values = json.loads(packed.read(f"{STORE}/zarr.json"))["attributes"]
    assert values["run"] == json.loads(packed.read("blueprint/run.json"))["digest"]
    assert values["hands"] >= 100_000


def test_packed__is_its_preset(packed, file):
    config = load(ROOT / "config" / "default.yaml", ROOT / "config" / f"{file.stem}.yaml")
    wanted = identity.settings(
        config.seed, config.deck.ranks, config.game, config.abstraction, config.blueprint
    )
    assert packed.name == config.run
    assert json.loads(packed.read("blueprint/run.json"))["settings"] == wanted


def test_packed__says_how_strong_it_is_and_is_no_toy(packed):
    card = json.loads(packed.read("card.json"))
    assert packed.read("card.txt").decode() == text(card)
    against = {row["b"]: row for row in card["strength"] if row["a"] == "blueprint"}
    for opponent in ("random", "call", "rule"):
        assert against[opponent]["interval"][0] > 0, opponent
        assert against[opponent]["hands"] >= 1_000_000


@pytest.mark.slow
def test_starter__opens_and_answers_in_every_round(sixmax):
    run = open_run(STARTER)
    assert run.ranks == 13
    assert (run.policy("blueprint") > 0).any()
    chart = sixmax("strategy", "--run", STARTER)
    aces = next(line for line in chart.splitlines() if line.startswith("AA "))
    assert float(aces.split()[1]) == 0  # it never folds them
    fast = ["--run", STARTER, "--setting", "fast"]
    for actions, board in (("ffr250ffc/c", "8d4d3s"), ("ffr250ffc/cc/c", "8d4d3s/Qh")):
        answer = sixmax("advise", "AhKd", *fast, "--actions", actions, "--board", board)
        assert "by search" in answer
    assert all(np.asarray(table).size for table in run.buckets[:4])
    assert open_luck(run)


@pytest.mark.slow
def test_heads_up__opens_plays_and_searches(sixmax):
    """The big blind is all-in for a raise: aces call."""
    chart = sixmax("strategy", "--run", HEADS_UP, "r20000")
    aces = next(line for line in chart.splitlines() if line.startswith("AA "))
    assert float(aces.split()[1]) == 0
    words = ["--run", HEADS_UP, "--setting", "fast", "--actions", "r300c/cc/c"]
    assert "by search" in sixmax("advise", "AhKd", *words, "--board", "8d4d3s/Qh")
