"""Commands of the self-improver: gaps, improve."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import COUNT, FILE, OUT, RUN, SEED, THREADS, UNPACKED, Choice
from sixmax.continuation.generate import GENERATORS


@click.command()
@click.argument("logs", type=FILE, nargs=-1, required=True)
@RUN
@click.option("--player", default="", help="Whose bets do not count: ours.")
@OUT
def gaps(logs: tuple[Path, ...], **options: Any) -> None:
    """Score the bets before the flop that opponents made in LOGS and the run lacks.

    LOGS are ACPC logs, PHH, or folders of them. The result lists the gaps between the run's sizes,
    the highest score first, each with the size that fills it, and the opponents' commonest sizes.

    \b
    sixmax gaps hands.log --run results/libratus-200bb --player blueprint --out gaps.json
    """
    from sixmax.studies.improve.stage import gaps as stage

    stage(logs=list(logs), **options)


@click.command()
@click.argument("scored", type=FILE)
@UNPACKED
@click.option("--type", "kind", type=Choice(("1", "2")), required=True, help="Of the improver.")
@click.option("--sizes", type=COUNT, default=2, show_default=True, help="Gaps filled by type 2.")
@click.option("--iterations", type=COUNT, default=3_000_000, show_default=True, help="A branch.")
@SEED
@click.option("--bias", type=float, default=5.0, show_default=True, help="Of its continuations.")
@click.option("--generator", type=Choice(tuple(GENERATORS)), default="bias", show_default=True)
@THREADS
@click.option("--into", type=FILE, required=True, help="The folder of the improved run.")
def improve(kind: str, **options: Any) -> None:
    """Add branches for the bets in SCORED, which `sixmax gaps` wrote: a run of its own.

    Type 2 fills the best gaps; its run replaces the blueprint against any opponent. Type 1 answers
    the commonest bet, for an opponent who hardly ever makes another: agent `improved` of `sixmax
    table` looks for it in improve/type1, and plays it after eight such bets in turn.

    \b
    sixmax improve gaps.json --run results/libratus-200bb --type 2 --seed 1 \\
        --into results/libratus-200bb/improve/type2
    """
    from sixmax.studies.improve.stage import improve as stage

    stage(kind=int(kind), **options)
