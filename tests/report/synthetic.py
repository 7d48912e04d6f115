"""A finished run on disk, made up: small, and in the formats of the stages that write them."""

import json
from pathlib import Path

import numpy as np

from report.synthetic_evaluation import columns, experiment, first_in, gain, match, protocol, ranges
from sixmax.agents.registry import snapshot_name
from sixmax.blueprint import identity
from sixmax.continuation.generate import STRATEGIES
from sixmax.evaluation.experiments.experiment import KINDS, to_json
from sixmax.evaluation.match.pairings import pairings
from sixmax.store import write

WINS = {"random": 5321.5, "call": 2210.25, "rule": 301.75, "snapshot-00002": 41.5}
SNAPSHOTS = (2, 3, 4)
MADE = {"date": "2026-01-02T03:04Z", "commit": "0123456789ab+"}
# The smallest PNG there is: one pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c626001000000050001"
    "0d0a2db40000000049454e44ae426082"
)


def write_run(folder: Path, ranks: int = 13) -> Path:
    """Everything that the report reads of a run of six players, in ``folder``."""
    digest = _blueprint(folder, ranks)
    _evaluation(folder, ranks, digest)
    for name in ("preflop", "flop", "turn", "river"):
        put(folder / "abstraction" / f"quality_{name}.json", quality(name, ranks))
        (folder / "abstraction" / f"quality_{name}.png").write_bytes(PNG)
    put(folder / "continuation" / "check.json", continuation_check())
    put(folder / "plan" / "plan.json", {"run": folder.name, "stages": plan_stages()})
    _benchmarks(folder, ranks)
    return folder


def put(path: Path, values: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values), encoding="utf-8")


def settings(ranks: int) -> dict:
    """The settings that run.json freezes."""
    one_round = {"sizes": [[0.75], ["A"]], "max_raises": 2, "max_players": 3}
    game = {
        "cards": "holdem", "stacks": [10000] * 6, "blinds": [50, 100, 0, 0, 0, 0],
        "antes": [0] * 6, "first": [2, 0, 0, 0], "rounds": [one_round] * 4,
    }  # fmt: skip
    return {
        "seed": 7, "ranks": ranks, "game": game,
        "abstraction": {"bins": 50, "ochs_clusters": 8, "buckets": {"flop": 200, "turn": 200}},
        "blueprint": {"iterations": 400000, "batch": 100, "prune_share": 0.95},
    }  # fmt: skip


def _blueprint(folder: Path, ranks: int) -> str:
    home = folder / "blueprint"
    put(home / "strategy_made.json", MADE)
    identity.write(home / "run.json", settings(ranks), {"tree": "a1" * 8, "flop": "b2" * 8})
    digest = identity.read(home.parent)["digest"]
    shapes = {"node": (3, 4), "parent": 3, "action": 3, "contributed": (0, 6)}
    tree = {name: np.zeros(shape, np.int32) for name, shape in shapes.items()}
    tree["columns"] = np.ones((4, 6), np.int64)
    tree["decisions"] = np.array([5_000, 101_000, 423_000, 1_050_000])
    write(home / "tree.zarr", "tree", tree)
    write(
        home / "strategy.zarr", "strategy", {"policy": np.zeros(64, np.uint8)}, run=digest,
        interval=4, iterations=1_600_000, snapshots=list(SNAPSHOTS),
    )  # fmt: skip
    for k in range(1, 5):
        record = {
            "interval": k, "iterations": 400_000 * k, "traversals": 2_400_000,
            "nodes": 310_000_000 + 7_000_000 * k, "pruned": 30_000_000 * (k - 1), "discounts": [],
            "touched": [0.99, 0.6 + 0.05 * k, 0.3 + 0.06 * k, 0.1 + 0.05 * k],
            "at_floor": [0, 1, 2, 3], "largest": [4, 5, 6, 7],
        }  # fmt: skip
        put(home / "history" / f"{k:05d}.json", record)
    return digest


def _evaluation(folder: Path, ranks: int, digest: str) -> None:
    played = [p for p in pairings(list(SNAPSHOTS), SNAPSHOTS[-1]) if p.a == "blueprint"]
    rows = [match(p.a, p.b, WINS.get(p.b, 3.5 * i - 8)) for i, p in enumerate(played)]
    training = [
        {"after_interval": k, **match(snapshot_name(k), "rule", 60.0 * k + 11)} for k in SNAPSHOTS
    ]
    record = {
        "protocol": protocol(),
        "matches": rows,
        "over_training": {"opponent": "rule", "snapshots": training},
    }
    put(folder / "evaluation" / "matches.json", record)
    _search(folder)
    for kind in KINDS:
        put(folder / "evaluation" / "experiment" / f"{kind}.json", to_json(experiment(kind)))
    put(folder / "evaluation" / "firstin.json", first_in(ranks))
    put(folder / "evaluation" / "ranges.json", ranges(ranks))
    for k in SNAPSHOTS:
        values = first_in(ranks, snapshot_name(k), 0.7 + 0.07 * k, 6.0 / k)
        put(folder / "evaluation" / "firstin" / f"{snapshot_name(k)}.json", values)


