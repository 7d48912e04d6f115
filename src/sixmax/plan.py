"""What a run will cost, stage by stage, before anything is computed.

Rows are exact and bytes upper bounds; seconds come from rates that were measured on two cores
(benchmarks/README.md) and are divided among the threads. Memory that training allocates is backed
only where a traversal touches it; disk is counted before compression.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.checkpoint import KEPT
from sixmax.blueprint.train import training_bytes
from sixmax.cards.deck import n_holes
from sixmax.cards.isomorphism import boards, offsets
from sixmax.config import Config
from sixmax.files import write_json
from sixmax.game.tree import Counts, count

# Work a second on one core of an AMD EPYC (Zen 4) at 2 threads, compile time apart.
RIVERS = 1_850  # canonical rivers whose equities are found, with all later features
TURN_LIKE = 430_000  # situations given their nearest centroid, of histograms of 50 bins
RIVER_LIKE = 1_800_000  # and of 8 numbers
KMEANS = 2.0e8  # distances in k-means: sample x buckets x iterations x restarts
NODES = 2_000_000  # nodes of the betting tree
TRAVERSALS = 75_000  # of the default tree; a larger one waits more for memory
HANDS = 150_000  # hands of a match
ENTRIES = 60_000_000  # entries of a table averaged, biased or packed
READ = 2.0e8  # bytes of features read, checked and turned into points
START_S = 8.0  # a stage's start: Python, compiled kernels loaded, stores checked
_BOARD = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


class Stage(NamedTuple):
    """One line of a plan."""

    stage: str
    what: str  # that the rows are
    rows: int
    memory_gb: float
    disk_gb: float
    seconds: float


def stages(config: Config, tree: Counts) -> list[Stage]:
    """The cost of each stage of ``config``, whose tree has been counted."""
    threads, ranks = config.machine.threads, config.deck.ranks
    rounds = list(_BOARD)[: len(config.game.rounds)]
    sizes = {r: int(offsets(ranks, k)[-1]) for r, k in _BOARD.items()}
    tables = {r: len(boards(ranks, k).count) * n_holes(ranks) for r, k in _BOARD.items()}
    entries = int(tree.columns.sum(axis=1) @ np.asarray(config.bucket_counts))
    return [
        _features(config, sizes, tables, threads),
        *(_cluster(config, r, sizes, tables, threads) for r in rounds[1:]),
        Stage("tree", "nodes", tree.nodes, 24 * tree.nodes / 1e9, 24 * tree.nodes / 1e9,
              START_S + 2 * tree.nodes / NODES),
        *_blueprint(config, entries, tree, threads),
        _passes("continuation", 4, entries, threads),
        _matches(config, entries, threads),
        Stage("report", "pages", 1, 0.5, 0.01, 10.0),
    ]  # fmt: skip


def _features(config: Config, sizes: dict, tables: dict, threads: int) -> Stage:
    bins, clusters = config.abstraction.bins, config.abstraction.ochs_clusters
    flop, turn, river = sizes["flop"], sizes["turn"], sizes["river"]
    disk = flop * (2 * bins + 4) + turn * (bins + 4) + river * (2 * clusters + 2)
    rivers = tables["river"] / n_holes(config.deck.ranks)
    seconds = START_S + rivers / RIVERS / threads
    memory = (disk + 2 * tables["river"]) / 1e9
    return Stage("features", "situations", sum(sizes.values()), memory, disk / 1e9, seconds)


def _cluster(config: Config, name: str, sizes: dict, tables: dict, threads: int) -> Stage:
    section = config.abstraction
    buckets = getattr(section.buckets, name)
    learned = min(getattr(section.sample, name), sizes[name])
    rate = RIVER_LIKE if name == "river" else TURN_LIKE
    work = learned * buckets * section.restarts * section.max_iterations / KMEANS
    assign = sizes[name] * (buckets / 200) / rate
    width = 18 if name == "river" else section.bins + 4
    memory = (sizes[name] * (width + 2) + tables[name]) / 1e9
    # Twice the learning and reading: the quality report clusters again with another seed.
    reading = sizes[name] * width / READ
    seconds = 2 * START_S + 2 * reading + (2 * work + assign) / threads
    return Stage(f"cluster {name}", "situations", sizes[name], memory, tables[name] / 1e9, seconds)


def _blueprint(config: Config, entries: int, tree: Counts, threads: int) -> list[Stage]:
    section, seats = config.blueprint, config.game.seats
    traversals = section.total * seats
    table_gb = 4 * entries / 1e9
    snapshots = len(section.snapshots())
    # Checkpoints are read, digested and written; a pass over the table for each discount.
    discounts = min(section.discount_until, section.total) // section.discount_every
    passes = (3 * section.intervals + discounts) * table_gb * 0.5
    seconds = section.intervals * START_S + traversals / TRAVERSALS / threads + passes
    disk = (KEPT + 1) * table_gb + (snapshots + 1) * entries / 1e9
    if (shards := section.shards) > 1:  # side by side; the merge starts, reads them and adds
        walking = traversals / TRAVERSALS / threads
        merging = section.intervals * (START_S + (shards + 2) * table_gb * 0.5)
        seconds += walking / shards - walking + merging
        disk += shards * table_gb
    memory = training_bytes(tree, config.bucket_counts, shards) / 1e9
    averaging = _passes("average", len(section.averaged()), entries, threads)
    return [Stage("blueprint", "infoset actions", entries, memory, disk, seconds), averaging]


def _passes(stage: str, times: int, entries: int, threads: int) -> Stage:
    seconds = START_S + times * entries / ENTRIES / threads
    disk = (entries if stage == "average" else entries / 2) / 1e9
    return Stage(stage, "infoset actions", entries, 4 * entries / 1e9 + 0.5, disk, seconds)


def _matches(config: Config, entries: int, threads: int) -> Stage:
    matches = 9 + len(config.blueprint.snapshots())
    hands = matches * config.evaluation.deals * config.game.seats
    memory = 2 * entries / 1e9 + 0.7
    return Stage(
        "evaluation", "hands", hands, memory, 0.01, matches * START_S + hands / HANDS / threads
    )


def plan(config: Config, out: Path) -> str:
    """Stage ``plan``: write ``out`` (JSON) and return the table as text."""
    lines = stages(config, count(config.game))
    total = Stage(
        "all", "", 0, max(s.memory_gb for s in lines), sum(s.disk_gb for s in lines),
        sum(s.seconds for s in lines),
    )  # fmt: skip
    record = {"run": config.run, "stages": [s._asdict() for s in lines], "total": total._asdict()}
    write_json(out, record)
    return _table(config, lines, total)


def _table(config: Config, lines: list[Stage], total: Stage) -> str:
    rows = [f"{'stage':16}{'rows':>15}  {'of':16}{'memory':>10}{'disk':>10}{'time':>10}"]
    for s in [*lines, total]:
        shown = f"{s.rows:,}" if s.rows else ""
        rows.append(
            f"{s.stage:16}{shown:>15}  {s.what:16}{s.memory_gb:>7.2f} GB{s.disk_gb:>7.2f} GB"
            f"{_duration(s.seconds):>10}"
        )
    heading = f"{config.run}: estimates for {config.machine.threads} threads"
    if config.blueprint.shards > 1:
        heading += f", {config.blueprint.shards} shards on as many machines"
    return "\n".join([heading, *rows])


def _duration(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"
