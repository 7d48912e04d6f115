"""The command of the local site: serve."""

from pathlib import Path

import click

from sixmax.cli.options import FILE, RUN_OR_FOUND, THREADS


@click.command()
@RUN_OR_FOUND
@click.option("--against", type=FILE, help="Another run of the same game, to compare with.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Where to listen; 0 for any free one.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True,
    help="Whose requests to answer: by default those of this machine alone.")  # fmt: skip
@click.option("--config", help="The config section `search`, or changes to it, as JSON.")
@THREADS
def serve(
    folder: Path, against: Path | None, port: int, host: str, config: str | None, threads: int
) -> None:
    """Explore a run in the browser: charts at any point of a hand, and searches.

    Prints the address to open. Nothing leaves this machine. Ctrl-C ends it.

    \b
    sixmax serve --run results/default
    sixmax serve --run results/default --against results/overnight
    """
    from sixmax.serve.server import serve as answer

    answer(folder, against, host, port, config, threads)
