"""Commands of the abstraction: features, cluster, flop."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    COUNT,
    FEATURES,
    FILE,
    RANKS,
    ROUND,
    RUN,
    STORE,
    THREADS,
    count_option,
    k_means_options,
)


def _made_by(module: str, **config: Any) -> dict[str, Any]:
    from sixmax.base.code_digest import code_digest

    return {"config": config, "code": code_digest(module)}


@click.command()
@count_option("--bins", 50, "Bins of a histogram.")
@count_option("--clusters", 8, "Clusters of opponents' hands.")
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

    made_by = _made_by("abstraction.features", ranks=ranks, bins=bins, clusters=clusters)
    make(ranks, bins, clusters, out, threads, **made_by)


@click.command()
@click.argument("round_name", metavar="ROUND", type=ROUND)
@FEATURES
@STORE
@count_option("--buckets", 200, "How many; 30,000 at most.")
@k_means_options
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

    shaped_by = {"ranks": options["ranks"]} if round_name == "preflop" else options
    made_by = _made_by("abstraction.buckets", round=round_name, **shaped_by)
    make(round_name, features, out, threads=threads, **options, **made_by)


@click.command()
@click.argument("flops", nargs=-1, required=True, metavar="FLOP...")
@RUN
@click.option("--buckets", type=COUNT, default=500, show_default=True, help="Of each round.")
@click.option("--second", is_flag=True, help="Also from a second seed, and a picture.")
@THREADS
def flop(flops: tuple[str, ...], folder: Path, **options: Any) -> None:
    """Cluster turn and river after each FLOP: its cards, or its number among all flops.

    Writes a store and a report of its quality to results/{run}/search/flop. Search makes a missing
    flop itself; this command makes it ahead. Two seconds on one core for the first, two for each,
    4 MB a flop. A second seed tells in the report how far chance decides the buckets: with a
    picture, thrice as long.

    \b
    sixmax flop AhKd2c --run results/default
    """
    from sixmax.abstraction.flop import store
    from sixmax.base.code_digest import code_digest

    numbers = [
        int(flop) if flop.isascii() and flop.isdigit() else store.find(folder, flop)[1]
        for flop in flops
    ]
    store.make_all(folder, numbers, **options, code=code_digest("abstraction.flop.store"))
