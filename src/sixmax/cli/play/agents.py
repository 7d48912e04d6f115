"""Commands that let agents play hand by hand: table, acpc."""

from typing import Any

import click

from sixmax.cli.options import (
    ALL_IN,
    COUNT,
    COUNT_OR_0,
    FILE,
    GAME_FILE,
    LOG,
    PHH,
    PLAYED,
    RUN_OR_FOUND,
    SEED,
    SEEDS,
    THREADS,
    search_options,
)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN_OR_FOUND
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
    as to an ACPC dealer; openspiel:NAME: a bot that OpenSpiel registers, or the result of
    module:function, which is imported and called with the game and the player.

    \b
    sixmax table search rule --run results/default --setting fast --deals 5 --seed 1 --out x.json
    sixmax table acpc:18791 blueprint --run results/default --deals 100 --seed 1 --log hands.log
    sixmax table blueprint openspiel:uniform_random --run results/default --deals 100 --seed 1
    """
    from sixmax.evaluation.match.hands_stage import table as stage

    stage(names=(a, b), **options)


@click.command()
@click.argument("name", metavar="AGENT")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@RUN_OR_FOUND
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
@click.option("--t_response", type=COUNT, help="The dealer's limit of an answer, milliseconds.")
@click.option("--t_hand", type=COUNT, help="… of all answers of a hand.")
@click.option("--t_per_hand", type=COUNT, help="… of a hand, on average over the match.")
@search_options
@THREADS
def acpc(
    setting: str, t_response: int | None, t_hand: int | None, t_per_hand: int | None, **options: Any
) -> None:
    """Play AGENT at the ACPC dealer HOST PORT until it ends the match.

    Agents: search, blueprint, snapshot-00004 (after interval 4), continuation-unbiased, -fold,
    -call, -raise, random, call, rule. The run must be of the dealer's game. The exit code is 2 if
    the connection breaks within a hand, or if the dealer sends a line that makes no sense.

    The limits --t_response, --t_hand and --t_per_hand are spelled as the dealer's own. Searches
    are then cut to the time left; without a limit a seed gives the same play everywhere.

    \b
    sixmax acpc blueprint localhost 18791 --run results/default
    sixmax acpc search localhost 18791 --run results/hunl --t_per_hand 7000
    """
    from math import inf

    from sixmax.agents.clock import Limits
    from sixmax.evaluation.match.hands_stage import acpc as stage

    given = [t_response, t_hand, t_per_hand]
    seconds = Limits(*(inf if limit is None else limit / 1000 for limit in given))
    stage(**options, limits=seconds if any(given) else None)
