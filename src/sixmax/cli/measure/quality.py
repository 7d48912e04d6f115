"""The command that measures buckets: quality."""

from typing import Any

import click

from sixmax.cli.options import FEATURES, FILE, RANKS, ROUND, THREADS, count_option, k_means_options


@click.command()
@click.argument("round_name", metavar="ROUND", type=ROUND)
@FEATURES
@click.option("--buckets", required=True, type=FILE, help="The store to measure.")
@count_option("--scored", 500_000, "Situations to measure.")
@click.option("--json", "json_path", required=True, type=FILE, help="The report, as JSON.")
@click.option("--picture", required=True, type=FILE, help="The report's picture, as PNG.")
@k_means_options
@RANKS
@THREADS
def quality(
    round_name: str, sample: int, restarts: int, max_iterations: int, **options: Any
) -> None:
    """Measure the quality of the buckets of one ROUND: JSON and a picture.

    Sizes and empty buckets; distances within buckets beside those of one bucket and of random
    buckets; the agreement with a second clustering by the same options and another seed.

    \b
    sixmax quality turn --features /tmp/features --ranks 6 --buckets /tmp/turn.zarr \\
        --json /tmp/turn.json --picture /tmp/turn.png
    """
    from sixmax.abstraction.quality import make

    train = {"sample": sample, "restarts": restarts, "max_iterations": max_iterations}
    make(round_name, train=train, **options)
