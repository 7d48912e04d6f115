"""The growth of the cost of training with tree, buckets, players and cores.

Every point is a game trained for some seconds and then measured in turns on one core and on more.
The laws of :mod:`sixmax.plan.rates` were fitted to such points.
"""

import os
from collections.abc import Iterator

import numpy as np

from benchmarks.games import default_game, holdem_game, plain_schedule
from benchmarks.measure import CORES, TWO, Meter
from benchmarks.training import fill, traversal
from sixmax.base.jit import set_threads
from sixmax.betting.config import GameConfig

PAGE = os.sysconf("SC_PAGE_SIZE")
# Raises before the flop and how many; after it, their number and the most players by round.
FAMILY = {
    "one raise": ([[1]], 1, [[0.75]], 1, (2, 2, 2)),
    "three raises": ([[1], [1], ["A"]], 3, [[0.75]], 1, (2, 2, 2)),
    "default before the flop": ([[0.5, 1], [1, "A"], ["A"]], 3, [[0.75]], 1, (2, 2, 2)),
    "two raises a round": ([[0.5, 1], [1, "A"], ["A"]], 3, [[0.75], ["A"]], 2, (3, 2, 2)),
    "all six see bets": ([[1], [1], ["A"]], 3, [[0.75]], 1, (6, 6, 6)),
}


def measure(meter: Meter, filling: float, seconds: float, small: bool = False) -> None:
    """All curves; ``filling`` seconds of training before each point."""
    counts = tuple(sorted({1, TWO} if small else {1, TWO, CORES}))
    for curve, name, game, buckets in games(small):
        if meter.group != f"growth with {curve}":
            meter.begin(f"growth with {curve}")
        ranks, dealt = (6, 1) if small else (13, 8 if game.seats == 6 else 1)
        on = holdem_game(name, game, ranks, (buckets,) * 3, plain_schedule(), dealt)
        set_threads(counts[-1])
        fill(on, filling)
        before = len(meter.lines)
        traversal(meter, on, seconds, counts, turns=min(3, meter.turns))
        regret = on.training.table.regret
        facts = {"players": game.seats, "decision nodes": int(on.training.tree.decisions.sum()),
                 "GB": regret.nbytes / 1e9, "GB touched": touched_gb(regret)}  # fmt: skip
        for i, line in enumerate(meter.lines[before:], before):
            meter.lines[i] = line._replace(facts=facts | line.facts)


def games(small: bool) -> Iterator[tuple[str, str, GameConfig, int]]:
    """Curve, name, game and buckets of every point."""
    if small:
        yield "players", "two players", default_game(2), 5
        yield "tree size", "three players", default_game(3), 5
        return
    for name, sizes in FAMILY.items():
        yield "tree size", name, member(*sizes), 200
    yield "tree size", "default", default_game(6), 200
    for buckets in (25, 50, 100, 250):
        yield "buckets", f"default, {buckets} buckets", default_game(6), buckets
    for players in (2, 3, 4, 5):
        yield "players", f"default, {players} players", default_game(players), 200


def member(before: list, raises: int, after: list, later: int, most: tuple) -> GameConfig:
    """The default game with other raises."""
    game = default_game(6).model_dump()
    game["rounds"] = [{"sizes": before, "max_raises": raises, "max_players": 6}]
    game["rounds"] += [{"sizes": after, "max_raises": later, "max_players": n} for n in most]
    return GameConfig.parse(game, "game")


def touched_gb(table: np.ndarray) -> float:
    """GB of the pages of ``table`` that hold anything but zeros."""
    whole = len(table) // (PAGE // 4) * (PAGE // 4)
    pages, step, touched = table[:whole].reshape(-1, PAGE // 4), 1 << 14, 0
    for i in range(0, len(pages), step):
        touched += int(pages[i : i + step].any(axis=1).sum())
    return touched * PAGE / 1e9
