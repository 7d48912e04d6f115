"""Commands of the validation: measure, answers, verdict."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.measure import judge
from sixmax.cli.options import FILE, OUT, TEXT, THREADS, Choice
from sixmax.games import GAMES
from sixmax.games.game import ALL


@click.command(epilog=f"Games: {', '.join(GAMES)}. Methods: {', '.join(ALL)}.")
@click.argument("game", type=Choice(list(GAMES)), metavar="GAME")
@click.argument("method", type=Choice(ALL), metavar="METHOD")
@click.option("--seats", type=click.IntRange(2, 5), default=2, show_default=True, help="Players.")
@click.option("--settings", required=True, help="Of the method, as in config/validate; JSON.")
@click.option("--out", type=FILE, required=True, help="The curve, as JSON.")
@THREADS
def measure(game: str, method: str, settings: str, **options: Any) -> None:
    """Solve GAME by METHOD, and measure its exploitability on the way.

    Best responses are exact. The kernels are those that train the blueprint.

    \b
    sixmax measure leduc cfr+ --settings '{"iterations": 1000}' --out /dev/stdout
    """
    from sixmax.studies.validate.config import MethodSettings
    from sixmax.studies.validate.stage import measure as stage

    checked = MethodSettings.parse_json(settings, method)
    stage(name=game, method=method, settings=checked, **options)


@click.command()
@click.argument("curves", type=FILE, nargs=-1, required=True)
@OUT
@TEXT
@click.option("--page", type=FILE, required=True, help="The page with table and curves.")
def answers(curves: tuple[Path, ...], out: Path, text: Path, page: Path) -> None:
    """Gather the measured CURVES beside the known answers: a table and a page.

    Missed bounds appear in the table like all others; `sixmax verdict` fails on them.
    """
    from sixmax.report.pages.validation import make
    from sixmax.studies.validate.table import read_curves, rows, write_table

    records = read_curves(list(curves))
    table = rows(records)
    write_table(table, out, text)
    make(table, records, page)


@click.command()
@click.argument("table", type=FILE)
def verdict(table: Path) -> None:
    """Count the bounds of TABLE that are met; print the missed ones and exit with code 1.

    \b
    sixmax verdict results/validate/table.json
    """
    from sixmax.studies.validate.table import missed

    lines, bounds = missed(table)
    judge(lines, f"validate: all {bounds} bounds are met")
