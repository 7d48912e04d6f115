"""Commands that measure: matches, experiments, the gain of search, distance to equilibrium."""

import sys
from collections.abc import Sequence

import click


def judge(missed: Sequence[str], met: str) -> None:
    """Print ``met``, or every ``missed`` check as an error, and exit with code 1."""
    for line in missed:
        click.echo(f"missed: {line}", err=True)
    if missed:
        sys.exit(1)
    click.echo(met)
