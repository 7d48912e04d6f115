"""Commands of the blueprint, from tree to average, node-values, and compress."""

import math
from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    COUNT,
    DEALS,
    FILE,
    HISTORY,
    INTERVAL,
    ROUND,
    RUN,
    SNAPSHOT,
    STORE,
    THREADS,
    UNPACKED,
    CountList,
    Json,
)


@click.command()
@click.option("--game", required=True, help="The config section `game`, as JSON.")
@click.option("--buckets", type=CountList(), required=True, help="By round: 169,200,200,200.")
@click.option(
    "--memory-gb",
    type=click.FloatRange(min=0, min_open=True),
    default=math.inf,
    help="Refuse a tree that needs more memory to train.",
)
@STORE
def tree(game: str, **options: Any) -> None:
    """Build the public betting tree of a game as flat arrays."""
    from sixmax.betting.config import GameConfig
    from sixmax.blueprint.train import build_tree

    build_tree(game=GameConfig.parse_json(game, "game"), **options)


@click.command()
@click.option("--settings", type=Json(), required=True, help="The settings of training, as JSON.")
@click.option("--tree", type=FILE, required=True, help="The betting tree.")
@click.option("--buckets", type=FILE, multiple=True, help="A store of buckets; one a round.")
@click.option("--out", type=FILE, required=True, help="run.json")
def identity(buckets: tuple[Path, ...], **options: Any) -> None:
    """Freeze the identity of a training run: its settings, and the content of tree and buckets.

    A checkpoint of another identity is refused. It is neither continued nor overwritten.
    """
    from sixmax.blueprint.train import freeze

    freeze(buckets={path.stem: path for path in buckets}, **options)


@click.command()
@UNPACKED
@INTERVAL
@SNAPSHOT
@HISTORY
@THREADS
def train(**options: Any) -> None:
    """Train one interval of the blueprint, from the checkpoint before it to its own.

    Monte Carlo CFR with linear discount and pruning: Algorithm 1 of the Pluribus supplement. The
    result is the same bit for bit for any number of threads and of interruptions.
    """
    from sixmax.blueprint.train import train_interval

    train_interval(**options)


@click.command()
@UNPACKED
@INTERVAL
@click.option("--shard", type=COUNT, required=True, help="Which of the run's shards, from 1.")
@click.option("--out", type=FILE, required=True, help="The store to write: the shard's delta.")
@THREADS
def shard(**options: Any) -> None:
    """Train one shard of an interval, from the checkpoint before it to a delta.

    `blueprint.shards` jobs share an interval, on as many machines as you like; `sixmax merge` takes
    the mean of their tables. A delta holds the entries that changed.
    """
    from sixmax.blueprint.shards import train_shard

    train_shard(**options)


@click.command()
@click.argument("deltas", nargs=-1, type=FILE, required=True)
@UNPACKED
@INTERVAL
@SNAPSHOT
@HISTORY
@THREADS
def merge(**options: Any) -> None:
    """Add the mean of the DELTAS of an interval's shards to the checkpoint before it.

    Deltas are integers, so their order does not matter. Like `sixmax train`, it writes a
    checkpoint, a history and, with --snapshot, the current strategy.
    """
    from sixmax.blueprint.shards import merge_shards

    merge_shards(**options)


@click.command()
@UNPACKED
@click.option("--last", type=COUNT, required=True, help="The last interval trained.")
@click.option(
    "--snapshots", type=CountList(), default="", help="As 4,5,6: the intervals to average."
)
@STORE
@THREADS
def average(**options: Any) -> None:
    """Make the blueprint: counted rounds by their counters, later ones the mean of strategies."""
    from sixmax.blueprint.train import average as stage

    stage(**options)


@click.command()
@RUN
@click.option("--round", "round_name", type=ROUND, required=True, help="The betting round.")
@click.option("--boards", type=DEALS, required=True, help="Sampled; all hands are played on each.")
@STORE
@THREADS
def node_values(**options: Any) -> None:
    """Estimate the blueprint's own values, by node and bucket: both of two players play it.

    For the decisions of a round and the nodes that they lead to: the counterfactual value of each
    player's buckets in chips, its standard error, and its weight, the reach.
    """
    from sixmax.blueprint.values import node_values as stage

    stage(**options)


class Bias(click.FloatRange):
    """The factor of a biased continuation: a finite number above 1."""

    def __init__(self) -> None:
        super().__init__(min=1, min_open=True)

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        bias = super().convert(value, param, ctx)
        if not math.isfinite(bias):
            self.fail(f"found {value}, wanted a finite number above 1", param, ctx)
        return bias


@click.command()
@RUN
@click.option("--bias", "factor", type=Bias(), required=True, help="Factor on fold, call or raise.")
@click.option("--generator", default="bias", show_default=True, help="The maker of continuations.")
@STORE
@click.option("--check", type=FILE, required=True, help="The test of the samples, as JSON.")
@THREADS
def compress(**options: Any) -> None:
    """Sample one action per infoset for each of the continuation strategies.

    Those of `bias` are the blueprint, and the blueprint biased towards folding, calling or raising;
    continuation/generate.py has the generators. An action takes the fewest bits. A chi-square test
    compares samples and strategies before anything is written.
    """
    from sixmax.continuation.stage import compress as stage

    stage(**options)
