"""Commands of matches from tables: match, matches, league."""

from pathlib import Path
from typing import Any

import click

from sixmax.base.errors import UserError
from sixmax.cli.options import (
    ALL_IN,
    FILE,
    LOG,
    OUT,
    PHH,
    PLAYED,
    RESULTS,
    RUN,
    SEED,
    TEXT,
    THREADS,
    RunFolder,
)

AGAINST = click.option(
    "--against", type=RunFolder(), help="B's run: other bet sizes and buckets, one game."
)


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
        from sixmax.base.stage import refuse_unwritable
        from sixmax.evaluation.match.hands_stage import open_hands, written

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
