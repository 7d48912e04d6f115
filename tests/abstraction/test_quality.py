import json

import numpy as np
import pytest

from abstraction.small_deck import BUCKETS, RANKS
from sixmax.abstraction import buckets, features, quality
from sixmax.abstraction.points import open_space
from sixmax.base.errors import UserError

TRAIN = {"sample": 4000, "restarts": 2, "max_iterations": 50}


def stage(folder, run, out, name, **change):
    paths = {"buckets": run / "abstraction" / f"{name}.zarr"}
    paths |= {"json_path": out / "quality.json", "picture": out / "quality.png"}
    quality.make(name, folder, **{**paths, **change}, ranks=RANKS, scored=5000, **TRAIN, seed=1)
    return json.loads((out / "quality.json").read_text())


@pytest.mark.parametrize("name", features.ROUNDS[1:])
def test_make__distances_stand_beside_what_little_effort_reaches(folder, run, tmp_path, name):
    report = stage(folder, run, tmp_path, name)
    actual = report["distance"]
    assert actual["within_bucket"] < 0.9 * actual["by_win_probability_alone"]
    assert actual["by_win_probability_alone"] < 0.7 * actual["one_bucket"]
    assert actual["random_buckets"] == pytest.approx(actual["one_bucket"], rel=0.05)
    assert actual["unit"] == ("win probability" if name == "river" else "bins")
    assert 0.8 < report["win_probability"]["explained"] < 1
    assert report["empty"] == 0
    assert report["situations"]["total"] == buckets.open_round(run, name, RANKS)["size"].sum()
    assert report["deals"]["min"] <= report["deals"]["median"] <= report["deals"]["max"]
    assert (tmp_path / "quality.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["flop", "river"])
def test_make__two_seeds_agree_more_than_chance(folder, run, tmp_path, name):
    actual = stage(folder, run, tmp_path, name)["two_seeds"]
    assert abs(actual["adjusted_rand_shuffled"]) < 0.02
    assert 0.3 < actual["adjusted_rand"] < 1
    assert 0.5 < actual["adjusted_mutual_information"] < 1
    assert actual["between_centroids"] > 0


def test_measure__of_the_same_clustering_twice_is_full_agreement(folder, run, monkeypatch):
    space, store = open_space(folder, "flop", RANKS), buckets.open_round(run, "flop", RANKS)
    same = buckets.cluster_sample(space, BUCKETS, 4000, 2, 50, 1)
    monkeypatch.setattr(quality, "cluster_sample", lambda *a, **k: same)
    actual = quality.measure(space, store, 3000, TRAIN, 1)
    assert actual.report["two_seeds"]["adjusted_rand"] == pytest.approx(1)
    assert actual.report["two_seeds"]["between_centroids"] == 0
    np.testing.assert_allclose(actual.profile.sum(axis=1), 1)


def test_make__within_bucket_is_the_mean_over_all_deals(folder, run, tmp_path):
    store = buckets.open_round(run, "turn", RANKS)
    total = open_space(folder, "turn", RANKS).total
    expected = store.attributes["kmeans"]["objective_all"] / total
    actual = stage(folder, run, tmp_path, "turn")["distance"]["within_bucket"]
    assert actual == pytest.approx(expected, rel=0.03)


def test_make__preflop_is_a_chart(folder, run, tmp_path):
    report = stage(folder, run, tmp_path, "preflop")
    assert (report["buckets"], report["situations"]["max"]) == (36, 1)
    assert (tmp_path / "quality.png").read_bytes().startswith(b"\x89PNG")


def test_make__store_of_another_round(folder, run, tmp_path):
    with pytest.raises(UserError, match="those of the flop; name its own store"):
        stage(folder, run, tmp_path, "flop", buckets=run / "abstraction" / "turn.zarr")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", features.ROUNDS[1:])
def test_measure__profile_has_the_strength_of_its_bucket(folder, run, name):
    space, store = open_space(folder, name, RANKS), buckets.open_round(run, name, RANKS)
    profile = quality.measure(space, store, 10**6, TRAIN, 1).profile
    middle = (np.arange(profile.shape[1]) + 0.5) / profile.shape[1]
    np.testing.assert_allclose(profile @ middle, store["strength"], atol=0.03)


def test_equal_weights__groups_are_equal_and_ties_stay_together():
    random = np.random.default_rng(0)
    value, weight = random.integers(0, 500, 4000) / 500, random.integers(1, 25, 4000)
    label = quality.equal_weights(value, weight, 10)
    mass = np.bincount(label, weight, minlength=10) / weight.sum()
    np.testing.assert_allclose(mass, 0.1, atol=0.01)
    order = np.argsort(value)
    assert (np.diff(label[order]) >= 0).all()
    assert all(len(set(label[value == v])) == 1 for v in np.unique(value))
