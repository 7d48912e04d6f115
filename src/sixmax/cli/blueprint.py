"""Commands of the blueprint: tree, identity, train, shard, merge, average."""

import math
from pathlib import Path

import click

from sixmax.cli.options import (
    COUNT,
    FILE,
    HISTORY,
    INTERVAL,
    RUN,
    SNAPSHOT,
    STORE,
    Counts,
    Json,
    threads,
)

ABOVE_0 = click.FloatRange(min=0, min_open=True)


@click.command()
@click.option("--game", required=True, help="The config section `game`, as JSON.")
@click.option("--buckets", type=Counts(), required=True, help="By round: 169,200,200,200.")
@click.option(
    "--memory-gb", type=ABOVE_0, default=math.inf, help="Refuse what needs more to train."
)
@STORE
def tree(game: str, buckets: list[int], memory_gb: float, out: Path) -> None:
    """Build the public betting tree of a game as flat arrays."""
    from sixmax.blueprint.train import build_tree
    from sixmax.game.config import GameConfig

    build_tree(out, GameConfig.parse_json(game, "game"), buckets, memory_gb)


@click.command()
@click.option("--settings", type=Json(), required=True, help="What training depends on, as JSON.")
@click.option("--tree", type=FILE, required=True, help="The tree it trains on.")
@click.option("--buckets", type=FILE, multiple=True, help="A store of buckets; one a round.")
@click.option("--out", type=FILE, required=True, help="run.json")
def identity(settings: dict, tree: Path, buckets: tuple[Path, ...], out: Path) -> None:
    """Freeze what a training run is: its settings, and the content of its tree and buckets.

    Checkpoints of another identity are refused, never continued and never overwritten.
    """
    from sixmax.blueprint.train import freeze

    freeze(out, settings, tree, {path.stem: path for path in buckets})


@click.command()
@RUN
@INTERVAL
@SNAPSHOT
@HISTORY
@threads
def train(folder: Path, interval: int, snapshot: bool, history: Path, threads: int) -> None:
    """Train one interval of the blueprint, from the checkpoint before it to its own.

    Monte Carlo CFR with linear discount and pruning: Algorithm 1 of the Pluribus supplement. The
    result is the same bit for bit whatever the number of threads and of interruptions.
    """
    from sixmax.blueprint.train import train_interval

    train_interval(folder, interval, threads, snapshot, history)


@click.command()
@RUN
@INTERVAL
@click.option("--shard", type=COUNT, required=True, help="Which of the run's shards, from 1.")
@click.option("--out", type=FILE, required=True, help="The store to write: what the shard adds.")
@threads
def shard(folder: Path, interval: int, shard: int, out: Path, threads: int) -> None:
    """Train one shard of an interval, from the checkpoint before it to what it adds.

    An interval of a run with `blueprint.shards` above 1 is dealt out to so many jobs, which may run
    on as many machines; `sixmax merge` adds up what they leave.
    """
    from sixmax.blueprint.shards import train_shard

    train_shard(folder, interval, shard, threads, out)


@click.command()
@click.argument("deltas", nargs=-1, type=FILE, required=True)
@RUN
@INTERVAL
@SNAPSHOT
@HISTORY
@threads
def merge(
    deltas: tuple[Path, ...],
    folder: Path,
    interval: int,
    snapshot: bool,
    history: Path,
    threads: int,
) -> None:
    """Add DELTAS, what the shards of an interval found, to the checkpoint before it.

    Sums of whole numbers: the order of the shards does not matter, nor which was done first.
    Leaves what `sixmax train` leaves: a checkpoint, a history and, where asked for, a snapshot.
    """
    from sixmax.blueprint.shards import merge_shards

    merge_shards(folder, interval, list(deltas), threads, snapshot, history)


@click.command()
@RUN
@click.option("--last", type=COUNT, required=True, help="The last interval that was trained.")
@click.option("--snapshots", type=Counts(), required=True, help="Averaged: after 4,5,6.")
@STORE
@threads
def average(folder: Path, last: int, snapshots: list[int], out: Path, threads: int) -> None:
    """Make the blueprint: the first round's own average, later rounds the mean of snapshots."""
    from sixmax.blueprint import train

    train.average(folder, last, snapshots, threads, out)
