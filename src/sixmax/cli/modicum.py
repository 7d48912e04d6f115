"""Commands of the Modicum figure, from an equilibrium to the page, and rps-picture."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, OUT, SEED, STORE, THREADS, Choice

BET = click.option("--bet", type=float, default=0.0, show_default=True, help="Pots; 0: none.")


@click.command()
@click.option("--game", required=True, help="Stack, raises and flops, as in config/tables; JSON.")
@SEED
@BET
@click.option("--iterations", type=COUNT, default=1000, show_default=True, help="Of CFR+.")
@STORE
@THREADS
def flop_equilibrium(game: str, **options: Any) -> None:
    """Solve two players' hold'em that ends on the flop, every hand told apart.

    With --bet the first player may also open with that.

    \b
    sixmax flop-equilibrium --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 2}' --seed 1 --iterations 300 --out equilibrium.zarr
    """
    from sixmax.flop_games.config import GameSettings
    from sixmax.modicum.stage import solve_flops

    solve_flops(GameSettings.parse_json(game, "game"), **options)


@click.command()
@click.argument("store", type=FILE)
@click.argument("maker", type=Choice(("self", "bias")))
@click.option("--number", type=COUNT, default=4, show_default=True, help="Of values at a leaf.")
@click.option("--iterations", type=COUNT, default=400, show_default=True, help="For each value.")
@click.option("--factor", type=float, default=10.0, show_default=True, help="Of the bias.")
@click.option("--weaken/--strong", default=True, help="Lower values that beat the equilibrium's.")
@STORE
@THREADS
def leaf_values(**options: Any) -> None:
    """Make the values that the first player may choose among at the leaves before the flop.

    STORE has the equilibrium; MAKER is self or bias.

    \b
    sixmax leaf-values equilibrium.zarr self --number 8 --out self.zarr
    """
    from sixmax.modicum.stage import leaf_values as stage

    stage(**options)


@click.command()
@click.argument("store", type=FILE)
@click.argument("answer")
@click.option("--bet", type=float, required=True, help="The missing bet, in pots.")
@click.option("--values", type=FILE, help="Those of the maker that ANSWER names.")
@click.option("--number", type=COUNT, default=1, show_default=True, help="Of values at a leaf.")
@click.option("--trunk", type=COUNT, default=400, show_default=True, help="Iterations of CFR+.")
@click.option("--flop", type=COUNT, default=400, show_default=True, help="Iterations on flops.")
@OUT
@THREADS
def answer(answer: str, values: Path | None, **options: Any) -> None:
    """Let the first player open with a bet that STORE lacks, and measure the ANSWER to it.

    ANSWER is self or bias, with --values; translation; to-the-end; or in-abstraction, where STORE
    has the bet.

    \b
    sixmax answer equilibrium.zarr self --bet 0.75 --values self.zarr --number 8 --out self-8.json
    """
    from sixmax.modicum.config import MAKERS, REFERENCES
    from sixmax.modicum.stage import answer_bet

    context = click.get_current_context()
    chosen = Choice((*REFERENCES, *MAKERS)).convert(answer, None, context)
    if (chosen in MAKERS) != (values is not None):
        raise click.UsageError(
            f"{chosen} takes {'--values' if chosen in MAKERS else 'no --values'}"
        )
    answer_bet(answer=chosen, values=values, **options)


@click.command()
@click.argument("folder", type=FILE)
@click.option("--config", required=True, help="config/tables/modicum.yaml, as JSON.")
@OUT
@click.option("--page", type=FILE, required=True, help="The page with the figure.")
def modicum(folder: Path, config: str, out: Path, page: Path) -> None:
    """Gather the cells below FOLDER: the figure as JSON, and a page.

    `snakemake modicum` measures the cells first.

    \b
    sixmax modicum results/modicum --config "$(cat c.json)" --out tables.json --page index.html
    """
    from sixmax.modicum.config import FigureConfig
    from sixmax.modicum.tables import gather
    from sixmax.report.pages.modicum import make

    make(gather(FigureConfig.parse_json(config, "config"), folder, out), page)


@click.command()
@click.option("--out", "picture", type=FILE, required=True, help="The picture, SVG.")
def rps_picture(picture: Path) -> None:
    """Draw rock-paper-scissors+ one action deep, by the values at its leaves.

    \b
    sixmax rps-picture --out docs/guide/multi-valued-states.svg
    """
    from sixmax.report.pages.modicum import draw_rps

    draw_rps(picture)
