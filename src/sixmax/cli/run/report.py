"""Command of the report."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, UNPACKED


@click.command()
@UNPACKED
@click.option("--out", type=FILE, required=True, help="The page to write.")
@click.option("--checks", type=FILE, help="Its checks as a list: name, passed, evidence; JSON.")
def report(folder: Path, out: Path, checks: Path | None) -> None:
    """Write one page about a run. It holds all its pictures and opens without a network.

    \b
    sixmax report --run results/default --out report.html
    """
    from sixmax.base.progress import say
    from sixmax.report.page import make

    make(folder, out, checks)
    say(f"report: {out}")
