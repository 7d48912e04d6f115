"""The command ``match``: one agent against copies of another, from tables."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sixmax.agents.open_players import check_run
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.progress import Progress, say
from sixmax.blueprint.run import Run
from sixmax.evaluation.match.contest import contest, contestants, keep, of_deals
from sixmax.evaluation.match.duplicate import hands
from sixmax.evaluation.match.pairings import Pairing
from sixmax.hands.formats import FORMATS, written
from sixmax.hands.record import Record
from sixmax.scores.statistics import Result, told


@options.stage
def match(
    folder: options.Run, pairing: Pairing, deals: options.Deals, seed: options.Seed,
    threads: options.Threads, out: options.Out | None, boards: options.Boards | None = None,
    against: options.Against | None = None, log: options.Log | None = None,
    phh: options.Phh | None = None,
) -> None:  # fmt: skip
    """Play two agents against each other in duplicate, from tables.

    A plays against copies of B, every deal once with A in each seat. Agents: random, call, rule,
    blueprint, snapshot-00004 (after interval 4), and continuation-unbiased, -fold, -call, -raise.
    The blueprint and snapshots also without unlikely actions: blueprint-purified, -threshold-15
    (none below 15 %), -range-4 (before and on the flop, none that every hand takes less than 4 %).
    For search and ACPC players: `sixmax table`.

    \b
    sixmax match blueprint rule --run results/default --deals 20000 --seed 1 --out match.json
    sixmax match blueprint blueprint --run results/new --against results/default \\
        --deals 200000 --seed 1 --out new.json

    Raises UserError as :func:`contest`, and for hands to be written of a game without hand
    histories, or of two runs.
    """
    if (log or phh) and against:
        raise UserError("--log and --phh are for agents of one run; leave out --against")
    a, b = contestants(folder, against, pairing)
    if log or phh:
        check_run(a.run)
    started = time.perf_counter()
    with Progress(deals, f"{pairing.a} vs {pairing.b}", "deals") as bar:
        result = contest(a, b, deals, seed, bar.add, boards)
    spent = time.perf_counter() - started
    say(
        f"{line(result)}; {result.hands:,} hands in {spent:.1f} s, "
        f"{result.hands / spent:,.0f} a second on {threads} thread{'s' * (threads > 1)}"
    )
    if out is not None:
        keep(result, out)
    if log or phh:
        bar = Progress(result.hands, "hands written", "hands")
        with histories(a.run, log, phh, bar) as listener:
            agents = a.policy, b.policy
            for hand in hands(pairing, agents, a.game, a.run, deals, of_deals(seed)):
                listener(hand)


def line(result: Result) -> str:
    """The result of a match, as one line of the log."""
    error = result.deals.standard_error
    figure = told(result.to_json(), digits=1)
    return f"{result.a} vs {result.b}: {figure}, standard error {error:.1f}"


@contextmanager
def histories(
    run: Run, log: Path | None, phh: Path | None, bar: Progress
) -> Iterator[Callable[[Record], None]]:
    """A function that writes a hand to ``log`` and ``phh``, where they are, and counts it."""
    with ExitStack() as stack:
        writers = [
            stack.enter_context(written(path, FORMATS[kind], run.game))
            for kind, path in (("acpc", log), ("phh", phh))
            if path is not None
        ]
        stack.enter_context(bar)

        def listener(record: Record) -> None:
            for add in writers:
                add(record)
            bar.add(1)

        yield listener
