"""The stage, from a run on disk to a network that search plays by."""

import json

import numpy as np
import pytest

from leaf_function.small import small_source
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.blueprint.run import open_run
from sixmax.leaf_function import config, network, stage, states
from sixmax.search.config import SearchConfig
from sixmax.search.searcher import Searcher
from sixmax.store import read
from studies.improve.small import searchable

CONFIG = config.LeafFunctionConfig(states=6000)
SMALL = config.NetworkSizes(rollouts=4, layers=2, units=16, epochs=15, batch=100)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return searchable(tmp_path_factory.mktemp("results") / "small")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(stage, "UNSEEN_STATES", 500)


def test_leaf_function__beats_the_mean_on_unseen_hands_and_is_the_same_on_any_cores(folder, few):
    networks = []
    for threads in (1, 2):
        check = folder / f"check{threads}.json"
        stage.leaf_function(folder, CONFIG, 1, threads, folder / network.STORE, check, SMALL)
        networks.append(network.load(open_run(folder), 4).network)
    for one, two in zip(*networks, strict=True):
        assert one.dtype == np.float32
        np.testing.assert_array_equal(one, two)
    record = json.loads((folder / "check1.json").read_text())
    assert record == json.loads((folder / "check2.json").read_text())
    for row in record["rounds"].values():
        low, high = row["error"]["interval"]
        assert low < row["error"]["rms"] < min(high, row["error_of_mean"]["rms"])
        noise = row["error_of_rollouts"]
        assert noise["4"] == pytest.approx(noise["1"] / 2)
    store = read(folder / network.STORE, "leaf-function")
    assert len(record["features"]) == len(store["first"]) == 14

    run = open_run(folder)
    learned, rolled = (
        Searcher(run, run.policy("blueprint"), SearchConfig(bets=[], player=player)).leaf_game
        for player in ("pluribus-learned", "pluribus")
    )
    assert learned.function.network.first.shape == (14, 16)
    assert rolled.function is None


def test_leaf_function__without_states_is_refused_in_one_line(folder, tmp_path):
    out = tmp_path / "network.zarr"
    with pytest.raises(UserError, match=r"leaf_function.states: found 0, wanted 2 or more"):
        stage.leaf_function(folder, config.LeafFunctionConfig(), 1, 1, out, tmp_path / "check.json")
    assert not out.exists()


def test_judged__takes_off_the_noise_of_the_roll_outs():
    """A network that says the true mean of the roll-outs would have no error. A constant has the
    spread of the true values as its error, however few roll-outs there are."""
    run, of = small_run(3)[0], small_source(3)

    class Constant:
        def predict(self, x):
            return np.full((len(x), 4), 0.4)

    spread = []
    for rollouts in (4, 64):
        drawn = [states.sample(of, known, 3000, rollouts, 5, lambda n: None) for known in (0, 1)]
        record = stage.judged(run, Constant(), [np.full(4, 0.4)] * 2, drawn, list("abcd"), rollouts)
        spread.append([row["error"]["rms"] for row in record["rounds"].values()])
    np.testing.assert_allclose(spread[0], spread[1], rtol=0.1)
