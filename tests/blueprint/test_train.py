"""The stages of the blueprint on a small game."""

import json
import shutil

import numpy as np
import pytest

from blueprint.leduc import GAME, averaged, history, later, prepare, settings, state, train
from sixmax.base.errors import UserError
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.run import open_run
from sixmax.blueprint.train import build_tree, freeze
from sixmax.cfr.layout import infoset
from sixmax.cfr.policy import complete, from_regrets, from_sums
from sixmax.store import write


@pytest.fixture
def run(tmp_path):
    """Leduc, trained for three intervals."""
    return trained(tmp_path)


@pytest.fixture
def with_mean(tmp_path):
    """The same with a running mean of two strategies an interval, from the second interval on."""
    return lambda **other: trained(tmp_path, mean_every=100, average_after=1, **other)


def trained(folder, number=3, **other):
    prepare(folder, **other)
    train(folder, range(1, number + 1))
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_train__keeps_two_checkpoints_and_every_snapshot(run):
    assert names(run / "blueprint" / "state") == ["00002.zarr", "00003.zarr"]
    assert names(run / "blueprint" / "snapshot") == ["00002.zarr", "00003.zarr"]


def test_train__says_what_happened(run):
    record = json.loads(history(run, 2).read_text())
    assert record["iterations"] == 400
    assert record["traversals"] == 400
    assert record["discounts"] == [[300, 0.75]]
    assert record["touched"][0] > 0.5


def goes_on(run, kind):
    """The digests of the third checkpoint, which is the same bytes when it is made again."""
    expected = state(run, 3, kind).attributes["digests"]
    shutil.rmtree(run / "blueprint" / "state" / "00003.zarr")
    train(run, [3])
    assert state(run, 3, kind).attributes["digests"] == expected
    return set(expected)


def test_train__again_from_a_checkpoint_is_the_same_bytes(run):
    assert goes_on(run, "state") == {"regret", "count"}


def test_average__is_the_mean_of_snapshots_after_the_first_round(run):
    opened = averaged(run, 3, [2, 3])
    mean = opened.policy("blueprint").astype(float)[later(opened)]
    one, two = (opened.policy(f"snapshot-0000{k}").astype(float)[later(opened)] for k in (2, 3))
    both = (one > 0) & (two > 0)
    assert both.sum() > 50
    assert np.abs(mean - (one + two) / 2)[both].max() <= 1


def test_average__before_the_first_rounds_end_is_its_counters(run):
    """The root of Leduc is the first row of each slab of seat 0: check or raise."""
    opened, count = averaged(run, 3, [2, 3]), state(run, 3)["count"]
    for bucket in range(3):
        at = int(infoset(opened.layout, 0, 0, bucket, 0))
        counted = count[at : at + 2].astype(float)
        assert counted.sum() > 10 * 1024
        actual = opened.policy("blueprint")[at : at + 2] / 255
        assert np.abs(actual - counted / counted.sum()).max() < 1 / 255


def test_average__of_more_snapshots_than_a_byte_counts(run):
    """300 snapshots of 255 add up to more than 16 bits hold."""
    opened = averaged(run, 3, [2] * 300)
    actual, expected = (opened.policy(name) for name in ("blueprint", "snapshot-00002"))
    assert np.array_equal(actual[later(opened)], expected[later(opened)])


def test_running_mean__is_the_mean_of_strategies_at_its_moments(with_mean, tmp_path):
    """Beside a run of twice as many intervals, whose snapshots are those strategies."""
    one = averaged(with_mean(), 3, [])
    halves = trained(tmp_path / "halves", 6, iterations=100, intervals=6)
    two = averaged(halves, 6, [3, 4, 5, 6])
    actual, expected = one.policy("blueprint"), two.policy("blueprint")
    np.testing.assert_array_equal(actual, expected)
    assert (actual != two.policy("snapshot-00006")).sum() > 50


def test_running_mean__goes_on_from_a_checkpoint(with_mean):
    assert goes_on(with_mean(), "state-mean") == {"regret", "count", "mean"}


def test_count_rounds__counters_of_all_rounds_are_the_blueprint(with_mean):
    """The current strategy stands in where no visit was counted."""
    run = averaged(with_mean(count_rounds=2), 3, [])
    store = state(run.folder, 3, "state-mean")
    assert (store["count"].shape, store["mean"].shape) == ((run.layout.size,), (0,))
    counted = from_sums(run.tree, run.layout, store["count"])
    current = from_regrets(run.tree, run.layout, store["regret"])
    expected = complete(run.tree, run.layout, counted, current)
    np.testing.assert_array_equal(run.policy("blueprint"), expected)
    assert (expected != current)[later(run)].sum() > 50


def test_count_rounds__without_any_the_running_mean_is_of_all_rounds(with_mean):
    run = averaged(with_mean(count_rounds=0), 3, [])
    store = state(run.folder, 3, "state-mean")
    assert (store["count"].shape, store["mean"].shape) == ((0,), (run.layout.size,))
    expected = from_sums(run.tree, run.layout, store["mean"])
    np.testing.assert_array_equal(run.policy("blueprint"), expected)
    current = from_regrets(run.tree, run.layout, store["regret"])
    assert (expected != current)[: later(run).start].sum() > 10


@pytest.mark.parametrize(
    ("other", "snapshots", "expected"),
    [
        ({}, [], "no snapshots to average"),
        ({"mean_every": 100}, [2, 3], "has a running mean, found --snapshots too"),
    ],
)
def test_average__of_nothing_or_of_two_means_is_refused(tmp_path, other, snapshots, expected):
    trained(tmp_path, **other)
    with pytest.raises(UserError, match=expected):
        averaged(tmp_path, 3, snapshots)
    assert not (tmp_path / "blueprint" / "strategy.zarr").exists()


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


@pytest.fixture
def other_tree(run):
    """The run with the tree of another game in the place of its own, and that tree."""
    tree = run / "blueprint" / "tree.zarr"
    shutil.rmtree(tree)
    build_tree(tree, GAME.model_copy(update={"stacks": [9, 9]}), [3, 9], 4.0)
    return tree


def test_open__refuses_another_tree_than_was_frozen(run, other_tree):
    with pytest.raises(UserError, match="the run was trained on"):
        open_run(run)


def test_freeze__refuses_another_tree_under_checkpoints(run, other_tree):
    with pytest.raises(UserError, match="trained on another tree"):
        freeze(run / "blueprint" / "run.json", settings(), other_tree, [])


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
        build_tree(tmp_path / "tree.zarr", GAME, [3, 9], 0.1)
    with pytest.raises(UserError, match="1 bucket counts, wanted one for each of 2 rounds"):
        build_tree(tmp_path / "tree.zarr", GAME, [3], 4.0)
    assert list(tmp_path.iterdir()) == []
