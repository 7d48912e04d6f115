"""The stages `shard` and `merge` on Leduc."""

import itertools
import json
import shutil

import numpy as np
import pytest

from blueprint.leduc import history, later, prepare, settings, state
from sixmax.base.errors import UserError
from sixmax.blueprint import identity
from sixmax.blueprint.run import open_run
from sixmax.blueprint.shards import merge_shards, train_shard
from sixmax.blueprint.train import train_interval
from sixmax.store import read

INTERVALS = [1, 2, 3]


def deltas(folder, interval, shards):
    place = folder / "blueprint" / "delta" / f"{interval:05d}"
    return [place / f"{shard}-of-{shards}.zarr" for shard in range(1, shards + 1)]


def interval_of(folder, interval, shards, order, threads=1):
    """One interval whose shards finish, and are handed over, in this order."""
    paths = [deltas(folder, interval, shards)[i] for i in order]
    for i, path in zip(order, paths, strict=True):
        train_shard(folder, interval, i + 1, threads, path)
    merge_shards(folder, interval, paths, threads, interval > 1, history(folder, interval))


@pytest.fixture
def run(tmp_path):
    """Leduc in three shards, its first interval done."""
    prepare(tmp_path, shards=3)
    interval_of(tmp_path, 1, 3, [0, 1, 2])
    return tmp_path


def test_merge__same_digests_in_any_order_and_for_any_threads(run):
    actual = []
    for order in itertools.permutations(range(3)):
        shutil.rmtree(run / "blueprint" / "delta")
        interval_of(run, 2, 3, order, threads=1 + len(actual) % 2)
        snapshot = read(run / "blueprint" / "snapshot" / "00002.zarr", "strategy")
        actual.append((state(run, 2).attributes["digests"], snapshot.attributes["digests"],
                      history(run, 2).read_text()))  # fmt: skip
    assert len(actual) == 6
    assert all(other == actual[0] for other in actual)
    assert actual[0][0] != state(run, 1).attributes["digests"]


def test_merge__resumed_is_straight(run, tmp_path_factory):
    """An interval again, from the checkpoint before it, gives the same bytes."""
    for k in (2, 3):
        interval_of(run, k, 3, [2, 0, 1])
    expected = state(run, 3).attributes["digests"]
    shutil.rmtree(run / "blueprint" / "state" / "00003.zarr")
    shutil.rmtree(deltas(run, 3, 3)[1])
    train_shard(run, 3, 2, 2, deltas(run, 3, 3)[1])
    merge_shards(run, 3, deltas(run, 3, 3), 1, False, history(run, 3))
    assert state(run, 3).attributes["digests"] == expected


def test_merge__takes_its_strategy_into_the_running_mean(tmp_path):
    prepare(tmp_path, shards=2, mean_every=200, average_after=1)
    for k in INTERVALS:
        interval_of(tmp_path, k, 2, [1, 0])
    run = open_run(tmp_path)
    taken = [run.policy(f"snapshot-{k:05d}")[later(run)].astype(int) for k in (2, 3)]
    np.testing.assert_array_equal(state(tmp_path, 3, "state-mean")["mean"], taken[0] + taken[1])


def test_merge__counts_more_rounds_than_the_first(tmp_path):
    prepare(tmp_path, shards=2, count_rounds=2)
    for k in INTERVALS:
        interval_of(tmp_path, k, 2, [1, 0])
    run = open_run(tmp_path)
    count = state(tmp_path, 3)["count"]
    assert count.shape == (run.layout.size,)
    assert count[later(run)].sum() > 0


def test_merge__leaves_what_an_interval_in_one_piece_leaves(run):
    names = sorted(p.name for p in (run / "blueprint" / "state").iterdir())
    assert names == ["00001.zarr"]
    interval_of(run, 2, 3, [0, 1, 2])
    interval_of(run, 3, 3, [0, 1, 2])
    names = sorted(p.name for p in (run / "blueprint" / "state").iterdir())
    assert names == ["00002.zarr", "00003.zarr"]
    record = json.loads(history(run, 2).read_text())
    assert record["traversals"] == 400
    assert record["discounts"] == [[300, 0.75]]
    assert open_run(run).policy("snapshot-00003").any()


