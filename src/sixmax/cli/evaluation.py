"""Commands of the evaluation: match, matches, compare, pluribus, lbr, bounds, response."""

from pathlib import Path

import click

from sixmax.cli.options import (
    AGENT,
    CONFIG,
    COUNT,
    DEALS,
    DRAWN,
    FIGURES,
    FILE,
    LOG,
    OUT,
    PHH,
    PLAYED,
    RUN,
    SEED,
    SETTING,
    STORE,
    TABLE,
    TEXT,
    all_in,
    threads,
)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@PLAYED
@DRAWN
@OUT
@LOG
@PHH
@all_in
@threads
def match(
    a: str,
    b: str,
    folder: Path,
    deals: int,
    seed: int,
    out: Path,
    log: Path | None,
    phh: Path | None,
    boards: int | None,
    threads: int,
) -> None:
    """Play agent A against copies of agent B, every deal once with A in each seat.

    Agents: random, call, rule, blueprint, snapshot-00004 (after interval 4), and
    continuation-unbiased, -fold, -call, -raise. Search and ACPC players: `sixmax table`.

    \b
    sixmax match blueprint rule --run results/default --deals 20000 --seed 1 --out match.json
    """
    from sixmax.evaluation.match.pairings import Pairing
    from sixmax.evaluation.match.stage import match as stage

    if log or phh:
        from sixmax.evaluation.match.hands_stage import open_hands, written
        from sixmax.stage import refuse_unwritable

        open_hands(folder)  # refused before it is played
        refuse_unwritable(log, phh)
    stage(folder, Pairing(a, b), deals, seed, threads, out, boards)
    if log or phh:
        written(folder, (a, b), deals, seed, log, phh)


@click.command()
@click.argument("results", type=FILE, nargs=-1, required=True)
@TABLE
@TEXT
def matches(results: tuple[Path, ...], out: Path, text: Path) -> None:
    """Gather the RESULTS of matches into one table; they must share one protocol.

    \b
    sixmax matches results/default/evaluation/match/*.json --out table.json --text table.txt
    """
    from sixmax.evaluation.match.stage import gather

    gather(list(results), out, text)


@click.command()
@RUN
@AGENT
@FIGURES
def compare(folder: Path, agent: str, out: Path) -> None:
    """First-in play of each seat, beside the frequencies that Pluribus published."""
    from sixmax.evaluation.pluribus.stage import compare as stage

    stage(folder, agent, out)


@click.command()
@click.argument("logs", type=FILE)
@RUN
@AGENT
@click.option(
    "--hands", type=COUNT, default=100_000, show_default=True, help="Of self-play, for its habits."
)
@click.option(
    "--searched",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Hands in which search is held to them too: two seconds each in the fast setting.",
)
@CONFIG
@SETTING
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of self-play and search.")
@FIGURES
@threads
def pluribus(
    logs: Path,
    folder: Path,
    agent: str,
    hands: int,
    searched: int,
    settings: str | None,
    setting: str,
    seed: int,
    out: Path,
    threads: int,
) -> None:
    """Hold an agent to the decisions of Pluribus in the published hands in the folder LOGS.

    \b
    sixmax pluribus pluribus_hands --run results/default --searched 30 --setting fast \\
        --out pluribus.json
    """
    from sixmax.evaluation.pluribus.stage import compare_pluribus
    from sixmax.jit import set_threads
    from sixmax.search.config import search_config

    set_threads(threads)
    config = search_config(settings, setting)
    compare_pluribus(folder, logs, agent, hands, seed, out, config, searched)


@click.command()
@click.argument("protocol")
@RUN
@click.option("--agent", default="blueprint", show_default=True, help="Who is played against.")
@click.option("--deals", type=DEALS, required=True, help="Each is four hands.")
@DRAWN
@OUT
@threads
def lbr(
    protocol: str, folder: Path, agent: str, deals: int, seed: int, out: Path, threads: int
) -> None:
    """What a local best response wins from an agent of a two-player run: a lower bound on what
    the agent can lose.

    PROTOCOL says what the response may do: fc, fcpa, 56bets, 56flop, modicum-1 or modicum-2.
    Agents: blueprint, snapshot-00004, fold, call and random.

    \b
    sixmax lbr fcpa --run results/hunl --deals 2000 --seed 1 --out fcpa.json
    """
    from sixmax.evaluation.exploitability.lbr import bound

    bound(folder, agent, protocol, deals, seed, threads, out)


@click.command()
@click.argument("results", type=FILE, nargs=-1, required=True)
@TABLE
@TEXT
def bounds(results: tuple[Path, ...], out: Path, text: Path) -> None:
    """Gather the RESULTS of local best responses into one table.

    \b
    sixmax bounds results/hunl/evaluation/lbr/*/*.json --out bounds.json --text bounds.txt
    """
    from sixmax.evaluation.exploitability.lbr import gather

    gather(list(results), out, text)


@click.command()
@RUN
@click.option("--hands", type=COUNT, required=True, help="Of self-play.")
@DRAWN
@STORE
@threads
def values(folder: Path, hands: int, seed: int, out: Path, threads: int) -> None:
    """What every point of the betting is worth when the blueprint plays itself: for AIVAT.

    To be made before the hands that AIVAT scores are seen.

    \b
    sixmax values --run results/default --hands 2000000 --seed 1 --out values.zarr
    """
    from sixmax.evaluation.aivat.stage import values as stage

    stage(folder, hands, seed, threads, out)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@click.option("--values", "store", type=FILE, required=True, help="What `sixmax values` wrote.")
@PLAYED
@DRAWN
@click.option("--stranger", is_flag=True, help="Do as if nobody knew the policy of B.")
@OUT
@threads
def aivat(
    a: str, b: str, folder: Path, store: Path, deals: int, seed: int, stranger: bool, out: Path,
    threads: int,
) -> None:  # fmt: skip
    """A match as `sixmax match` plays it, its luck taken off by AIVAT.

    Agents are those of `sixmax match`; the deals are others than its and those of the values.

    \b
    sixmax aivat blueprint snapshot-00004 --run results/default --values values.zarr \\
        --deals 1000 --seed 1 --out aivat.json
    """
    from sixmax.evaluation.aivat.stage import match as stage
    from sixmax.evaluation.match.pairings import Pairing

    stage(folder, Pairing(a, b), store, deals, seed, threads, out, not stranger)


@click.command()
@RUN
@AGENT
@FIGURES
def response(folder: Path, agent: str, out: Path) -> None:
    """What each player would win by a best response to the others, exactly: in Kuhn and Leduc for
    any number of players, in hold'em for two players and two rounds.

    \b
    sixmax response --run results/kuhn3 --out response.json
    """
    from sixmax.evaluation.exploitability.best_response import respond

    respond(folder, agent, out)
