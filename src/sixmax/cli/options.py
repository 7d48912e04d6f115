"""Options that several commands share."""

from pathlib import Path

import click

FILE = click.Path(path_type=Path)

threads = click.option(
    "--threads",
    type=int,
    default=1,
    show_default=True,
    help="Cores to use; the result is the same.",
)
