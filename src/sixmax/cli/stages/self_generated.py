"""The command of the values of the first round."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import FILE, RUN, SEEDS, STORE, THREADS


@click.command()
@RUN
@click.option("--config", help="The config section `self_generated`, or changes to it, as JSON.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of training and deals.")
@STORE
@click.option("--check", type=FILE, required=True, help="Value and gain of each strategy, as JSON.")
@THREADS
def self_generated(config: str | None, out: Path, **options: Any) -> None:
    """Make the values at the end of the first round that a search before the flop looks up.

    For two players. The first round is solved with the strategies that the opponent has so far;
    its response to that solution is one more. Search before the flop uses them where
    `search.limited` has 0, and reads them from results/{run}/self_generated.

    \b
    sixmax self-generated --run results/modicum-200bb --config '{"values": 10}' --threads 2 \\
        --out results/modicum-200bb/self_generated/values.zarr \\
        --check results/modicum-200bb/self_generated/check.json
    """
    from sixmax.self_generated.config import SelfGeneratedConfig
    from sixmax.self_generated.stage import self_generated as stage

    parsed = SelfGeneratedConfig.parse_json(config or "{}", "self_generated")
    stage(config=parsed, out=out, **options)
