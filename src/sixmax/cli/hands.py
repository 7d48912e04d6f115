"""Commands of single hands: acpc, table, replay."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    ALL_IN,
    COUNT_OR_0,
    FILE,
    LOG,
    PHH,
    PLAYED,
    RUN,
    SEED,
    SEEDS,
    THREADS,
    search_options,
)

GAME = click.option("--game", type=FILE, help="An ACPC game definition, if not the usual one.")


@click.command()
@click.argument("name", metavar="AGENT")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@RUN
@GAME
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
@click.argument("files", type=FILE, nargs=-1, required=True)
@GAME
@ALL_IN
@click.option("--out", type=FILE, help="The result, as JSON.")
@click.option("--allow-empty", is_flag=True, help="Accept a file without hands.")
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[Path, ...],
    game: Path | None,
    boards: int | None,
    out: Path | None,
    allow_empty: bool,
) -> None:
    """Check the hands of FILES: ACPC logs, PHH (.phh, .phhs), or folders of them.

    Checks every action by the rules and every payoff to the chip. Prints hands, mismatches, and
    mbb/game of each player in each game with standard error and 95 % interval. The default game is
    Pluribus's for six players and the ACPC's for two. The exit code is 1 if something is wrong, or
    a file has no hands.

    \b
    sixmax replay results/default/hands.log
    """
    from sixmax.evaluation.hands.acpc import read_game
    from sixmax.evaluation.hands.replay import histories
    from sixmax.evaluation.hands.replay import replay as check
    from sixmax.files import write_json
    from sixmax.progress import Progress
    from sixmax.stage import refuse_unwritable

    refuse_unwritable(out)
    logs = histories(files)
    rules = None if game is None else read_game(game)
    with Progress(sum(file.stat().st_size for file in logs), "replay", "B") as bar:
        tally = check(logs, rules, boards, bar.add)
    click.echo(tally.text())
    if out is not None:
        write_json(out, tally.to_json())
    if tally.fails(allow_empty):
        ctx.exit(1)
