"""Commands that let agents play hand by hand: table, acpc."""

from typing import Any

import click

from sixmax.cli.options import (
    ALL_IN,
    COUNT_OR_0,
    FILE,
    GAME_FILE,
    LOG,
    PHH,
    PLAYED,
    RUN,
    SEED,
    SEEDS,
    THREADS,
    search_options,
)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@PLAYED
@SEED
@click.option("--out", type=FILE, help="The result, as JSON.")
@LOG
@PHH
@ALL_IN
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    help="Give up when an ACPC player is silent for so long.",
)
@search_options
@THREADS
def table(a: str, b: str, setting: str, **options: Any) -> None:
    """Play agent A against copies of agent B hand by hand, every deal once with A in each seat.

    Agents as of `sixmax acpc`, and acpc:18791: a player that connects to that port of this machine
    as to an ACPC dealer.

    \b
    sixmax table search rule --run results/default --setting fast --deals 5 --seed 1 --out x.json
    sixmax table acpc:18791 blueprint --run results/default --deals 100 --seed 1 --log hands.log
    """
    from sixmax.evaluation.match.hands_stage import table as stage

    stage(names=(a, b), **options)


@click.command()
@click.argument("name", metavar="AGENT")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@RUN
@GAME_FILE
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of draws and searches.")
@click.option(
    "--hands", "most", type=COUNT_OR_0, default=0, help="Leave after so many hands; 0: never."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    help="Give up when the dealer is silent for so long; 0: never.",
)
@search_options
@THREADS
def acpc(setting: str, **options: Any) -> None:
    """Play AGENT at the ACPC dealer HOST PORT until it ends the match.

    Agents: search, blueprint, snapshot-00004 (after interval 4), continuation-unbiased, -fold,
    -call, -raise, random, call, rule. The run must be of the dealer's game. The exit code is 2 if
    the connection breaks within a hand, or if the dealer sends a line that makes no sense.

    \b
    sixmax acpc blueprint localhost 18791 --run results/default
    """
    from sixmax.evaluation.match.hands_stage import acpc as stage

    stage(**options)
