"""How the cost of training grows with tree, buckets, players and cores: `… benchmarks growth`.

Every point is a game trained for some seconds and then measured in turns on one core and on all.
What it gives: decision nodes a second, nodes a traversal visits, bytes of the table and of those
that training has touched. The fit of :mod:`sixmax.rates` is made of these points.
"""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.ground import Ground, default_game, ground, preset
from benchmarks.measure import CORES, TWO, Meter, machine
from benchmarks.training import fill, traversal
from sixmax.game.config import GameConfig
from sixmax.jit import set_threads

PAGE = os.sysconf("SC_PAGE_SIZE")
# Raises before the flop and how many; after it, their number and the most players by round.
FAMILY = {
    "one raise": ([[1]], 1, [[0.75]], 1, (2, 2, 2)),
    "three raises": ([[1], [1], ["A"]], 3, [[0.75]], 1, (2, 2, 2)),
    "default before the flop": ([[0.5, 1], [1, "A"], ["A"]], 3, [[0.75]], 1, (2, 2, 2)),
    "two raises a round": ([[0.5, 1], [1, "A"], ["A"]], 3, [[0.75], ["A"]], 2, (3, 2, 2)),
    "all six see bets": ([[1], [1], ["A"]], 3, [[0.75]], 1, (6, 6, 6)),
}
BUCKETS = (25, 50, 100, 250)


class Point(NamedTuple):
    """One game, measured: ``rate`` are decision nodes a second by the clock, ``processor`` by
    processor seconds, on ``cores`` cores; medians. ``gain`` is how many times one core they are in
    the same turn, the median as well; None of one core."""

    curve: str
    name: str
    players: int
    decisions: int
    buckets: int
    cores: int
    table_gb: float
    touched_gb: float
    rate: float
    processor: float
    visits: float  # decision nodes that a traversal visits
    others: float | None = None  # processors that other programs had meanwhile
    gain: float | None = None


def measure(meter: Meter, filling: float, seconds: float, small: bool = False) -> list[Point]:
    """All curves; ``filling`` seconds of training before each point."""
    found: list[Point] = []
    cores = sorted({1, TWO} if small else {1, TWO, CORES})
    for curve, name, game, buckets in games(small):
        meter.begin(f"growth with {curve}: {name}")
        ranks, dealt = (6, 1) if small else (13, 8 if game.seats == 6 else 1)
        schedule = preset("default").blueprint.schedule()
        how = schedule._replace(discount_until=0, count_after=1 << 62, prune_share=0.0)
        on = ground(name, game, ranks, (buckets,) * 3, how, dealt)
        set_threads(cores[-1])
        fill(on, filling)
        found += _points(meter, on, curve, game, buckets, seconds, tuple(cores))
    return found


def _points(
    meter: Meter, on: Ground, curve: str, game: GameConfig, buckets: int, seconds: float,
    cores: tuple[int, ...],
) -> list[Point]:  # fmt: skip
    before = len(meter.lines)
    gain = traversal(meter, on, seconds, cores)
    lines, found = meter.lines[before:], []
    for nodes, iterations, n in zip(lines[::2], lines[1::2], cores, strict=True):
        found.append(
            Point(
                curve, on.name, game.seats, int(on.tree.decisions.sum()), buckets, n,
                on.table.regret.nbytes / 1e9, touched_gb(on.table.regret), nodes.median,
                nodes.processor, nodes.median / iterations.median / game.seats, nodes.others,
                gain.get(n),
            )
        )  # fmt: skip
    return found


def games(small: bool) -> Iterator[tuple[str, str, GameConfig, int]]:
    """Curve, name, game and buckets of every point."""
    if small:
        yield "players", "two players", default_game(2), 5
        yield "tree size", "three players", default_game(3), 5
        return
    for name, sizes in FAMILY.items():
        yield "tree size", name, member(*sizes), 200
    yield "tree size", "default", default_game(6), 200
    for buckets in BUCKETS:
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


def record(points: list[Point], meter: Meter) -> dict[str, Any]:
    """Plain JSON values; ``others`` is the most processors that they had beside a point."""
    meter.end()
    stamps = meter.stamps.values()
    return {
        "machine": machine(), "seconds": round(sum(meter.spent.values())),
        "others": max((p.others for p in points if p.others is not None), default=None),
        "departures": next(iter(stamps)).departures, "points": [p._asdict() for p in points],
    }  # fmt: skip
