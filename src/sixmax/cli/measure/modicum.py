"""Commands of the Modicum figure: answer-bet, modicum, rps-picture."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, OUT, THREADS, Choice


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
def answer_bet(answer: str, values: Path | None, **options: Any) -> None:
    """Let the first player open with a bet that STORE lacks, and measure the ANSWER to it.

    ANSWER is self or bias, with --values; translation; to-the-end; or in-abstraction, where STORE
    has the bet.

    \b
    sixmax answer-bet equilibrium.zarr self --bet 0.75 --values self.zarr --number 8 \
        --out self-8.json
    """
    from sixmax.studies.modicum.config import MAKERS, REFERENCES
    from sixmax.studies.modicum.stage import answer_bet as stage

    context = click.get_current_context()
    chosen = Choice((*REFERENCES, *MAKERS)).convert(answer, None, context)
    if (chosen in MAKERS) != (values is not None):
        raise click.UsageError(
            f"{chosen} takes {'--values' if chosen in MAKERS else 'no --values'}"
        )
    stage(answer=chosen, values=values, **options)


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
    from sixmax.report.pages.modicum import make
    from sixmax.studies.modicum.config import FigureConfig
    from sixmax.studies.modicum.tables import gather

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
