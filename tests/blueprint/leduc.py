"""Leduc in intervals of 200 iterations: it has no abstraction to wait for."""

from sixmax.blueprint import identity
from sixmax.blueprint.config import BlueprintConfig
from sixmax.blueprint.run import open_run
from sixmax.blueprint.train import average, build_tree, freeze, train_interval
from sixmax.games import GAMES
from sixmax.store import read

GAME = GAMES["leduc"].config(2)
SCHEDULE = {
    "intervals": 3, "iterations": 200, "batch": 20, "discount_every": 100, "discount_until": 400,
    "count_every": 1, "count_after": 200, "prune_after": 0, "prune_share": 0.0,
    "prune_threshold": -10_000_000, "regret_floor": -20_000_000, "scale": 1000.0,
    "snapshot_every": 1, "average_after": 1, "boards": 1,
}  # fmt: skip


def settings(**other):
    config = BlueprintConfig.parse({**SCHEDULE, **other}, "blueprint")
    return identity.settings(1, 13, GAME, None, config)


def prepare(folder, **other):
    """The tree and the identity of a run in ``folder``, with ``other`` keys of the schedule."""
    tree = folder / "blueprint" / "tree.zarr"
    build_tree(tree, GAME, [3, 9], 4.0)
    freeze(folder / "blueprint" / "run.json", settings(**other), tree, [])


def history(folder, interval):
    return folder / "blueprint" / "history" / f"{interval:05d}.json"


def train(folder, intervals):
    for k in intervals:
        train_interval(folder, k, 1, k > 1, history(folder, k))


def state(folder, interval, kind="state"):
    """The checkpoint after an interval."""
    return read(folder / "blueprint" / "state" / f"{interval:05d}.zarr", kind)


def averaged(folder, last, snapshots):
    """The run in ``folder``, with the blueprint that the stage `average` makes."""
    average(folder, last, snapshots, 1, folder / "blueprint" / "strategy.zarr")
    return open_run(folder)


def later(run):
    """The entries of all rounds but the first."""
    return slice(int(run.layout.start[1]), None)
