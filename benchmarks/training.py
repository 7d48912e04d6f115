"""Betting trees, traversals a second, the discount pass; OpenSpiel on the games that it has too."""

import time
from pathlib import Path

import numpy as np

from benchmarks.ground import PLAIN, Ground, default_game, ground, preset, toy_ground, trained
from benchmarks.measure import Meter, installed
from sixmax.cfr.regret import discount
from sixmax.cfr.train import train
from sixmax.game import toy
from sixmax.game.config import GameConfig
from sixmax.game.tree import build
from sixmax.jit import set_threads

YOUNG = 5.0  # seconds: what a table is trained before it is measured as young
OPENSPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def tree_build(meter: Meter, games: dict[str, GameConfig]) -> None:
    """Nodes a second of trees that are built whole."""
    meter.begin("betting tree, one core")
    for name, game in games.items():
        meter.rate(name, "nodes/s", lambda g=game: len(build(g).node), turns=3)


def go(on: Ground, iterations: int) -> tuple[int, int]:
    """Train ``on`` so many iterations more; traversals and decision nodes visited."""
    first = on.done[0] + 1
    iterations = max(1, iterations // on.schedule.batch) * on.schedule.batch
    stats = train(
        on.tree, on.layout, on.dealer, on.table, on.schedule, on.seed, first,
        first + iterations - 1,
    )  # fmt: skip
    on.done[0] += iterations
    return stats.traversals, stats.nodes


def fill(on: Ground, seconds: float) -> None:
    """Train for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        go(on, 5000)


def traversal(meter: Meter, on: Ground, seconds: float, cores: tuple[int, ...] = (1, 2)) -> None:
    """Decision nodes and iterations a second; cores are measured in turns, ``seconds`` each."""
    seats, per_turn = on.tree.columns.shape[1], {}
    for threads in cores:  # how much fits into a turn, and a warm-up
        set_threads(threads)
        go(on, on.schedule.batch)  # compiles
        begun, start = on.done[0], time.monotonic()
        while (spent := time.monotonic() - start) < seconds:
            go(on, on.schedule.batch)
        per_turn[threads] = int((on.done[0] - begun) * seconds / spent)
    found: dict = {threads: ([], []) for threads in cores}
    for _ in range(meter.turns):
        for threads in cores:
            set_threads(threads)
            clock, spent = time.perf_counter(), time.process_time()
            traversals, nodes = go(on, per_turn[threads])
            clock, spent = time.perf_counter() - clock, time.process_time() - spent
            found[threads][0].append((nodes, clock, spent))
            found[threads][1].append((traversals / seats, clock, spent))
    for threads in cores:
        name = f"{on.name}, {threads} core{'s' if threads > 1 else ''}"
        meter.add(name, "decision nodes/s", found[threads][0])
        meter.add(name, "iterations/s", found[threads][1])


def small_games(meter: Meter, seconds: float) -> None:
    """Kuhn and Leduc on one core, by us and by OpenSpiel; an iteration is a traversal a seat."""
    meter.begin("external sampling on small games, one core")
    set_threads(1)
    for name in toy.NAMES:
        for batch in (1, 10, 1000):
            on = toy_ground(name, batch=batch)
            go(on, 100 * batch)

            def own(on: Ground = on) -> float:
                done, end = on.done[0], time.monotonic() + seconds
                while time.monotonic() < end:
                    go(on, 20_000)
                return on.done[0] - done

            meter.rate(f"{name}, batches of {batch}", "iterations/s", own, warm=False)
        _openspiel(meter, name, seconds)


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
    ranks, counts = (6, (5, 5, 5)) if small else (13, (200, 200, 200))
    boards = 1 if small else preset("default").blueprint.boards
    schedule = preset("default").blueprint.schedule()
    schedule = schedule._replace(discount_until=0, count_after=1 << 62)
    for name, game in games(small).items():
        six = game.seats == 6
        how = schedule if six else PLAIN
        on = ground(f"{name}, young table", game, ranks, counts, how, boards if six else 1)
        if filling:
            set_threads(2)
            fill(on, YOUNG if six else 1.0)  # memory that was never touched is dear
        traversal(meter, on, seconds)
        if six and filling:
            set_threads(2)
            fill(on, filling)
            touched = np.count_nonzero(on.table.regret) * 4 / 1e9
            traversal(meter, on._replace(name=f"{name}, table filled"), seconds)
            meter.note(
                f"the filled table has been trained for {filling:.0f} s, {on.done[0]:,} iterations "
                f"with what measured it; {touched:.2f} GB of its entries are not zero"
            )
        del on
    if folder is None:
        meter.skip("the trained default table", "no results/default with a checkpoint here")
    else:
        on = trained(folder)
        traversal(meter, on._replace(name=f"{on.name}, trained table"), seconds)


def games(small: bool) -> dict[str, GameConfig]:
    """Trees of two, three and six seats."""
    if small:
        return {"two players": default_game(2), "three players": default_game(3)}
    return {
        "heads-up (hunl)": preset("hunl").game,
        "three players": default_game(3),
        "six players (default)": default_game(6),
    }


def discount_pass(meter: Meter, entries: int = 1 << 28) -> None:
    """GB of regrets a second multiplied, a tenth of them not zero, one and two cores."""
    meter.begin("discount pass")
    regret = np.zeros(entries, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000 + 1

    def whole() -> float:
        discount(regret, 0.999)
        return regret.nbytes / 1e9

    for threads in (1, 2):
        set_threads(threads)
        meter.rate(f"{threads} core{'s' if threads > 1 else ''}", "GB/s", whole, turns=3)
