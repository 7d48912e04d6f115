"""Betting trees, traversals a second, the discount pass; OpenSpiel on the games that it has too."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.ground import Ground, default_game, ground, preset, toy_ground, trained
from benchmarks.measure import ONE_AND_TWO, TWO, Meter, cores, installed
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.train import Stats, train
from sixmax.game.config import GameConfig
from sixmax.game.tree_build import build
from sixmax.games import toy
from sixmax.jit import set_threads

YOUNG = 5.0  # seconds: what a table is trained before it is measured as young
SIX = "six players (default)"
Training = Callable[..., Stats]  # `train`, or another way of the same arguments
OPENSPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def tree_build(meter: Meter, games: dict[str, GameConfig]) -> None:
    """Nodes a second of trees that are built whole."""
    meter.begin("betting tree, one core")
    for name, game in games.items():
        meter.rate(name, "nodes/s", lambda g=game: len(build(g).node), turns=3)


def go(on: Ground, iterations: int, how: Training = train) -> Stats:
    """Train ``on`` so many iterations more, in whole batches, in one call of ``how``."""
    batch = on.schedule.batch
    before, iterations = -(-on.done[0] // batch) * batch, max(1, iterations // batch) * batch
    stats = how(
        on.tree, on.layout, on.dealer, on.table, on.schedule, on.seed, before + 1,
        before + iterations,
    )  # fmt: skip
    on.done[0] = before + iterations
    return stats


def fill(on: Ground, seconds: float) -> None:
    """Train for so long, in calls that become longer."""
    end, iterations = time.monotonic() + seconds, 5000
    while time.monotonic() < end:
        go(on, iterations)
        iterations = min(2 * iterations, 160_000)


class Turn(NamedTuple):
    """What a call of `train` did and took, in seconds."""

    traversals: int
    nodes: int
    clock: float
    processor: float


def turn(on: Ground, iterations: int, how: Training = train) -> Turn:
    """Train so many iterations in one call, less what a call of one batch did and took.

    A call prepares before it trains: the counted decisions are threaded, a log doubles until a
    batch fits. In the default tree that is some hundredths of a second, which are not traversals.
    """
    least, whole = (_call(on, n, how) for n in (on.schedule.batch, iterations))
    return Turn(*(b - a for a, b in zip(least, whole, strict=True)))


def _call(on: Ground, iterations: int, how: Training) -> Turn:
    clock, spent = time.perf_counter(), time.process_time()
    stats = go(on, iterations, how)
    clock, spent = time.perf_counter() - clock, time.process_time() - spent
    return Turn(stats.traversals, stats.nodes, clock, spent)


def enough(on: Ground, seconds: float) -> int:
    """Iterations of which one turn takes ``seconds``, found by doubling; compiles beforehand."""
    go(on, on.schedule.batch)
    iterations = 2 * on.schedule.batch
    while turn(on, iterations).clock < seconds:
        iterations *= 2
    return iterations


def traversal(
    meter: Meter, on: Ground, seconds: float, counts: tuple[int, ...] = ONE_AND_TWO,
    turns: int | None = None,
) -> dict[int, float]:  # fmt: skip
    """Decision nodes and iterations a second; cores are measured in turns, ``seconds`` each.

    A turn of less than half of that is not counted, but made again with twice the iterations.
    Returns how many times one core so many are, where more than one was measured.
    """
    seats, iterations = on.tree.columns.shape[1], {}
    found: dict[int, list[Turn]] = {threads: [] for threads in counts}
    for threads in counts:
        set_threads(threads)
        iterations[threads] = enough(on, seconds)
    meter.watch()
    for _ in range(turns or meter.turns):
        for threads in counts:
            set_threads(threads)
            while (made := turn(on, iterations[threads])).clock < seconds / 2:
                iterations[threads] *= 2
            found[threads].append(made)
    nodes = {n: [(t.nodes, t.clock, t.processor) for t in made] for n, made in found.items()}
    for n, made in found.items():
        meter.add(f"{on.name}, {cores(n)}", "decision nodes/s", nodes[n], n)
        whole = [(t.traversals / seats, t.clock, t.processor) for t in made]
        meter.add(f"{on.name}, {cores(n)}", "iterations/s", whole, n)
    return {n: meter.gain(gain(on.name, n), nodes[n], nodes[1]) for n in counts if n > 1}


def gain(name: str, threads: int) -> str:
    """The name of the value that says how many times one core so many cores are."""
    return f"{name}, {cores(threads)} against one"


def small_games(meter: Meter, seconds: float) -> None:
    """Kuhn and Leduc on one core, by us and by OpenSpiel; an iteration is a traversal a seat.

    Both keep the average strategy of every iteration; ours without it says what that costs, as far
    as turns do not differ by more.
    """
    meter.begin("external sampling on small games, one core")
    set_threads(1)
    for name in toy.NAMES:
        for batch in (1, 10, 1000):
            on = toy_ground(name, batch=batch)
            _iterations(meter, f"{name}, batches of {batch}, average kept", on, seconds)
        on = toy_ground(name)
        on = on._replace(schedule=on.schedule._replace(count_after=1 << 62))
        _iterations(meter, f"{name}, batches of 10, no average", on, seconds)
        _openspiel(meter, name, seconds)


def _iterations(meter: Meter, what: str, on: Ground, seconds: float) -> None:
    iterations = enough(on, seconds)
    meter.watch()
    turns = [turn(on, iterations) for _ in range(meter.turns)]
    seats = on.tree.columns.shape[1]
    meter.add(what, "iterations/s", [(t.traversals / seats, t.clock, t.processor) for t in turns])
    meter.add(what, "decision nodes/s", [(t.nodes, t.clock, t.processor) for t in turns])


def _openspiel(meter: Meter, name: str, seconds: float) -> None:
    what = f"{name}, OpenSpiel (C++)"
    if not installed("open_spiel"):
        meter.skip(what, "open_spiel is not installed (dev group of pyproject.toml)")
        return
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL[name])
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1, pyspiel.MCCFRAverageType.SIMPLE)

    def run() -> float:
        done, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(100):
                solver.run_iteration()
            done += 100
        return done

    meter.rate(what, "iterations/s", run)


def hold_em(meter: Meter, seconds: float, filling: float, folder: Path | None, small: bool) -> None:
    """Traversals on two, three and six seats, young and filled; the trained run in ``folder``."""
    meter.begin("traversal")
    configured = preset("default").blueprint.schedule()
    for name, game in games(small).items():
        six = game.seats == 6
        turns = meter.paired if six else meter.turns
        on = six_players(small) if six else ground(name, game, *_sizes(small))
        on = on._replace(name=f"{name}, young table")
        if filling:
            set_threads(TWO)
            fill(on, YOUNG if six else 1.0)  # memory that was never touched is dear
        traversal(meter, on, seconds, turns=turns)
        if six:
            set_threads(TWO)
            fill(on, filling)
            touched = np.count_nonzero(on.table.regret) * 4 / 1e9
            filled = on._replace(name=f"{name}, table filled")
            traversal(meter, filled, seconds, turns=turns)
            meter.note(
                f"the filled table has been trained for {filling:.0f} s, {on.done[0]:,} iterations "
                f"with what measured it; {touched:.2f} GB of its entries are not zero"
            )
            late = on._replace(
                name=f"{name}, as configured", schedule=configured,
                done=[max(configured.count_after, configured.prune_after, on.done[0])],
            )  # fmt: skip
            _configured(meter, late, seconds)
        del on
    if folder is None:
        meter.skip("default, trained table", "no results/default with a checkpoint here")
    else:
        on = trained(folder)
        _configured(meter, on._replace(name=f"{on.name}, trained table, as configured"), seconds)


def six_players(small: bool) -> Ground:
    """The default game as `default` trains it, but with no counts, pruning and discounts."""
    how = preset("default").blueprint
    plain = how.schedule()._replace(discount_until=0, count_after=1 << 62, prune_share=0.0)
    boards = 1 if small else how.boards
    return ground(SIX, games(small)[SIX], *_sizes(small), schedule=plain, dealt=boards)


def _sizes(small: bool) -> tuple[int, tuple[int, int, int]]:
    """Ranks of the deck, and buckets of flop, turn and river."""
    return (6, (5, 5, 5)) if small else (13, (200, 200, 200))


def _configured(meter: Meter, on: Ground, seconds: float) -> None:
    """A table late in its schedule, when the first round is counted and actions are pruned."""
    traversal(meter, on, seconds, turns=meter.paired)
    set_threads(1)
    stats = go(on, 10 * on.schedule.batch)
    meter.note(
        f"{on.name}: every {on.schedule.count_every} iterations the first round is counted; "
        f"{stats.pruned / stats.traversals:.2f} actions of a traversal are left out, "
        f"{stats.nodes / stats.traversals:.1f} decision nodes visited"
    )


def games(small: bool) -> dict[str, GameConfig]:
    """Trees of two, three and six seats."""
    if small:
        return {"two players": default_game(2), SIX: default_game(6)}
    return {
        "heads-up (hunl)": preset("hunl").game,
        "three players": default_game(3),
        SIX: default_game(6),
    }


def discount_pass(meter: Meter, entries: int = 1 << 28) -> None:
    """GB of regrets a second multiplied, a tenth of them not zero, one and two cores."""
    meter.begin("discount pass")
    regret = np.zeros(entries, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000 + 1

    def whole() -> float:
        discount(regret, 0.999)
        return regret.nbytes / 1e9

    for threads in ONE_AND_TWO:
        set_threads(threads)
        meter.rate(cores(threads), "GB/s", whole, turns=3, threads=threads)
