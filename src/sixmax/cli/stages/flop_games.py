"""Commands that solve flop games: flop-game, flop-equilibrium, leaf-values."""

from typing import Any

import click

from sixmax.cli.options import COUNT, COUNT_OR_0, FILE, ITERATIONS, SEED, STORE, THREADS, Choice

BET = click.option("--bet", type=float, default=0.0, show_default=True, help="Pots; 0: none.")


@click.command()
@click.option("--game", required=True, help="Stack, raises and flops, as in config/tables; JSON.")
@SEED
@click.option(
    "--buckets", type=COUNT_OR_0, default=0, show_default=True, help="0: every hand alone."
)
@ITERATIONS
@STORE
@THREADS
def flop_game(game: str, **options: Any) -> None:
    """Solve two players' hold'em that ends on flop or turn: a blueprint of the Libratus tables.

    \b
    sixmax flop-game --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 5}' --seed 1 --buckets 200 --out blueprint.zarr
    """
    from sixmax.studies.flop_games.config import FlopGameSettings
    from sixmax.studies.libratus.stage import solve_game

    solve_game(FlopGameSettings.parse_json(game, "game"), **options)


@click.command()
@click.option("--game", required=True, help="Stack, raises and flops, as in config/tables; JSON.")
@SEED
@BET
@click.option("--iterations", type=COUNT, default=1000, show_default=True, help="Of CFR+.")
@click.option(
    "--spread",
    type=click.FloatRange(0, 1),
    default=0.001,
    show_default=True,
    help="Added to each hand's reach in the average, so that hands that never come have one.",
)
@STORE
@THREADS
def flop_equilibrium(game: str, **options: Any) -> None:
    """Solve two players' hold'em that ends on the flop, every hand told apart.

    With --bet the first player may also open with that.

    \b
    sixmax flop-equilibrium --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 2}' --seed 1 --iterations 300 --out equilibrium.zarr
    """
    from sixmax.studies.flop_games.config import FlopGameSettings
    from sixmax.studies.modicum.stage import solve_flops

    solve_flops(FlopGameSettings.parse_json(game, "game"), **options)


@click.command()
@click.argument("store", type=FILE)
@click.argument("maker", type=Choice(("self", "bias", "own")))
@click.option("--number", type=COUNT, default=4, show_default=True, help="Of values at a leaf.")
@click.option("--iterations", type=COUNT, default=400, show_default=True, help="For each value.")
@click.option("--factor", type=float, default=10.0, show_default=True, help="Of the bias.")
@click.option("--weaken/--strong", default=True, help="Lower values that beat the equilibrium's.")
@STORE
@THREADS
def leaf_values(**options: Any) -> None:
    """Make the values that the first player may choose among at the leaves before the flop.

    STORE has the equilibrium; MAKER is self or bias, or own for an equilibrium that has the bet.

    \b
    sixmax leaf-values equilibrium.zarr self --number 8 --out self.zarr
    """
    from sixmax.studies.modicum.stage import leaf_values as stage

    stage(**options)
