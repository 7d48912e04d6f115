"""Commands of the gain of search: gain, gains, duel, chooser."""

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
    THREADS,
    count_option,
    search_options,
)


@click.command()
@RUN
@click.option(
    "--round",
    "in_round",
    type=click.IntRange(0, 3),
    help="Search in this round alone: 0 before the flop, 1 flop, 2 turn, 3 river. Default: from "
    "search.first on.",
)
@click.option("--hands", type=DEALS, required=True, help="Hands of blueprint play to search in.")
@click.option(
    "--begin",
    type=COUNT_OR_0,
    default=0,
    show_default=True,
    help="Number of the first hand, so that several jobs can share the hands of a seed.",
)
@count_option("--deals", 2000, "Scored a subgame.")
@click.option(
    "--branches",
    type=click.Tuple([COUNT] * 3),
    default=(1, 1, 1),
    show_default=True,
    help="Ways in which a hand goes on into flop, turn and river: 2 2 6 for less luck a second.",
)
@click.option(
    "--flops",
    type=COUNT,
    help="Hands on so many flops alone, those that search.flops makes ahead, with their buckets. "
    "Default: all flops.",
)
@click.option(
    "--players",
    "least",
    type=click.IntRange(2, 10),
    default=2,
    show_default=True,
    help="Only where so many players are left, or more; other hands gain nothing.",
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
    from sixmax.evaluation.search_gain.duel_stage import duel as stage

    stage(**options)


@click.command()
@RUN
@click.option(
    "--round",
    "in_round",
    type=click.IntRange(0, 2),
    required=True,
    help="The round that is searched, one of search.limited: 0 before the flop, 1 flop, 2 turn.",
)
@click.option(
    "--values",
    "fewer",
    type=COUNT,
    default=1,
    show_default=True,
    help="Values at a leaf of the search that stands beside the one with all.",
)
@click.option("--hands", type=DEALS, help="Hands of blueprint play to search in; none in round 0.")
@count_option(
    "--deals", 300_000, "Roll-outs of each of two samples: one chooses the response, one scores it."
)
@SEED
@OUT
@search_options
@THREADS
def chooser(**options: Any) -> None:
    """Measure the win of an opponent who answers a search, then chooses how to go on.

    Its round is a best response, all after it the continuation that is best for each hand. The
    searches with few values and with all meet it in the same hands.

    \b
    sixmax chooser --run results/modicum-200bb --round 1 --hands 100 --seed 1 --out chooser.json
    """
    from sixmax.evaluation.search_gain.chooser import chooser as stage

    stage(**options)
