"""Commands of the abstraction: features, cluster, quality."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, ROUND, SEEDS, STORE, THREADS


def _count(name: str, default: int, text: str) -> Callable:
    return click.option(name, type=COUNT, default=default, show_default=True, help=text)


RANKS = _count("--ranks", 13, "Of the deck; 13 is a full one.")
FEATURES = click.option("--features", type=FILE, required=True, help="Folder of the features.")


def _k_means(command: Callable) -> Callable:
    """Options of k-means."""
    for option in (
        _count("--sample", 200_000, "Situations to cluster."),
        _count("--restarts", 2, "Runs; the best is kept."),
        _count("--max-iterations", 50, "Of one run."),
        click.option("--seed", type=SEEDS, default=0, show_default=True, help="Of the run."),
    ):
        command = option(command)
    return command


def _made_by(module: str, **config: Any) -> dict[str, Any]:
    from sixmax.code_digest import code_digest

    return {"config": config, "code": code_digest(module)}


@click.command()
@_count("--bins", 50, "Bins of a histogram.")
@_count("--clusters", 8, "Clusters of opponents' hands.")
@click.option("--out", required=True, type=FILE, help="The folder to write.")
@RANKS
@THREADS
def features(bins: int, clusters: int, out: Path, ranks: int, threads: int) -> None:
    """Compute the features of every canonical hand by enumeration.

    Writes preflop.zarr, flop.zarr, turn.zarr and river.zarr. Before the river: histograms of the
    win probability on the river over all boards to come. On the river: the win probability against
    a random hand and against clusters of opponents' hands. The full deck takes about a minute on
    two cores, 3 GB of memory and 0.8 GB of disk.

    \b
    sixmax features --ranks 6 --out /tmp/features        a small deck, in seconds
    """
    from sixmax.abstraction.features import make
    from sixmax.jit import set_threads

    set_threads(threads)
    made_by = _made_by("abstraction.features", ranks=ranks, bins=bins, clusters=clusters)
    make(ranks, bins, clusters, out, threads, **made_by)


@click.command()
@click.argument("round_name", metavar="ROUND", type=ROUND)
@FEATURES
@STORE
@_count("--buckets", 200, "How many; 30,000 at most.")
@_k_means
@RANKS
@THREADS
def cluster(round_name: str, features: Path, out: Path, threads: int, **options: Any) -> None:
    """Cluster the hands of one ROUND into buckets: preflop, flop, turn or river.

    k-means on a sample of situations; then every situation joins its nearest centroid. Preflop is
    lossless (one bucket for each class) and needs no more than --ranks.

    \b
    sixmax cluster turn --features /tmp/features --ranks 6 --out /tmp/turn.zarr
    sixmax show /tmp/turn.zarr                           the arrays of the store
    """
    from sixmax.abstraction.buckets import make
    from sixmax.jit import set_threads
    from sixmax.stage import refuse_unwritable

    refuse_unwritable(out)
    set_threads(threads)
    shaped_by = {"ranks": options["ranks"]} if round_name == "preflop" else options
    made_by = _made_by("abstraction.buckets", round=round_name, **shaped_by)
    make(round_name, features, out, **options, **made_by)


@click.command()
@click.argument("round_name", metavar="ROUND", type=ROUND)
@FEATURES
@click.option("--buckets", required=True, type=FILE, help="The store to measure.")
@_count("--scored", 500_000, "Situations to measure.")
@click.option("--json", "json_path", required=True, type=FILE, help="The report, as JSON.")
@click.option("--picture", required=True, type=FILE, help="The report's picture, as PNG.")
@_k_means
@RANKS
@THREADS
def quality(
    round_name: str, sample: int, restarts: int, max_iterations: int, threads: int, **options: Any
) -> None:
    """Measure the quality of the buckets of one ROUND: JSON and a picture.

    Sizes and empty buckets; distances within buckets beside those of one bucket and of random
    buckets; the agreement with a second clustering by the same options and another seed.

    \b
    sixmax quality turn --features /tmp/features --ranks 6 --buckets /tmp/turn.zarr \\
        --json /tmp/turn.json --picture /tmp/turn.png
    """
    from sixmax.abstraction.quality import make
    from sixmax.jit import set_threads
    from sixmax.stage import refuse_unwritable

    refuse_unwritable(options["json_path"], options["picture"])
    set_threads(threads)
    train = {"sample": sample, "restarts": restarts, "max_iterations": max_iterations}
    make(round_name, train=train, **options)
