"""Commands of AIVAT: values, aivat."""

from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, OUT, PLAYED, RUN, SEED, STORE, THREADS


@click.command()
@RUN
@click.option("--hands", type=COUNT, required=True, help="Of self-play.")
@SEED
@STORE
@THREADS
def values(**options: Any) -> None:
    """Estimate the value of every point of the betting by self-play of the blueprint, for AIVAT.

    Run it before you look at the hands that AIVAT will score.

    \b
    sixmax values --run results/default --hands 2000000 --seed 1 --out values.zarr
    """
    from sixmax.evaluation.aivat.stage import values as stage

    stage(**options)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@click.option("--values", "store", type=FILE, required=True, help="The store of `sixmax values`.")
@PLAYED
@SEED
@click.option("--stranger", is_flag=True, help="Treat the policy of B as unknown.")
@OUT
@THREADS
def aivat(a: str, b: str, stranger: bool, **options: Any) -> None:
    """Play a match like `sixmax match`, and remove its luck by AIVAT.

    The deals differ from those of `sixmax match` and of `sixmax values`.

    \b
    sixmax aivat blueprint snapshot-00004 --run results/default --values values.zarr \\
        --deals 1000 --seed 1 --out aivat.json
    """
    from sixmax.evaluation.aivat.stage import match as stage
    from sixmax.evaluation.match.pairings import Pairing

    stage(pairing=Pairing(a, b), known=not stranger, **options)