def test_merge__of_one_shard_is_training(tmp_path):
    for name in ("whole", "shard"):
        prepare(tmp_path / name)
        for k in INTERVALS:
            if name == "whole":
                train_interval(tmp_path / name, k, 1, k > 1, history(tmp_path / name, k))
            else:
                interval_of(tmp_path / name, k, 1, [0])
    expected, actual = (state(tmp_path / name, 3).attributes for name in ("whole", "shard"))
    assert actual["digests"] == expected["digests"]
    assert history(tmp_path / "shard", 3).read_text() == history(tmp_path / "whole", 3).read_text()


def trained(run):
    """The deltas of the second interval, before they are merged."""
    paths = deltas(run, 2, 3)
    for shard, path in enumerate(paths, start=1):
        train_shard(run, 2, shard, 1, path)
    return paths


def test_merge__refuses_shards_that_are_missing_twice_there_or_foreign(run):
    paths, file = trained(run), history(run, 2)
    with pytest.raises(UserError, match=r"found the shards \[1, 2\], wanted each of 1 to 3 once"):
        merge_shards(run, 2, paths[:2], 1, False, file)
    with pytest.raises(UserError, match=r"found the shards \[1, 1, 2\]"):
        merge_shards(run, 2, [paths[0], *paths[:2]], 1, False, file)
    with pytest.raises(UserError, match=r"'interval': 1.*wanted.*'interval': 2"):
        merge_shards(run, 2, [deltas(run, 1, 3)[0], *paths[1:]], 1, False, file)
    assert not file.exists()
    with pytest.raises(UserError, match="--shard 4: wanted at most 3"):
        train_shard(run, 2, 4, 1, paths[0])


def test_train__refuses_a_run_in_shards(run):
    with pytest.raises(UserError, match="dealt out to 3 shards; run `sixmax stage shard`"):
        train_interval(run, 2, 1, False, history(run, 2))


def test_identity__one_shard_is_what_runs_were_before_there_were_shards(tmp_path):
    assert settings() == settings(shards=1)
    assert "shards" not in settings()["blueprint"]
    assert "merge" not in settings()
    assert settings(shards=4)["merge"] == "mean"  # runs of the time of sums do not go on as means
    prepare(tmp_path)
    file = tmp_path / "blueprint" / "run.json"
    identity.refuse_other(file, settings(shards=1))
    with pytest.raises(UserError, match=r"blueprint\.shards = its default, the config now says 4"):
        identity.refuse_other(file, settings(shards=4))


@pytest.mark.parametrize("name", ["regret_changed", "regret", "count_changed", "count"])
def test_merge__refuses_a_damaged_delta_and_writes_nothing(run, name):
    """Its array is one of another shard: it fits the packing, and not the digest."""
    paths = trained(run)
    (paths[1] / name / "c" / "0").write_bytes((paths[2] / name / "c" / "0").read_bytes())
    with pytest.raises(UserError, match=r"2-of-3\.zarr: damaged store"):
        merge_shards(run, 2, paths, 1, True, history(run, 2))
    assert not history(run, 2).exists()
    assert not (run / "blueprint" / "state" / "00002.zarr").exists()


def test_delta__holds_what_changed_alone(run):
    paths = deltas(run, 2, 3)
    train_shard(run, 2, 1, 1, paths[0])
    delta, before = read(paths[0], "delta"), state(run, 1)
    for name in ("regret", "count"):
        changed = np.unpackbits(delta[f"{name}_changed"])[: before[name].size]
        assert changed.sum() == delta[name].size
        assert (delta[name] != 0).all()
    assert 0 < delta["count"].size < before["count"].size
