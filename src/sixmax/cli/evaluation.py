"""Commands of the evaluation: match, matches, compare."""

from pathlib import Path

import click

from sixmax.cli.options import COUNT, FILE, SEED, threads


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--run", "folder", type=FILE, required=True, help="The folder results/{run}.")
@click.option("--deals", type=COUNT, required=True, help="Each from every seat.")
@click.option("--seed", type=SEED, required=True, help="Of deals and actions.")
@click.option("--out", type=FILE, required=True, help="Where the result goes, as JSON.")
@click.option("--log", type=FILE, default=None, help="Where the hands go, as ACPC lines.")
@click.option("--phh", type=FILE, default=None, help="Where the hands go, as PHH.")
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
    threads: int,
) -> None:
    """Play agent A against copies of agent B, every deal once with A in each seat.

    Agents: random, call, rule, blueprint, snapshot-00004 (after interval 4), and
    continuation-unbiased, -fold, -call, -raise.
    """
    from sixmax.evaluation.pairings import Pairing
    from sixmax.evaluation.stage import match as stage

    stage(folder, Pairing(a, b), deals, seed, threads, out)
    if log or phh:
        from sixmax.evaluation.hands_stage import written

        written(folder, (a, b), deals, seed, log, phh)


@click.command()
@click.argument("results", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, required=True, help="The table as JSON.")
@click.option("--text", type=FILE, required=True, help="The table to read.")
def matches(results: tuple[Path, ...], out: Path, text: Path) -> None:
    """Gather the RESULTS of matches into one table; they must share one protocol.

    \b
    sixmax matches results/default/evaluation/match/*.json --out table.json --text table.txt
    """
    from sixmax.evaluation.stage import gather

    gather(list(results), out, text)


@click.command()
@click.option("--run", "folder", type=FILE, required=True, help="The folder results/{run}.")
@click.option("--agent", default="blueprint", show_default=True, help="Or snapshot-00004 …")
@click.option("--out", type=FILE, required=True, help="Where the figures go, as JSON.")
def compare(folder: Path, agent: str, out: Path) -> None:
    """First-in play of each seat, beside the frequencies that Pluribus published."""
    from sixmax.evaluation.stage import compare as stage

    stage(folder, agent, out)
