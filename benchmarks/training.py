"""Betting trees, traversals a second, the discount pass; OpenSpiel on shared games."""

import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks import games
from benchmarks.games import BenchGame
from benchmarks.measure import ONE_AND_TWO, TWO, Meter, cores, gains
from sixmax.base.jit import set_threads
from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.train import Stats, train

YOUNG = 5.0  # seconds that a table is trained before it is measured as young
SIX = "six players (default)"
GAIN = "times one core in the same turn"
NODES, ITERATIONS = "decision nodes/s", "iterations/s"


def measure(
    meter: Meter, seconds: float, filling: float, folder: Path, small: bool, entries: int
) -> None:
    """Trees built, small games, hold'em, and a discount pass of ``entries``."""
    meter.begin("betting tree, one core")
    for name, game in trees(small).items():
        meter.rate(name, "nodes/s", len(build(game).node), partial(build, game), turns=3)
    small_games(meter, 0.6 * seconds)
    hold_em(meter, seconds, filling, folder, small)
    discount_pass(meter, entries)


def go(on: BenchGame, iterations: int) -> Stats:
    """Train ``on`` so many iterations more, in whole batches, in one call."""
    batch = on.training.schedule.batch
    before, iterations = -(-on.done[0] // batch) * batch, max(1, iterations // batch) * batch
    stats = train(on.training, before + 1, before + iterations)
    on.done[0] = before + iterations
    return stats


def fill(on: BenchGame, seconds: float) -> None:
    """Train for so long, in calls that become longer."""
    end, iterations = time.monotonic() + seconds, 5000
    while time.monotonic() < end:
        go(on, iterations)
        iterations = min(2 * iterations, 160_000)


class Turn(NamedTuple):
    """The work of a call of `train`, and the seconds that it took."""

    traversals: int
    nodes: int
    clock: float
    processor: float


def turn(on: BenchGame, iterations: int) -> Turn:
    """Train so many iterations in one call, less those of a call of one batch: in the
    default tree a call prepares for some hundredths of a second before it trains. Counters of the
    average begin anew, for all turns together would fill them."""
    on.training.table.count.fill(0)
    calls = []
    for n in (on.training.schedule.batch, iterations):
        clock, spent = time.perf_counter(), time.process_time()
        stats = go(on, n)
        clock, spent = time.perf_counter() - clock, time.process_time() - spent
        calls.append((stats.traversals, stats.nodes, clock, spent))
    return Turn(*(whole - least for least, whole in zip(*calls, strict=True)))


def enough(on: BenchGame, seconds: float) -> int:
    """Iterations of which one turn takes ``seconds``, found by doubling; compiles beforehand."""
    go(on, on.training.schedule.batch)
    iterations = 2 * on.training.schedule.batch
    while turn(on, iterations).clock < seconds:
        iterations *= 2
    return iterations


def traversal(
    meter: Meter, on: BenchGame, seconds: float, counts: tuple[int, ...] = ONE_AND_TWO,
    turns: int | None = None, unit: str = NODES,
) -> None:  # fmt: skip
    """NODES or ITERATIONS a second; numbers of cores are measured in turns, ``seconds`` each. An
    iteration is a traversal a seat.

    A turn of less than half of that is not counted, but made again with twice the iterations.
    """
    seats, iterations, took = on.training.tree.columns.shape[1], {}, {n: [] for n in counts}
    for n in counts:
        set_threads(n)
        iterations[n] = enough(on, seconds)
    meter.watch()
    visits = 0.0
    for _ in range(turns or meter.turns):
        for n in counts:
            set_threads(n)
            while (done := turn(on, iterations[n])).clock < seconds / 2:
                iterations[n] *= 2
            units = done.nodes if unit == NODES else done.traversals / seats
            took[n].append((units, done.clock, done.processor))
            visits = done.nodes / done.traversals
    for n in counts:
        facts = {"nodes a traversal": visits}
        if n > 1:
            facts[GAIN] = gains(took[n], took[1])
        meter.add(f"{on.name}, {cores(n)}", unit, took[n], threads=n, facts=facts)


def small_games(meter: Meter, seconds: float) -> None:
    """Kuhn and Leduc on one core, by us and by OpenSpiel.

    Both keep the average strategy of every iteration; ours is also measured without it.
    """
    meter.begin("external sampling on small games")
    for name in ("kuhn", "leduc"):
        for batch, kept in ((1, True), (10, True), (1000, True), (10, False)):
            on = games.toy_game(name, batch=batch)
            after = on.training.schedule.count_after if kept else 1 << 62
            schedule = on.training.schedule._replace(count_after=after)
            label = f"{name}, batches of {batch}, {'average kept' if kept else 'no average'}"
            on = on._replace(name=label, training=on.training._replace(schedule=schedule))
            traversal(meter, on, seconds, (1,), unit=ITERATIONS)
        if meter.beside("open_spiel"):
            import pyspiel

            game = pyspiel.load_game(f"{name}_poker")
            solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1, pyspiel.MCCFRAverageType.SIMPLE)
            meter.rate(f"{name}, OpenSpiel (C++)", ITERATIONS, 100,
                       lambda s=solver: [s.run_iteration() for _ in range(100)])  # fmt: skip


def hold_em(meter: Meter, seconds: float, filling: float, folder: Path, small: bool) -> None:
    """Traversals on two, three and six seats, young and filled; the trained run in ``folder``."""
    meter.begin("traversal")
    for name, game in trees(small).items():
        if name != SIX:
            on = games.holdem_game(f"{name}, young table", game, *games.sizes(small))
            set_threads(TWO)
            fill(on, min(1.0, filling))  # memory that was never touched is dear
            traversal(meter, on, seconds)
    blueprint, plain = games.preset("default").blueprint, games.plain_schedule()
    dealt = 1 if small else blueprint.boards
    on = games.holdem_game(SIX, trees(small)[SIX], *games.sizes(small), plain, dealt)
    for name, more in (("young table", min(YOUNG, filling)), ("table filled", filling)):
        set_threads(TWO)
        fill(on, more)
        traversal(meter, on._replace(name=f"{SIX}, {name}"), seconds, turns=meter.paired)
    configured = blueprint.schedule()  # late: the first round is counted, actions are pruned
    on.done[0] = max(configured.count_after, configured.prune_after, on.done[0])
    late = on.training._replace(schedule=configured)
    on = on._replace(name=f"{SIX}, as configured", training=late)
    traversal(meter, on, seconds, turns=meter.paired)
    if any((folder / "blueprint" / "state").glob("[0-9]*.zarr")):
        on = games.trained(folder)
        on = on._replace(name=f"{on.name}, trained table, as configured")
        traversal(meter, on, seconds, turns=meter.paired)


def trees(small: bool) -> dict[str, GameConfig]:
    """Trees of two, three and six seats."""
    if small:
        return {"two players": games.default_game(2), SIX: games.default_game(6)}
    two, three = games.preset("hunl").game, games.default_game(3)
    return {"heads-up (hunl)": two, "three players": three, SIX: games.default_game(6)}


def discount_pass(meter: Meter, entries: int) -> None:
    """GB of regrets a second multiplied, a tenth of them not zero, one and two cores."""
    meter.begin("discount pass")
    regret = np.zeros(entries, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000 + 1
    for n in ONE_AND_TWO:
        set_threads(n)
        meter.rate(cores(n), "GB/s", regret.nbytes / 1e9, partial(discount, regret, 0.999),
                   turns=3, threads=n)  # fmt: skip
