"""Commands of the experiments: experiment, hands."""

from pathlib import Path

import click

from sixmax.cli.options import CONFIG, COUNT, FILE, OUT, RUN, SEED, SETTING, Names, threads


@click.command()
@click.argument("kind", type=click.Choice(["alone", "copies"]))
@RUN
@click.option("--agent", default="blueprint", show_default=True, help="Who is put to the test.")
@click.option(
    "--participants", type=Names(), required=True, help="Whom it meets, separated by commas."
)
@click.option(
    "--deals",
    type=COUNT,
    required=True,
    help="Shared by the participants; of each share a multiple of the seats is played.",
)
@click.option("--points", type=COUNT, default=100, show_default=True, help="Of the curves.")
@click.option("--seed", type=SEED, required=True, help="Of deals, line-ups and actions.")
@OUT
@click.option("--values", type=FILE, default=None, help="For AIVAT: what `sixmax values` wrote.")
@click.option(
    "--aivat-deals", type=click.IntRange(min=0), default=0, help="That AIVAT scores, the first."
)
@CONFIG
@SETTING
@threads
def experiment(
    kind: str,
    folder: Path,
    agent: str,
    participants: list[str],
    deals: int,
    points: int,
    seed: int,
    out: Path,
    values: Path | None,
    aivat_deals: int,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """The paper's two experiments, with its Control: `alone` puts one copy of the agent among
    participants drawn for each deal (5H+1AI), `copies` five of it around one participant (1H+5AI).

    Agents are those of `sixmax match`, from tables, and `search`: with it hands are played one by
    one, seconds each, so take few.

    \b
    sixmax experiment copies --run results/default --participants rule,call --deals 20000 \\
        --seed 1 --out copies.json
    sixmax experiment copies --run results/default --agent search --participants rule --deals 24 \\
        --seed 1 --out search.json
    """
    from sixmax.errors import UserError
    from sixmax.evaluation.experiments.stage import experiment as stage
    from sixmax.search.config import search_config

    if (values is None) != (not aivat_deals):
        raise UserError("experiment: give --values and --aivat-deals, or neither")
    config = search_config(settings, setting)
    stage(
        folder, kind, agent, participants, deals, points, seed, threads, out, config, values,
        aivat_deals, setting,
    )  # fmt: skip


@click.command()
@click.argument("edge", type=click.FloatRange(min=0, min_open=True))
@click.argument("results", type=FILE, nargs=-1)
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.999),
    default=0.8,
    show_default=True,
    help="Probability that the test is significant where the edge is true.",
)
def hands(edge: float, results: tuple[Path, ...], power: float) -> None:
    """How many hands it takes to see EDGE, in mbb/game, by the variances of RESULTS.

    RESULTS are those of matches, by AIVAT or not, and of experiments; without any, variances of all
    three measured with the default preset are taken.

    \b
    sixmax hands 20 results/default/evaluation/experiment/*.json
    """
    from sixmax.evaluation.scores.power import MEASURED, read_spreads, table

    spreads = [s for path in results for s in read_spreads(path)] or list(MEASURED.values())
    click.echo(table(edge, spreads, power))
