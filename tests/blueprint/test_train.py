"""The stages of the blueprint on a small game: Kuhn has no abstraction to wait for."""

import json
import shutil

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.config import BlueprintConfig
from sixmax.blueprint.run import open_run
from sixmax.blueprint.train import average, build_tree, freeze, train_interval
from sixmax.cfr.layout import infoset
from sixmax.cfr.policy import complete, from_regrets, from_sums
from sixmax.games import GAMES
from sixmax.store import read, write

SCHEDULE = {
    "intervals": 3, "iterations": 200, "batch": 20, "discount_every": 100, "discount_until": 400,
    "count_every": 1, "count_after": 200, "prune_after": 0, "prune_share": 0.0,
    "prune_threshold": -10_000_000, "regret_floor": -20_000_000, "scale": 1000.0,
    "snapshot_every": 1, "average_after": 1, "boards": 1,
}  # fmt: skip


def settings(**other):
    config = BlueprintConfig.parse({**SCHEDULE, **other}, "blueprint")
    return identity.settings(1, 13, GAMES["leduc"].config(2), None, config)


def prepare(folder, **other):
    """The tree and the frozen settings of Leduc, some of them others."""
    tree = folder / "blueprint" / "tree.zarr"
    build_tree(tree, GAMES["leduc"].config(2), [3, 9], 4.0)
    freeze(folder / "blueprint" / "run.json", settings(**other), tree, [])


def train(folder, intervals):
    for k in intervals:
        history = folder / "blueprint" / "history" / f"{k:05d}.json"
        train_interval(folder, k, 1, k > 1, history)


@pytest.fixture
def run(tmp_path):
    """Leduc, trained for three intervals."""
    prepare(tmp_path)
    train(tmp_path, [1, 2, 3])
    return tmp_path


def test_train__keeps_two_checkpoints_and_every_snapshot(run):
    names = sorted(p.name for p in (run / "blueprint" / "state").iterdir())
    assert names == ["00002.zarr", "00003.zarr"]
    snapshots = sorted(p.name for p in (run / "blueprint" / "snapshot").iterdir())
    assert snapshots == ["00002.zarr", "00003.zarr"]


def test_train__says_what_happened(run):
    record = json.loads((run / "blueprint" / "history" / "00002.json").read_text())
    assert record["iterations"] == 400
    assert record["traversals"] == 400
    assert record["discounts"] == [[300, 0.75]]
    assert record["touched"][0] > 0.5


def test_train__again_from_a_checkpoint_is_the_same_bytes(run):
    state = run / "blueprint" / "state" / "00003.zarr"
    expected = read(state, "state").attributes["digests"]
    shutil.rmtree(state)
    train(run, [3])
    assert read(state, "state").attributes["digests"] == expected


def test_average__is_the_mean_of_snapshots_after_the_first_round(run):
    out = run / "blueprint" / "strategy.zarr"
    average(run, 3, [2, 3], 1, out)
    opened = open_run(run)
    mean = opened.policy("blueprint").astype(float)
    snapshots = [opened.policy(f"snapshot-0000{k}").astype(float) for k in (2, 3)]
    later = slice(int(opened.layout.start[1]), None)
    both = snapshots[0][later].astype(bool) & snapshots[1][later].astype(bool)
    expected = (snapshots[0] + snapshots[1])[later] / 2
    assert both.sum() > 50
    assert np.abs(mean[later] - expected)[both].max() <= 1


def test_average__before_the_first_rounds_end_is_its_counters(run):
    """The root of Leduc is the first row of each slab of seat 0: check or raise."""
    average(run, 3, [2, 3], 1, run / "blueprint" / "strategy.zarr")
    opened = open_run(run)
    state = read(run / "blueprint" / "state" / "00003.zarr", "state")
    for bucket in range(3):
        at = int(infoset(opened.layout, 0, 0, bucket, 0))
        counted = state["count"][at : at + 2].astype(float)
        assert counted.sum() > 10 * 1024
        actual = opened.policy("blueprint")[at : at + 2] / 255
        assert np.abs(actual - counted / counted.sum()).max() < 1 / 255


def test_average__of_more_snapshots_than_a_byte_counts(run):
    """300 snapshots of 255 add up to more than 16 bits hold."""
    opened = open_run(run)
    expected = opened.policy("snapshot-00002")
    out = run / "blueprint" / "strategy.zarr"
    average(run, 3, [2] * 300, 1, out)
    later = slice(int(opened.layout.start[1]), None)
    assert np.array_equal(open_run(run).policy("blueprint")[later], expected[later])


def with_mean(folder, **other):
    """A trained run with a running mean of two strategies an interval, from the second on."""
    prepare(folder, mean_every=100, average_after=1, **other)
    train(folder, [1, 2, 3])


def test_running_mean__is_the_mean_of_strategies_at_its_moments(tmp_path):
    """Beside a run of twice as many intervals, whose snapshots are those strategies."""
    one, two = tmp_path / "one", tmp_path / "two"
    with_mean(one)
    average(one, 3, [], 1, one / "blueprint" / "strategy.zarr")
    prepare(two, iterations=100, intervals=6)
    train(two, range(1, 7))
    average(two, 6, [3, 4, 5, 6], 1, two / "blueprint" / "strategy.zarr")
    actual, expected = open_run(one).policy("blueprint"), open_run(two).policy("blueprint")
    np.testing.assert_array_equal(actual, expected)
    last = open_run(two).policy("snapshot-00006")
    assert (actual != last).sum() > 50


