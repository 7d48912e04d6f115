"""The small run of ``search.holdem`` on disk, as a folder of results, and gaps of it."""

import json

import numpy as np

from search.holdem import RANKS, small_run
from sixmax.blueprint import checkpoint, config, identity, train
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.layout import entries, layout
from sixmax.continuation.stage import compress
from sixmax.store import write

SCHEDULE = {
    "intervals": 1, "iterations": 2000, "batch": 100, "discount_every": 1000,
    "discount_until": 2000, "count_every": 10, "count_after": 0, "prune_after": 0,
    "prune_share": 0.0, "prune_threshold": -10_000_000, "regret_floor": -20_000_000,
    "scale": 1.0, "snapshot_every": 1, "average_after": 0, "boards": 1,
}  # fmt: skip
POTS, RAISE = "2.5", 600  # 100 + 2.5 * 200: above the pot, which is the only size first in


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
    schedule, blueprint = config.BlueprintConfig.parse(SCHEDULE, "blueprint"), folder / "blueprint"
    settings = identity.settings(seed, RANKS, run.game, None, schedule)
    train.build_tree(blueprint / "tree.zarr", run.game, list(map(int, run.buckets.counts)), 4.0)
    train.freeze(blueprint / "run.json", settings, blueprint / "tree.zarr", list(stores.values()))
    frozen = identity.read(folder)
    places = layout(run.tree, run.dealer.buckets)
    checkpoint.save_policy(blueprint / "strategy.zarr", frozen, policy, places)
    return open_run(folder)


def searchable(folder):
    """The run on disk with its continuations, as a search wants it: the folder."""
    run = on_disk(folder)
    path, result = folder / "blueprint" / "strategy.zarr", folder / "continuation"
    checkpoint.save_policy(path, run.identity, run.policy("blueprint"), run.layout, iterations=2000)
    compress(folder, 5.0, 1, result / "strategies.zarr", result / "check.json")
    return folder


def scored(run, path, *bets):
    """A file of gaps as the command `gaps` writes it, with ``bets`` (path, raise_to)."""
    rows = [
        {"path": list(place), "raise_to": chips, "pots": 2.5, "score": 1.0, "bets": 3}
        for place, chips in bets
    ]
    path.write_text(json.dumps({"run": run.identity["digest"], "gaps": rows, "sizes": rows}))
    return path


def policy_rows(run, policy, x):
    return policy[entries(run.tree, run.layout, x)]
