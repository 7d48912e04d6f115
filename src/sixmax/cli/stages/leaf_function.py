"""The command of the leaf function."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import FILE, RUN, SEEDS, STORE, THREADS


@click.command()
@RUN
@click.option("--config", help="The config section `leaf_function`, or changes to it, as JSON.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of states and weights.")
@STORE
@click.option("--check", type=FILE, required=True, help="Its errors on unseen hands, as JSON.")
@THREADS
def leaf_function(config: str | None, out: Path, **options: Any) -> None:
    """Fit a network that values the leaves of a search, in the place of roll-outs.

    States are drawn from the blueprint's own play; roll-outs of the continuations value them.
    Search uses the network where `search.leaf` is learned, and reads it from
    results/{run}/leaf_function.

    \b
    sixmax leaf-function --run results/default --config '{"states": 2000000}' --threads 2 \\
        --out results/default/leaf_function/network.zarr \\
        --check results/default/leaf_function/check.json
    """
    from sixmax.leaf_function.config import LeafFunctionConfig
    from sixmax.leaf_function.stage import leaf_function as stage

    parsed = LeafFunctionConfig.parse_json(config or "{}", "leaf_function")
    stage(config=parsed, out=out, **options)
