"""The small run of ``search.holdem`` on disk, as a folder of results."""

import numpy as np

from search.holdem import RANKS, small_run
from sixmax.abstraction.features import ROUNDS
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.config import BlueprintConfig
from sixmax.blueprint.run import open_run
from sixmax.blueprint.train import build_tree, freeze
from sixmax.cfr.layout import layout
from sixmax.store import write

SCHEDULE = {
    "intervals": 1, "iterations": 2000, "batch": 100, "discount_every": 1000,
    "discount_until": 2000, "count_every": 10, "count_after": 0, "prune_after": 0,
    "prune_share": 0.0, "prune_threshold": -10_000_000, "regret_floor": -20_000_000,
    "scale": 1.0, "snapshot_every": 1, "average_after": 0, "boards": 1,
}  # fmt: skip


def on_disk(folder, seed=1, seats=2, later=(0.75,)):
    """Write the run to ``folder`` and open it."""
    run, policy = small_run(seats, later)
    stores = {}
    for name, count in zip(ROUNDS, run.buckets.counts, strict=True):
        stores[name] = folder / "abstraction" / f"{name}.zarr"
        arrays = {
            "bucket": np.ascontiguousarray(getattr(run.buckets, name), np.uint8),
            "centroid": np.zeros((count, 1), np.float32),
            "size": np.zeros(count, np.int64),
            "deals": np.zeros(count, np.int64),
            "strength": np.zeros(count, np.float32),
        }
        write(stores[name], "buckets", arrays)
    schedule, blueprint = BlueprintConfig.parse(SCHEDULE, "blueprint"), folder / "blueprint"
    settings = identity.settings(seed, RANKS, run.game, run.game, schedule) | {"abstraction": {}}
    build_tree(blueprint / "tree.zarr", run.game, list(map(int, run.buckets.counts)), 4.0)
    freeze(blueprint / "run.json", settings, blueprint / "tree.zarr", stores)
    frozen = checkpoint.identity_of(folder)
    places = layout(run.tree, run.dealer.buckets)
    checkpoint.save_policy(blueprint / "strategy.zarr", frozen, policy, places)
    return open_run(folder)
