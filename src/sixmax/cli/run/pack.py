"""Commands of runs to take home: pack, unpack."""

from typing import Any

import click

from sixmax.cli.options import FILE, THREADS, RunFolder


@click.command()
@click.argument("folder", metavar="RUN", type=RunFolder())
@click.option("--out", type=FILE, required=True, help="The file to write, as in default.sixmax.")
@THREADS
def pack(**options: Any) -> None:
    """Put RUN, a folder results/{run}, into one file with all that play and search need.

    Wherever a command takes --run, it takes the file too. `sixmax show FILE` prints its card.

    \b
    sixmax pack results/default --out default.sixmax
    sixmax strategy --run default.sixmax
    """
    from sixmax.pack.stage import pack as stage

    stage(**options)


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--into", type=FILE, required=True, help="The folder to make.")
@THREADS
def unpack(**options: Any) -> None:
    """Make a run of the packed FILE: a folder that commands open as the one that was packed.

    \b
    sixmax unpack default.sixmax --into results/home
    """
    from sixmax.pack.stage import unpack as stage

    stage(**options)
