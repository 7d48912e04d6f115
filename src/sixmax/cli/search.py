"""Commands of the search: flop, advise, gain, gains, duel."""

from pathlib import Path

import click

from sixmax.cli.options import (
    CONFIG,
    COUNT,
    DEALS,
    FILE,
    OUT,
    PLAYED,
    RUN,
    SEED,
    SETTING,
    Counts,
    threads,
)


@click.command()
@click.argument("flop")
@RUN
@click.option("--buckets", type=COUNT, default=500, show_default=True, help="Of each round.")
@threads
def flop(flop: str, folder: Path, buckets: int, threads: int) -> None:
    """Buckets of turn and river after FLOP: its cards, or its number among the canonical flops.

    Written to results/{run}/search/flop with a report of their quality, which compares two seeds,
    and a picture. The search makes what it misses itself, without these: this is to have them
    ahead. Fifteen seconds on one core, 4 MB a flop.

    \b
    sixmax flop AhKd2c --run results/default
    """
    from sixmax.abstraction.flop import store as made
    from sixmax.code_digest import code_digest
    from sixmax.jit import set_threads

    set_threads(threads)
    number = int(flop) if flop.isascii() and flop.isdigit() else made.find(folder, flop)[1]
    code = code_digest("abstraction.flop.store")
    made.make(folder, number, buckets, picture=True, code=code)


@click.command()
@click.argument("cards")
@RUN
@click.option("--actions", default="", help="So far, in ACPC notation: r250fc/cr400.")
@click.option("--board", default="", help="The cards seen, as in 8d4d3s/Qh.")
@click.option(
    "--stacks", type=Counts(), default=None, help="By seat; those of the run if not given."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of the search.")
@CONFIG
@SETTING
@threads
def advise(
    cards: str,
    folder: Path,
    actions: str,
    board: str,
    stacks: list[int] | None,
    seed: int,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """What to do with CARDS, as in AhKd, for whoever is to act: by search, or by the blueprint
    before the flop.

    \b
    sixmax advise AhKd --run results/default --actions ffr250ffc/c --board 8d4d3s
    """
    from sixmax.jit import set_threads
    from sixmax.progress import Bars
    from sixmax.search.advice import advise as answer
    from sixmax.search.config import search_config

    set_threads(threads)
    config = search_config(settings, setting)
    with Bars("search", "iterations") as bars:
        found = answer(folder, config, cards, board, actions, stacks, seed, bars.begin)
    click.echo(found)


@click.command()
@RUN
@click.option(
    "--round",
    "in_round",
    type=click.IntRange(1, 3),
    default=None,
    help="Search in this round alone: 1 flop, 2 turn, 3 river. Default: from search.first on.",
)
@click.option(
    "--hands", type=DEALS, required=True, help="Dealt; those that get there are searched."
)
@click.option(
    "--begin",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of the first; several jobs may share the hands of a seed.",
)
@click.option(
    "--deals", type=COUNT, default=2000, show_default=True, help="Of each subgame, scored."
)
@click.option("--seed", type=SEED, required=True, help="Of hands, searches and deals.")
@OUT
@CONFIG
@SETTING
@threads
def gain(
    folder: Path,
    in_round: int | None,
    hands: int,
    begin: int,
    deals: int,
    seed: int,
    out: Path,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """What search wins over the blueprint: one player who searches against copies of the
    blueprint, scored in expectation over all private hands.

    \b
    sixmax gain --run results/default --hands 200 --seed 1 --out gain.json
    """
    from sixmax.evaluation.search_gain.stage import gain as stage
    from sixmax.search.config import search_config

    stage(
        folder,
        search_config(settings, setting),
        in_round,
        hands,
        deals,
        seed,
        threads,
        out,
        setting,
        begin,
    )


@click.command()
@click.argument("parts", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, required=True, help="Where the whole goes, as JSON.")
def gains(parts: tuple[Path, ...], out: Path) -> None:
    """Put PARTS together, results of `sixmax gain` over different hands.

    Hands of one seed that were shared by several jobs, or of several seeds; all measured in the
    same way.

    \b
    sixmax gains gain-0.json gain-100.json --out gain.json
    """
    from sixmax.evaluation.search_gain.merge import pool

    pool(list(parts), out)


@click.command()
@RUN
@PLAYED
@click.option("--seed", type=SEED, required=True, help="Of deals, draws and searches.")
@OUT
@click.option(
    "--values", "store", type=FILE, default=None, help="What `sixmax values` wrote: AIVAT too."
)
@CONFIG
@SETTING
@threads
def duel(
    folder: Path,
    deals: int,
    seed: int,
    out: Path,
    store: Path | None,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """Play whole hands: one player who searches against copies of the blueprint.

    What it wins is counted beyond what the blueprint wins in its seat. Slow: `sixmax gain` sees far
    smaller edges in as much time, `sixmax table` seats search among other agents. With --values
    the hands are scored by AIVAT too: the same win rate with less luck.

    \b
    sixmax duel --run results/default --setting fast --deals 20 --seed 1 --out duel.json
    """
    from sixmax.evaluation.search_gain.stage import duel as stage
    from sixmax.search.config import search_config

    stage(folder, search_config(settings, setting), deals, seed, threads, out, setting, store)
