"""Commands of the experiments: experiment, hands."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    AGENT,
    COUNT,
    COUNT_OR_0,
    FILE,
    OUT,
    RUN,
    SEED,
    THREADS,
    Choice,
    Names,
    search_options,
)


@click.command()
@click.argument("kind", type=Choice(["alone", "copies"]), metavar="KIND")
@RUN
@AGENT
@click.option(
    "--participants", type=Names(), required=True, help="The other agents, separated by commas."
)
@click.option(
    "--deals",
    type=COUNT,
    required=True,
    help="Shared equally by the participants; each share is cut to a multiple of the seats.",
)
@click.option("--points", type=COUNT, default=100, show_default=True, help="Of the curves.")
@SEED
@OUT
@click.option("--values", type=FILE, help="The store of `sixmax values`, for AIVAT.")
@click.option("--aivat-deals", type=COUNT_OR_0, default=0, help="AIVAT scores so many deals.")
@search_options
@THREADS
def experiment(**options: Any) -> None:
    """Play one of the paper's two experiments, with its Control.

    KIND `alone` seats one copy of the agent among participants drawn for each deal (5H+1AI);
    `copies` seats five copies of it around one participant (1H+5AI). Agents are those of `sixmax
    match`, and `search`. With search, hands are played one by one, seconds each, so take few.

    \b
    sixmax experiment copies --run results/default --participants rule,call --deals 20000 \\
        --seed 1 --out copies.json
    sixmax experiment copies --run results/default --agent search --participants rule --deals 24 \\
        --seed 1 --out search.json
    """
    from sixmax.base.errors import UserError
    from sixmax.evaluation.experiments.stage import experiment as stage

    if (options["values"] is None) != (not options["aivat_deals"]):
        raise UserError("experiment: give --values and --aivat-deals, or neither")
    stage(**options)


@click.command()
@click.argument("edge", type=click.FloatRange(min=0, min_open=True))
@click.argument("results", type=FILE, nargs=-1)
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.999),
    default=0.8,
    show_default=True,
    help="Probability that the test finds the edge if it is there.",
)
def hands(edge: float, results: tuple[Path, ...], power: float) -> None:
    """Compute the number of hands to see EDGE, in mbb/game, from the variances of RESULTS.

    RESULTS are matches, with or without AIVAT, and experiments. The default is one variance of
    each, measured with the default preset.

    \b
    sixmax hands 20 results/default/evaluation/experiment/*.json
    """
    from sixmax.scores.power import MEASURED, read_spreads, table

    spreads = [s for path in results for s in read_spreads(path)] or list(MEASURED.values())
    click.echo(table(edge, spreads, power))
