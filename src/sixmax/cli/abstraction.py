"""Commands of the abstraction: features, cluster, quality."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, SEED, threads

ROUND = click.Choice(("preflop", "flop", "turn", "river"))
ranks = click.option(
    "--ranks", type=COUNT, default=13, show_default=True, help="Of the deck; 13 is a full one."
)
folder = click.option("--features", type=FILE, required=True, help="Folder of the features.")


def _training(command: Callable) -> Callable:
    """Options of k-means."""
    for option in (
        click.option(
            "--sample", type=COUNT, default=200_000, show_default=True, help="Situations it sees."
        ),
        click.option(
            "--restarts", type=COUNT, default=2, show_default=True, help="Runs; the best is kept."
        ),
        click.option(
            "--max-iterations", type=COUNT, default=50, show_default=True, help="Of one run."
        ),
        click.option("--seed", type=SEED, default=0, show_default=True, help="Of the run."),
    ):
        command = option(command)
    return command


def _made_by(module: str, **config: Any) -> dict[str, Any]:
    from sixmax.code_digest import code_digest

    return {"config": config, "code": code_digest(module)}


@click.command()
@click.option("--bins", type=COUNT, default=50, show_default=True, help="Bins of a histogram.")
@click.option(
    "--clusters", type=COUNT, default=8, show_default=True, help="Clusters of opponents' hands."
)
@click.option("--out", required=True, type=FILE, help="Folder to write to.")
@ranks
@threads
def features(bins: int, clusters: int, out: Path, ranks: int, threads: int) -> None:
    """Features of every canonical hand, enumerated.

    Writes preflop.zarr, flop.zarr, turn.zarr and river.zarr: histograms of the win probability on
    the river over all boards to come, and on the river the win probability against a random hand
    and against clusters of opponents' hands. The full deck takes about a minute on two cores,
    3 GB of memory and 0.8 GB of disk.

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
@folder
@click.option("--out", required=True, type=FILE, help="Store to write.")
@click.option(
    "--buckets", type=COUNT, default=200, show_default=True, help="How many; 255 at most."
)
@_training
@ranks
@threads
def cluster(round_name: str, features: Path, out: Path, threads: int, **options: Any) -> None:
    """Buckets of one betting ROUND: preflop, flop, turn or river.

    k-means on a sample of situations, then the nearest centroid for every situation. Preflop is
    lossless (one bucket for each class) and needs no more than --ranks.

    \b
    sixmax cluster turn --features /tmp/features --ranks 6 --out /tmp/turn.zarr
    sixmax show /tmp/turn.zarr                           what is inside
    """
    from sixmax.abstraction.buckets import make
    from sixmax.jit import set_threads
    from sixmax.stage import refuse_unwritable

    refuse_unwritable(out)
    set_threads(threads)
    lossless = round_name == "preflop"
    shaped_by = {"ranks": options["ranks"]} if lossless else options
    make(
        round_name,
        features,
        out,
        **options,
        **_made_by("abstraction.buckets", round=round_name, **shaped_by),
    )


@click.command()
@click.argument("round_name", metavar="ROUND", type=ROUND)
@folder
@click.option("--buckets", required=True, type=FILE, help="Store to score.")
@click.option(
    "--scored", type=COUNT, default=500_000, show_default=True, help="Situations that are scored."
)
@click.option("--json", "json_path", required=True, type=FILE)
@click.option("--picture", required=True, type=FILE, help="PNG to write.")
@_training
@ranks
@threads
def quality(
    round_name: str, sample: int, restarts: int, max_iterations: int, threads: int, **options: Any
) -> None:
    """How good the buckets of one ROUND are, as JSON and as a picture.

    Sizes and empty buckets, distances within buckets beside those of one bucket and of random
    ones, and how far a second clustering agrees, made with the same options and another seed.

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
