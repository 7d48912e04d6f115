"""Commands of the Libratus tables: resolve, off-tree, libratus, holds."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.measure import judge
from sixmax.cli.options import FILE, ITERATIONS, OUT, THREADS, Choice


@click.command()
@click.argument("store", type=FILE)
@click.argument("technique")
@ITERATIONS
@OUT
@THREADS
def resolve(technique: str, **options: Any) -> None:
    """Solve every subgame of the blueprint in STORE by TECHNIQUE, and measure exploitability.

    \b
    sixmax resolve blueprint.zarr maxmargin --out maxmargin.json
    """
    from sixmax.studies.libratus.stage import resolve as stage
    from sixmax.studies.libratus.subgames import TECHNIQUES

    chosen = Choice(("none", *TECHNIQUES)).convert(technique, None, click.get_current_context())
    stage(technique=chosen, **options)


@click.command()
@click.argument("store", type=FILE)
@click.argument("answer")
@click.option(
    "--size", "sizes", type=float, multiple=True, required=True, help="Missing bets, pots."
)
@ITERATIONS
@OUT
@THREADS
def off_tree(answer: str, sizes: tuple[float, ...], **options: Any) -> None:
    """Let an opponent bet sizes that the blueprint in STORE lacks, and measure the ANSWER to it.

    \b
    sixmax off-tree blueprint.zarr translation --size 0.3 --out translation.json
    """
    from sixmax.studies.libratus.off_tree import ANSWERS
    from sixmax.studies.libratus.stage import answer_bet

    chosen = Choice(("none", *ANSWERS)).convert(answer, None, click.get_current_context())
    answer_bet(answer=chosen, sizes=list(sizes), **options)


@click.command()
@click.argument("folder", type=FILE)
@click.option("--config", required=True, help="config/tables/libratus.yaml, as JSON.")
@OUT
@click.option("--page", type=FILE, required=True, help="The page with the tables.")
@click.option("--run", type=FILE, help="The run of Table S1. Default: no such table.")
def libratus(config: str, page: Path, **options: Any) -> None:
    """Gather the cells below FOLDER: tables as JSON, and a page.

    `snakemake libratus` measures the cells first.

    \b
    sixmax libratus results/libratus --config "$(cat c.json)" --out tables.json --page index.html
    """
    from sixmax.report.pages.libratus import make
    from sixmax.studies.libratus.config import TablesConfig
    from sixmax.studies.libratus.tables import gather

    make(gather(TablesConfig.parse_json(config, "config"), **options), page)


@click.command()
@click.argument("tables", type=FILE)
def holds(tables: Path) -> None:
    """Count the checks in TABLES that hold; print the others and exit with code 1.

    Those that the config calls open are known to fail: one of them that holds is printed too.

    TABLES is the tables.json of `snakemake libratus` or `snakemake modicum`: their last step.

    \b
    sixmax holds results/libratus/tables.json
    """
    from sixmax.studies.flop_games.checks import missed

    lines, count = missed(tables)
    judge(lines, f"{tables.absolute().parent.name}: {count}")
