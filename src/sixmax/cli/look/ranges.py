"""The command of the charts before the flop: ranges."""

from typing import Any

import click

from sixmax.cli.options import AGENT, OUT, RUN_OR_FOUND


@click.command()
@RUN_OR_FOUND
@AGENT
@OUT
def ranges(**options: Any) -> None:
    """Write the ranges before the flop: first in, facing a raise, facing a 3-bet.

    All others fold; a raise is of the size that its range takes most.

    \b
    sixmax ranges --run results/default --out ranges.json
    """
    from sixmax.evaluation.ranges.stage import ranges as stage

    stage(**options)
