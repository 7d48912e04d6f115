"""Commands of single hands: acpc, table, replay."""

from pathlib import Path

import click

from sixmax.cli.options import CONFIG, FILE, LOG, PHH, PLAYED, RUN, SEED, SETTING, all_in, threads

GAME = click.option(
    "--game",
    type=FILE,
    default=None,
    help="An ACPC game definition, of another game than usual.",
)


@click.command()
@click.argument("agent")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@RUN
@GAME
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of draws and searches.")
@click.option(
    "--hands", type=click.IntRange(min=0), default=0, help="Leave after so many; 0: never."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    help="To wait for a word of the dealer; 0: for ever.",
)
@CONFIG
@SETTING
@threads
def acpc(
    agent: str,
    host: str,
    port: int,
    folder: Path,
    game: Path | None,
    seed: int,
    hands: int,
    seconds: float,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """Play AGENT at the ACPC dealer HOST PORT until it ends the match.

    Agents: search, blueprint, snapshot-00004 (after interval 4), continuation-unbiased, -fold,
    -call, -raise, random, call, rule. The run must be of the dealer's game; with a connection that
    is lost in a hand, or a dealer that is not understood, the exit code is 2.

    \b
    sixmax acpc blueprint localhost 18791 --run results/default
    """
    from sixmax.evaluation.match.hands_stage import acpc as stage
    from sixmax.search.config import search_config

    stage(
        folder,
        agent,
        host,
        port,
        game,
        search_config(settings, setting),
        seed,
        hands,
        threads,
        seconds,
    )


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@PLAYED
@click.option("--seed", type=SEED, required=True, help="Of deals, draws and searches.")
@click.option("--out", type=FILE, default=None, help="Where the result goes, as JSON.")
@LOG
@PHH
@all_in
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    help="To wait for an ACPC player.",
)
@CONFIG
@SETTING
@threads
def table(
    a: str,
    b: str,
    folder: Path,
    deals: int,
    seed: int,
    out: Path | None,
    log: Path | None,
    phh: Path | None,
    boards: int | None,
    seconds: float,
    settings: str | None,
    setting: str,
    threads: int,
) -> None:
    """Play agent A against copies of agent B hand by hand, every deal once with A in each seat.

    Agents as of `sixmax acpc`, and acpc:18791, a player that connects to that port of this machine
    as to an ACPC dealer.

    \b
    sixmax table search rule --run results/default --setting fast --deals 5 --seed 1 --out x.json
    sixmax table acpc:18791 blueprint --run results/default --deals 100 --seed 1 --log hands.log
    """
    from sixmax.evaluation.match.hands_stage import table as stage
    from sixmax.search.config import search_config

    stage(
        folder, (a, b), search_config(settings, setting), deals, seed, boards, seconds, threads,
        out, log, phh,
    )  # fmt: skip


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@GAME
@all_in
@click.option("--out", type=FILE, default=None, help="Where the result goes, as JSON.")
@click.option("--allow-empty", is_flag=True, help="A file without hands is no mistake.")
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[Path, ...],
    game: Path | None,
    boards: int | None,
    out: Path | None,
    allow_empty: bool,
) -> None:
    """Check the hands of FILES, ACPC logs or PHH (.phh, .phhs), or folders of them.

    Every action by the rules, every payoff to the chip. Prints hands, mismatches, and mbb/game of
    each player in each game with standard error and 95 % interval.

    Logs that name no game are taken as Pluribus's (six players) or the ACPC's (two). Exit code 1
    where something is wrong, and where a file has no hands.

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
    found = histories(files)
    rules = None if game is None else read_game(game)
    with Progress(sum(file.stat().st_size for file in found), "replay", "B") as bar:
        tally = check(found, rules, boards, bar.add)
    click.echo(tally.text())
    if out is not None:
        write_json(out, tally.to_json())
    if tally.fails(allow_empty):
        ctx.exit(1)
