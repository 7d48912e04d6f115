"""Command of the continuation strategies: compress."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, threads

# Continuations lean towards an action, never away from it.
BIAS = click.FloatRange(min=1, min_open=True)


@click.command()
@click.option("--run", "folder", type=FILE, required=True, help="The folder results/{run}.")
@click.option("--bias", type=BIAS, required=True, help="Factor on fold, call or raise.")
@click.option("--out", type=FILE, required=True, help="The store to write.")
@click.option("--check", type=FILE, required=True, help="Where the test of the samples goes, JSON.")
@threads
def compress(folder: Path, bias: float, out: Path, check: Path, threads: int) -> None:
    """Sample one action per infoset for each of the four continuation strategies.

    The blueprint unchanged, and leaning to folding, calling or raising; each action in the fewest
    bits. A chi-square test holds the samples to the strategies before anything is written.
    """
    from sixmax.continuation.stage import compress as stage

    stage(folder, bias, threads, out, check)