def test_running_mean__goes_on_from_a_checkpoint(tmp_path):
    with_mean(tmp_path)
    state = tmp_path / "blueprint" / "state" / "00003.zarr"
    expected = read(state, "state-mean").attributes["digests"]
    assert set(expected) == {"regret", "count", "mean"}
    shutil.rmtree(state)
    train(tmp_path, [3])
    assert read(state, "state-mean").attributes["digests"] == expected


def test_count_rounds__counters_of_all_rounds_are_the_blueprint(tmp_path):
    """The current strategy stands in where no visit was counted."""
    with_mean(tmp_path, count_rounds=2)
    average(tmp_path, 3, [], 1, tmp_path / "blueprint" / "strategy.zarr")
    run = open_run(tmp_path)
    store = read(tmp_path / "blueprint" / "state" / "00003.zarr", "state-mean")
    assert store["count"].shape == (run.layout.size,)
    assert store["mean"].shape == (0,)
    counted = from_sums(run.tree, run.layout, store["count"])
    current = from_regrets(run.tree, run.layout, store["regret"])
    expected = complete(run.tree, run.layout, counted, current)
    np.testing.assert_array_equal(run.policy("blueprint"), expected)
    later = int(run.layout.start[1])
    assert (expected != current)[later:].sum() > 50


def test_count_rounds__without_any_the_running_mean_is_of_all_rounds(tmp_path):
    with_mean(tmp_path, count_rounds=0)
    average(tmp_path, 3, [], 1, tmp_path / "blueprint" / "strategy.zarr")
    run = open_run(tmp_path)
    store = read(tmp_path / "blueprint" / "state" / "00003.zarr", "state-mean")
    assert (store["count"].shape, store["mean"].shape) == ((0,), (run.layout.size,))
    expected = from_sums(run.tree, run.layout, store["mean"])
    np.testing.assert_array_equal(run.policy("blueprint"), expected)
    first = slice(0, int(run.layout.start[1]))
    assert (expected != from_regrets(run.tree, run.layout, store["regret"]))[first].sum() > 10


def test_average__of_nothing_or_of_two_means_is_refused(run, tmp_path_factory):
    with pytest.raises(UserError, match="no snapshots to average"):
        average(run, 3, [], 1, run / "blueprint" / "strategy.zarr")
    other = tmp_path_factory.mktemp("mean")
    with_mean(other)
    with pytest.raises(UserError, match="has a running mean, found --snapshots too"):
        average(other, 3, [2, 3], 1, other / "blueprint" / "strategy.zarr")
    assert not (run / "blueprint" / "strategy.zarr").exists()


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"mean_every": 30}, "mean_every must be a multiple of batch"),
        ({"mean_every": 60}, "divides iterations"),
        ({"mean_every": 100, "shards": 2}, "between merges there is no strategy"),
        ({"shards": 11}, "shards = 11 is more than the 10 batches"),
    ],
)
def test_settings__that_cannot_be(other, expected):
    with pytest.raises(UserError, match=expected):
        settings(**other)


def test_open__refuses_another_tree_than_was_frozen(run):
    other = GAMES["leduc"].config(2).model_copy(update={"stacks": [9, 9]})
    tree = run / "blueprint" / "tree.zarr"
    shutil.rmtree(tree)
    build_tree(tree, other, [3, 9], 4.0)
    with pytest.raises(UserError, match="the run was trained on"):
        open_run(run)


def test_freeze__refuses_another_tree_under_checkpoints(run):
    tree = run / "blueprint" / "tree.zarr"
    shutil.rmtree(tree)
    build_tree(tree, GAMES["leduc"].config(2).model_copy(update={"stacks": [9, 9]}), [3, 9], 4.0)
    with pytest.raises(UserError, match="trained on another tree"):
        freeze(run / "blueprint" / "run.json", settings(), tree, [])


def test_checkpoint__of_another_interval_is_refused(run):
    opened = open_run(run)
    states = run / "blueprint" / "state"
    shutil.rmtree(states / "00002.zarr")
    (states / "00003.zarr").rename(states / "00002.zarr")
    with pytest.raises(UserError, match="checkpoint of interval 3, interval 3 wants that of 2"):
        checkpoint.load(run, opened.identity, opened.layout, 2)


def test_checkpoint__of_another_size_is_refused(run):
    opened = open_run(run)
    path = run / "blueprint" / "state" / "00003.zarr"
    small = np.zeros(7, np.int32)
    write(path, "state", {"regret": small, "count": small}, run=opened.identity["digest"],
          content=opened.identity["content"], interval=3, iterations=600)  # fmt: skip
    with pytest.raises(UserError, match="7 regrets, the tree wants"):
        checkpoint.load(run, opened.identity, opened.layout, 3)


def test_refuse_shorter__names_both_lengths(run):
    identity.refuse_shorter(run / "blueprint", 3)
    with pytest.raises(UserError, match="trained for 3 intervals, the config now says 2"):
        identity.refuse_shorter(run / "blueprint", 2)


def test_build_tree__refuses_too_little_memory(tmp_path):
    with pytest.raises(UserError, match=r"allows 0\.1"):
        build_tree(tmp_path / "tree.zarr", GAMES["leduc"].config(2), [3, 9], 0.1)
    with pytest.raises(UserError, match="1 bucket counts, wanted one for each of 2 rounds"):
        build_tree(tmp_path / "tree.zarr", GAMES["leduc"].config(2), [3], 4.0)
    assert list(tmp_path.iterdir()) == []
