"""Commands of the evaluation: matches, AIVAT, comparison with Pluribus, exploitability."""

from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import (
    AGENT,
    ALL_IN,
    COUNT,
    COUNT_OR_0,
    DEALS,
    FILE,
    LOG,
    OUT,
    PHH,
    PLAYED,
    RUN,
    SEED,
    SEEDS,
    STORE,
    TEXT,
    THREADS,
    RunFolder,
    search_options,
)
from sixmax.errors import UserError

AGAINST = click.option(
    "--against", type=RunFolder(), help="B's run: other bet sizes and buckets, one game."
)
RESULTS = click.argument("results", type=FILE, nargs=-1, required=True)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@PLAYED
@SEED
@OUT
@LOG
@PHH
@ALL_IN
@AGAINST
@THREADS
def match(
    a: str, b: str, folder: Path, deals: int, seed: int, log: Path | None, phh: Path | None,
    **options: Any,
) -> None:  # fmt: skip
    """Play agent A against copies of agent B, every deal once with A in each seat.

    Agents: random, call, rule, blueprint, snapshot-00004 (after interval 4), and
    continuation-unbiased, -fold, -call, -raise. The blueprint and snapshots also without unlikely
    actions: blueprint-purified, -threshold-15 (none below 15 %), -range-4 (before and on the flop,
    none that every hand takes less than 4 %). For search and ACPC players: `sixmax table`.

    \b
    sixmax match blueprint rule --run results/default --deals 20000 --seed 1 --out match.json
    sixmax match blueprint blueprint --run results/new --against results/default \\
        --deals 200000 --seed 1 --out new.json
    """
    from sixmax.evaluation.match.pairings import Pairing
    from sixmax.evaluation.match.stage import match as stage

    if (log or phh) and options["against"]:
        raise UserError("--log and --phh are for agents of one run; leave out --against")
    if log or phh:
        from sixmax.evaluation.match.hands_stage import open_hands, written
        from sixmax.stage import refuse_unwritable

        open_hands(folder)  # refuses a game without hand histories before the match
        refuse_unwritable(log, phh)
    stage(folder, Pairing(a, b), deals, seed, **options)
    if log or phh:
        written(folder, (a, b), deals, seed, log, phh)


@click.command()
@RESULTS
@OUT
@TEXT
def matches(results: tuple[Path, ...], out: Path, text: Path) -> None:
    """Gather the RESULTS of matches into one table; they must share one protocol.

    \b
    sixmax matches results/default/evaluation/match/*.json --out table.json --text table.txt
    """
    from sixmax.evaluation.match.stage import gather

    gather(list(results), out, text)


@click.command()
@RESULTS
@OUT
@TEXT
@click.option("--page", type=FILE, required=True, help="The page with table and figure.")
def league(results: tuple[Path, ...], out: Path, text: Path, page: Path) -> None:
    """Gather the RESULTS of `sixmax match --against` into a table and a page.

    \b
    sixmax league results/league/match/*.json --out table.json --text table.txt --page page.html
    """
    from sixmax.evaluation.match.league import gather
    from sixmax.report.pages.league import make

    make(gather(list(results), out, text), page)


@click.command()
@RUN
@AGENT
@OUT
def compare(**options: Any) -> None:
    """Set first-in play of each seat beside the frequencies that Pluribus published.

    \b
    sixmax compare --run results/default --out firstin.json
    """
    from sixmax.evaluation.pluribus.stage import compare as stage

    stage(**options)


@click.command()
@click.argument("logs", type=FILE)
@RUN
@AGENT
@click.option(
    "--hands", "self_hands", type=COUNT, default=100_000, show_default=True, help="Of self-play."
)
@click.option(
    "--searched",
    "searched_hands",
    type=COUNT_OR_0,
    default=0,
    show_default=True,
    help="Hands in which search is scored too: two seconds each in the fast setting.",
)
@search_options
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of self-play and search.")
@OUT
@THREADS
def pluribus(config: Any, setting: str, threads: int, **options: Any) -> None:
    """Score an agent by Pluribus's own decisions in the published hands in the folder LOGS.

    \b
    sixmax pluribus pluribus_hands --run results/default --searched 30 --setting fast \\
        --out pluribus.json
    """
    from sixmax.evaluation.pluribus.stage import compare_pluribus
    from sixmax.jit import set_threads

    set_threads(threads)
    compare_pluribus(search=config, **options)


@click.command()
@click.argument("name", metavar="PROTOCOL")
@RUN
@AGENT
@click.option("--deals", type=DEALS, required=True, help="Each is four hands.")
@SEED
@OUT
@THREADS
def lbr(**options: Any) -> None:
    """Bound the loss of an agent of a two-player run from below, by local best response.

    PROTOCOL names the bets of the response: fc, fcpa, 56bets, 56flop, modicum-1 or modicum-2.
    Agents are those of `sixmax match`.

    \b
    sixmax lbr fcpa --run results/hunl --deals 2000 --seed 1 --out fcpa.json
    """
    from sixmax.evaluation.exploitability.lbr import bound

    bound(**options)


@click.command()
@RESULTS
@OUT
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
@SEED
@STORE
@THREADS
def values(**options: Any) -> None:
    """Estimate the value of every point of the betting by self-play of the blueprint, for AIVAT.

    Run it before you look at the hands that AIVAT will score.

    \b
    sixmax values --run results/default --hands 2000000 --seed 1 --out values.zarr
    """
    from sixmax.evaluation.aivat.stage import values as stage

    stage(**options)


@click.command()
@click.argument("a")
@click.argument("b")
@RUN
@click.option("--values", "store", type=FILE, required=True, help="The store of `sixmax values`.")
@PLAYED
@SEED
@click.option("--stranger", is_flag=True, help="Treat the policy of B as unknown.")
@OUT
@THREADS
def aivat(a: str, b: str, stranger: bool, **options: Any) -> None:
    """Play a match like `sixmax match`, and remove its luck by AIVAT.

    The deals differ from those of `sixmax match` and of `sixmax values`.

    \b
    sixmax aivat blueprint snapshot-00004 --run results/default --values values.zarr \\
        --deals 1000 --seed 1 --out aivat.json
    """
    from sixmax.evaluation.aivat.stage import match as stage
    from sixmax.evaluation.match.pairings import Pairing

    stage(pairing=Pairing(a, b), known=not stranger, **options)


@click.command()
@RUN
@AGENT
@OUT
def response(**options: Any) -> None:
    """Compute each player's best response to the others, exactly.

    For Kuhn and Leduc with any number of players, and for hold'em with two players and two rounds.

    \b
    sixmax response --run results/kuhn3 --out response.json
    """
    from sixmax.evaluation.exploitability.best_response import respond

    respond(**options)