def _search(folder: Path) -> None:
    duel = match("search", "blueprint", 40.0, 160.0) | {"hands": 120, "config": {"first": 1}}
    duel["setting"] = "fast"
    duel["aivat"] = match("search", "blueprint", 35.0, 80.0) | columns(35.0)
    for name, record, spent in (("gain", gain(), 288.0), ("duel", duel, 66.0)):
        put(folder / "evaluation" / "search" / f"{name}.json", record)
        cost = {"seconds": spent, "threads": 2}
        put(folder / "evaluation" / "search" / f"{name}_cost.json", cost)


def quality(name: str, ranks: int) -> dict:
    size = {"total": 1_286_792, "min": 521, "median": 6063.5, "max": 14981}
    result = {"round": name, "buckets": 200, "empty": 0, "situations": size, "deals": size}
    if name == "preflop":
        return {**result, "buckets": ranks * ranks}
    distance = {
        "unit": "win probability" if name == "river" else "bins", "within_bucket": 0.877,
        "one_bucket": 8.845, "random_buckets": 8.841, "by_win_probability_alone": 2.096,
    }  # fmt: skip
    two_seeds = {
        "adjusted_rand": 0.565, "adjusted_mutual_information": 0.846,
        "adjusted_rand_shuffled": 2.2e-06, "within_bucket_second": 0.878,
        "between_centroids": 0.58,
    }  # fmt: skip
    explained = {"sd_within_bucket": 0.011, "sd_one_bucket": 0.2, "explained": 0.997}
    more = {"distance": distance, "win_probability": explained, "two_seeds": two_seeds}
    return {**result, "sample": 500_000, **more}


def continuation_check() -> dict:
    """The test of the continuations, and their sizes."""
    fits = [
        {"strategy": name, "statistic": 101.5 + i, "degrees": 100, "p_value": 0.4 + 0.1 * i,
         "infosets": 900_000, "impossible": 0}
        for i, name in enumerate(STRATEGIES)
    ]  # fmt: skip
    size = {
        "infosets": 1_000_000, "actions": 2_600_000, "bytes_regrets": 10_400_000,
        "bytes_policy": 2_600_000, "bytes_packed": 171_250, "bits_per_infoset": 1.37,
    }  # fmt: skip
    return {"bias": 5.0, "refused_below_p": 1e-6, "chi_square": fits, "size": size}


def plan_stages() -> list[dict]:
    names = ["features", "cluster flop", "cluster turn", "cluster river", "tree", "blueprint"]
    names += ["average", "continuation", "evaluation", "report"]
    return [
        {"stage": n, "what": "rows", "rows": 10, "memory_gb": 1.5, "disk_gb": 0.25, "seconds": 90.0}
        for n in names
    ]


def _benchmarks(folder: Path, ranks: int) -> None:
    shared = folder.parent / "shared" / f"deck{4 * ranks}" / "benchmarks" / "features"
    own = folder / "benchmarks"
    benchmark(shared / "bins50_clusters8.tsv", 75.0, "2900.5")
    benchmark(shared / "bins20_clusters8.tsv", 1.0, "1.0")  # another run's
    for name in ("flop", "turn", "river"):
        benchmark(own / "abstraction" / f"cluster_{name}.tsv", 41.0, "1500")
        benchmark(own / "abstraction" / f"quality_{name}.tsv", 31.0, "900")
    for k in range(1, 5):
        benchmark(own / "blueprint" / "train" / f"{k:05d}.tsv", 60.0 + k, "4000.25")
    benchmark(own / "blueprint" / "tree.tsv", 1.2, "NA")
    benchmark(own / "evaluation" / "match" / "blueprint_vs_rule.tsv", 20.0, "700")
    benchmark(own / "report" / "report.tsv", 3.0, "200")


def benchmark(path: Path, seconds: float, memory_mb: str) -> None:
    """A benchmark file as Snakemake writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = ["s", "h:m:s", "max_rss", "max_vms", "max_uss", "max_pss"]
    names += ["io_in", "io_out", "mean_load", "cpu_time"]
    values = [f"{seconds}", "0:00:01", memory_mb, "1", "1", "1", "0", "0", "150", "3"]
    path.write_text("\t".join(names) + "\n" + "\t".join(values) + "\n", encoding="utf-8")
