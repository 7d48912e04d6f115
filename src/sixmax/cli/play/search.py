"""Commands that search at one point of a hand: advise, solve."""

from typing import Any

import click

from sixmax.cfr.methods import METHODS
from sixmax.cli.options import (
    COUNT,
    FILE,
    RUN_OR_FOUND,
    SEEDS,
    THREADS,
    Choice,
    CountList,
    Json,
    search_options,
)


@click.command()
@click.argument("cards")
@RUN_OR_FOUND
@click.option("--actions", default="", help="The betting so far, in ACPC notation: r250fc/cr400.")
@click.option("--board", default="", help="The cards seen, as in 8d4d3s/Qh.")
@click.option("--stacks", type=CountList(), help="By seat; default: those of the run.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of the search.")
@search_options
@THREADS
def advise(setting: str, threads: int, **options: Any) -> None:
    """Print the decision for CARDS, as in AhKd, in the hand of the player to act.

    Search decides, or before the flop mostly the blueprint.

    \b
    sixmax advise AhKd --run results/default --actions ffr250ffc/c --board 8d4d3s
    """
    from sixmax.base.jit import set_threads
    from sixmax.base.progress import Bars
    from sixmax.search.advice import advise as answer

    set_threads(threads)
    with Bars("search", "iterations") as bars:
        advice = answer(begin=bars.begin, **options)
    click.echo(advice)


@click.command()
@click.argument("path", metavar="FILE", type=FILE)
@click.option("--stack", type=COUNT, help="Chips that each player has left. Default: 20,000 less "
    "half of the pot.")  # fmt: skip
@click.option("--raises", type=Json(), help="Bets and raises of a round, as in game.rounds. "
    """Default: {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20}.""")  # fmt: skip
@click.option(
    "--method", type=Choice(METHODS),
    help="A variant of CFR. Default: dcfr; linear on a river with 20 pots left or more.",
)  # fmt: skip
@click.option(
    "--target", type=click.FloatRange(min=0, min_open=True),
    help="End at this exploitability, in % of the pot. Default: 0.3, without another limit.",
)  # fmt: skip
@click.option("--iterations", type=COUNT, help="End after so many.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="End after so long.")
@click.option(
    "--at", default="", help="The decision to show, as in 'c b250': bets and raises of this round, "
    "in chips.",
)  # fmt: skip
@click.option("--deal", default="", help="The cards of the rounds that --at begins, as in Qd.")
@click.option("--out", type=FILE, help="Write the answer as JSON too.")
@THREADS
def solve(**options: Any) -> None:
    """Solve the turn or river in FILE for two players, all hands and all boards at once.

    FILE has the board, the pot and the range of each player (docs/guide/solve.md). Prints the value
    of the game, the exploitability of the answer, and a decision: how often each hand class takes
    each action, and its EV.

    \b
    sixmax solve river.txt --threads 2
    sixmax solve turn.txt --stack 1750 --target 0.1 --at "c b250"
    """
    from sixmax.api.solve_file import solve as stage

    click.echo(stage(**options))
