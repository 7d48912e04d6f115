"""Commands of the validation: measure, answers, verdict."""

import sys
from pathlib import Path

import click

from sixmax.cli.options import FILE, TABLE, TEXT, threads
from sixmax.games import GAMES
from sixmax.games.game import ALL


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.argument("method", type=click.Choice(ALL))
@click.option("--seats", type=click.IntRange(2, 5), default=2, show_default=True, help="Players.")
@click.option("--settings", required=True, help="Of the method, as JSON: config/validate.")
@click.option("--out", type=FILE, required=True, help="Where the curve goes, as JSON.")
@threads
def measure(game: str, method: str, seats: int, settings: str, out: Path, threads: int) -> None:
    """Solve GAME by METHOD; measure on the way how far from an equilibrium it is.

    Best responses are exact. The kernels are those that train the blueprint.

    \b
    sixmax measure leduc cfr+ --settings '{"iterations": 1000}' --out /dev/stdout
    """
    from sixmax.validate.config import MethodSettings
    from sixmax.validate.stage import measure as stage

    stage(game, seats, method, MethodSettings.parse_json(settings, method), threads, out)


@click.command()
@click.argument("curves", type=FILE, nargs=-1, required=True)
@TABLE
@TEXT
@click.option("--page", type=FILE, required=True, help="The page with table and curves.")
def answers(curves: tuple[Path, ...], out: Path, text: Path, page: Path) -> None:
    """Set what CURVES measured beside what is known: a table and a page.

    Bounds that are missed are shown like the others; `sixmax verdict` fails on them.
    """
    from sixmax.report.validation import make
    from sixmax.validate.table import read_curves, rows, write_table

    records = read_curves(list(curves))
    found = rows(records)
    write_table(found, out, text)
    make(found, records, page)


@click.command()
@click.argument("table", type=FILE)
def verdict(table: Path) -> None:
    """Say how many bounds of TABLE are met; a line and exit code 1 for those that are missed.

    \b
    sixmax verdict results/validate/table.json
    """
    from sixmax.validate.table import missed

    lines, bounds = missed(table)
    for line in lines:
        click.echo(f"missed: {line}", err=True)
    if lines:
        sys.exit(1)
    click.echo(f"validate: all {bounds} bounds are met")
