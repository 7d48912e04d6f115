"""Commands of the search: flop, advise, solve, gain, gains, duel."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    COUNT,
    COUNT_OR_0,
    DEALS,
    FILE,
    OUT,
    PLAYED,
    RUN,
    SEED,
    SEEDS,
    THREADS,
    Choice,
    Counts,
    Json,
    search_options,
)


@click.command()
@click.argument("flops", nargs=-1, required=True, metavar="FLOP...")
@RUN
@click.option("--buckets", type=COUNT, default=500, show_default=True, help="Of each round.")
@click.option("--second", is_flag=True, help="Also from a second seed, and a picture.")
@THREADS
def flop(flops: tuple[str, ...], folder: Path, threads: int, **options: Any) -> None:
    """Cluster turn and river after each FLOP: its cards, or its number among all flops.

    Writes a store and a report of its quality to results/{run}/search/flop. Search makes a missing
    flop itself; this command makes it ahead. Two seconds on one core for the first, two for each,
    4 MB a flop. A second seed tells in the report how far chance decides the buckets: with a
    picture, thrice as long.

    \b
    sixmax flop AhKd2c --run results/default
    """
    from sixmax.abstraction.flop import store
    from sixmax.code_digest import code_digest
    from sixmax.jit import set_threads

    set_threads(threads)
    numbers = [
        int(flop) if flop.isascii() and flop.isdigit() else store.find(folder, flop)[1]
        for flop in flops
    ]
    store.make_all(folder, numbers, **options, code=code_digest("abstraction.flop.store"))


@click.command()
@click.argument("cards")
@RUN
@click.option("--actions", default="", help="The betting so far, in ACPC notation: r250fc/cr400.")
@click.option("--board", default="", help="The cards seen, as in 8d4d3s/Qh.")
@click.option("--stacks", type=Counts(), help="By seat; default: those of the run.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of the search.")
@search_options
@THREADS
def advise(setting: str, threads: int, **options: Any) -> None:
    """Print the decision for CARDS, as in AhKd, in the hand of the player to act.

    Search decides, or before the flop mostly the blueprint.

    \b
    sixmax advise AhKd --run results/default --actions ffr250ffc/c --board 8d4d3s
    """
    from sixmax.jit import set_threads
    from sixmax.progress import Bars
    from sixmax.search.advice import advise as answer

    set_threads(threads)
    with Bars("search", "iterations") as bars:
        advice = answer(begin=bars.begin, **options)
    click.echo(advice)


@click.command()
@click.argument("path", metavar="FILE", type=FILE)
@click.option("--stack", type=COUNT, default=20000, show_default=True, help="Of each player at "
    "the start of the hand, chips.")  # fmt: skip
@click.option("--raises", type=Json(), help="Bets and raises of a round, as in game.rounds. "
    """Default: {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20}.""")  # fmt: skip
@click.option(
    "--method", type=Choice(["dcfr", "cfr+", "linear", "cfr"]), default="linear", show_default=True,
    help="A variant of CFR.",
)  # fmt: skip
@click.option("--iterations", type=COUNT, default=500, show_default=True, help="Of it.")
@click.option("--out", type=FILE, help="Write the answer as JSON too.")
@THREADS
def solve(**options: Any) -> None:
    """Solve the turn or river in FILE for two players, all hands and all boards at once.

    FILE has the board, the pot and the reach of every hand (docs/guide/solve.md). Prints the value
    of the game, the exploitability of the answer and its first decision as a chart.

    \b
    sixmax solve river.txt --threads 2
    """
    from sixmax.progress import Bars
    from sixmax.search.solve_endgame import solve as stage

    with Bars("solve", "iterations") as bars:
        answer = stage(begin=bars.begin, **options)
    click.echo(answer)


@click.command()
@RUN
@click.option(
    "--round",
    "in_round",
    type=click.IntRange(1, 3),
    help="Search in this round alone: 1 flop, 2 turn, 3 river. Default: from search.first on.",
)
@click.option("--hands", type=DEALS, required=True, help="Hands of blueprint play to search in.")
@click.option(
    "--begin",
    type=COUNT_OR_0,
    default=0,
    show_default=True,
    help="Number of the first hand, so that several jobs can share the hands of a seed.",
)
@click.option("--deals", type=COUNT, default=2000, show_default=True, help="Scored a subgame.")
@click.option(
    "--flops",
    type=COUNT,
    help="Hands on so many flops alone, those that search.flops makes ahead, with their buckets. "
    "Default: all flops.",
)
@click.option(
    "--agent",
    default="search",
    show_default=True,
    help="Or a policy of the run in the place of the search, as blueprint-purified.",
)
@SEED
@OUT
@search_options
@THREADS
def gain(**options: Any) -> None:
    """Measure the gain of search: one searching player against copies of its own blueprint.

    The score is an expectation over all private hands. With search.nested each seat solves nested
    subgames of its own.

    \b
    sixmax gain --run results/default --hands 200 --seed 1 --out gain.json
    """
    from sixmax.evaluation.search_gain.stage import gain as stage

    stage(**options)


@click.command()
@click.argument("parts", type=FILE, nargs=-1, required=True)
@OUT
def gains(**options: Any) -> None:
    """Merge PARTS, results of `sixmax gain` over different hands.

    Parts share a protocol. Their hands are of one seed, shared by several jobs, or of several
    seeds.

    \b
    sixmax gains gain-0.json gain-100.json --out gain.json
    """
    from sixmax.evaluation.search_gain.merge import pool

    pool(**options)


@click.command()
@RUN
@PLAYED
@SEED
@OUT
@click.option("--values", "store", type=FILE, help="The store of `sixmax values`, for AIVAT.")
@search_options
@THREADS
def duel(**options: Any) -> None:
    """Play whole hands: one searching player against copies of the blueprint.

    The result is the win rate minus the blueprint's in the same seat. Slow: `sixmax gain` sees far
    smaller edges in the same time, and `sixmax table` seats search among other agents. With
    --values AIVAT scores the hands too.

    \b
    sixmax duel --run results/default --setting fast --deals 20 --seed 1 --out duel.json
    """
    from sixmax.evaluation.search_gain.stage import duel as stage

    stage(**options)
