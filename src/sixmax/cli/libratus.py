"""Commands of the Libratus tables: flop-game, resolve, off-tree, libratus, holds."""

import sys
from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, COUNT_OR_0, FILE, OUT, SEED, STORE, THREADS, Choice

ITERATIONS = click.option(
    "--iterations", type=COUNT, default=300, show_default=True, help="Of CFR."
)


@click.command()
@click.option("--game", required=True, help="Stack, raises and flops, as in config/tables; JSON.")
@SEED
@click.option(
    "--buckets", type=COUNT_OR_0, default=0, show_default=True, help="0: every hand alone."
)
@ITERATIONS
@STORE
@THREADS
def flop_game(game: str, **options: Any) -> None:
    """Solve two players' hold'em that ends on flop or turn: a blueprint of the Libratus tables.

    \b
    sixmax flop-game --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 5}' --seed 1 --buckets 200 --out blueprint.zarr
    """
    from sixmax.flop_games.config import GameSettings
    from sixmax.libratus.stage import solve_game

    solve_game(GameSettings.parse_json(game, "game"), **options)


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
    from sixmax.libratus.stage import resolve as stage
    from sixmax.libratus.subgames import TECHNIQUES

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
    from sixmax.libratus.off_tree import ANSWERS
    from sixmax.libratus.stage import answer_bet

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
    from sixmax.libratus.config import TablesConfig
    from sixmax.libratus.tables import gather
    from sixmax.report.pages.libratus import make

    make(gather(TablesConfig.parse_json(config, "config"), **options), page)


@click.command()
@click.argument("tables", type=FILE)
def holds(tables: Path) -> None:
    """Count the checks in TABLES that hold; print the others and exit with code 1.

    TABLES is the tables.json of `snakemake libratus` or `snakemake modicum`: their last step.

    \b
    sixmax holds results/libratus/tables.json
    """
    from sixmax.flop_games.checks import missed

    lines, number = missed(tables)
    for line in lines:
        click.echo(f"missed: {line}", err=True)
    if lines:
        sys.exit(1)
    click.echo(f"{tables.absolute().parent.name}: all {number} checks hold")
