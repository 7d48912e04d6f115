"""Ideas that are known to pay, each against its absence: `python -m benchmarks ideas`.

Both forms do the same work in turns on one core, on the default tree after a number of iterations
of training, so that other work on the machine stretches both; the rate is by processor seconds.
Every turn has deals that no turn before it had, and before a form is measured it does as much with
other deals: the cache then holds what training leaves in it, and not the rows that are wanted next.
"""

import itertools
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks import ideas_pairs as pairs
from benchmarks.ground import PLAIN, Ground, default_game, ground
from benchmarks.ideas_counts import counts
from benchmarks.measure import short
from benchmarks.training import go
from sixmax.jit import set_threads

ITERATIONS = 600_000  # that fill the table
TURNS = 7


class Found(NamedTuple):
    """An idea measured: rates a second with it and without, medians by processor seconds.

    Where there were no ``turns`` it was counted: ``having`` of ``without``, ``gain`` is the share,
    and ``ratios`` are the lowest and the highest of a round.
    """

    idea: str
    unit: str
    having: float
    without: float
    gain: float  # with against without: median of the turns
    ratios: tuple[float, float]  # lowest and highest
    turns: int


def measure(iterations: int, turns: int, small: bool, say: Callable[[str], None]) -> list[Found]:
    """All of them, on a table that so many ``iterations`` fill."""
    set_threads(1)
    on, size = filled(iterations, small), pairs.SMALL if small else pairs.Size()
    found: list[Found] = []
    kinds = (pairs.walks, pairs.trees, pairs.rows, pairs.sums)
    for pair in itertools.chain.from_iterable(kind(on, size) for kind in kinds):
        found.append(compare(pair, turns))
        say(row(found[-1]))
    for count in counts(on, size):
        what, unit, part, whole, shares = count
        found.append(Found(what, unit, part, whole, part / whole, shares, 0))
        say(row(found[-1]))
    return found


def filled(iterations: int, small: bool) -> Ground:
    """The default game after so many iterations, with memory behind every entry: one that is met
    for the first time while it is measured would cost a page fault."""
    game, ranks = (default_game(3), 6) if small else (default_game(6), 13)
    on = ground("ideas", game, ranks, (5, 5, 5) if small else (200, 200, 200), PLAIN)
    go(on, iterations)
    return on._replace(table=on.table._replace(regret=on.table.regret.copy()))


def compare(pair: pairs.Pair, turns: int) -> Found:
    """In turns, who is first changing from one to the next; the first turn does not count."""
    rates = []
    for turn in range(turns + 1):
        other, work = pair.fresh(2 * turn), pair.fresh(2 * turn + 1)
        forms = [pair.having, pair.without]
        found = {}
        for form in forms if turn % 2 else forms[::-1]:
            form(other)
            found[form] = _rate(form, work)
        rates.append([found[form] for form in forms])
    ratios = [a / b for a, b in rates[1:]]
    a, b = np.median(rates[1:], axis=0).tolist()
    return Found(
        pair.idea, pair.unit, a, b, float(np.median(ratios)), (min(ratios), max(ratios)), turns
    )


def _rate(form: Callable, work: object) -> float:
    spent = time.process_time()
    done = form(work)
    return done / max(time.process_time() - spent, 1e-9)


def row(found: Found) -> str:
    """A line of its table."""
    low, high = found.ratios
    if not found.turns:
        return (
            f"| {found.idea} | {short(found.having)} | {short(found.without)} {found.unit} | "
            f"{found.gain:.1%} | {low:.1%} to {high:.1%} |"
        )
    return (
        f"| {found.idea} | {short(found.having)} | {short(found.without)} | {found.unit} | "
        f"{found.gain:.2f} x | {low:.2f} to {high:.2f} | {found.turns} |"
    )


def markdown(found: list[Found]) -> str:
    """The tables of what was measured and of what was counted."""
    measured, counted = [f for f in found if f.turns], [f for f in found if not f.turns]
    lines = ["| idea | with, a second | without | of | gain | of the turns | turns |",
             "|---|---|---|---|---|---|---|", *map(row, measured)]  # fmt: skip
    if counted:
        lines += ["", "| counted | so many | of | share | by round |", "|---|---|---|---|---|",
                  *map(row, counted)]  # fmt: skip
    return "\n".join(lines) + "\n"
