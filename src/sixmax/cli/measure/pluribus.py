"""Commands that compare with Pluribus: compare, pluribus."""

from typing import Any

import click

from sixmax.cli.options import (
    AGENT,
    COUNT,
    COUNT_OR_0,
    FILE,
    OUT,
    RUN,
    SEEDS,
    THREADS,
    search_options,
)


@click.command()
@RUN
@AGENT
@OUT
def compare(**options: Any) -> None:
    """Set first-in play of each seat beside the frequencies that Pluribus published.

    \b
    sixmax compare --run results/default --out firstin.json
    """
    from sixmax.evaluation.pluribus.stage import compare as stage

    stage(**options)


@click.command()
@click.argument("logs", type=FILE)
@RUN
@AGENT
@click.option(
    "--hands", "self_hands", type=COUNT, default=100_000, show_default=True, help="Of self-play."
)
@click.option(
    "--searched",
    "searched_hands",
    type=COUNT_OR_0,
    default=0,
    show_default=True,
    help="Hands in which search is scored too: two seconds each in the fast setting.",
)
@search_options
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of self-play and search.")
@OUT
@THREADS
def pluribus(config: Any, setting: str, **options: Any) -> None:
    """Score an agent by Pluribus's own decisions in the published hands in the folder LOGS.

    \b
    sixmax pluribus pluribus_hands --run results/default --searched 30 --setting fast \\
        --out pluribus.json
    """
    from sixmax.evaluation.pluribus.stage import compare_pluribus

    compare_pluribus(search=config, **options)
