"""Solve a game by one method and measure its distance from an equilibrium on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.base import options
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.stage import stage
from sixmax.cfr.full import solve
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.methods import METHODS, Schedule
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.games import GAMES
from sixmax.games import rock_paper_scissors as rps
from sixmax.games.game import ALL
from sixmax.store.records import write
from sixmax.studies.validate import river, small_search
from sixmax.studies.validate.config import FULL_WIDTH, POOR, SEARCH, MethodSettings
from sixmax.studies.validate.games import OpenGame, open_game
from sixmax.studies.validate.records import CURVE

FLOOR = -2_000_000_000  # of an int32; without pruning nothing comes back from there


@stage
def measure(
    name: Annotated[str, argument("GAME", choices=tuple(GAMES))],
    seats: Annotated[int, Option("Players.", least=2, most=5, default=2)],
    method: Annotated[str, argument("METHOD", choices=ALL)],
    settings: Annotated[
        MethodSettings, Option("Of the method, as in config/validate; JSON.", kind="settings")
    ],
    threads: options.Threads,
    out: Annotated[Path, Option("The curve, as JSON.")],
) -> None:  # fmt: skip
    """Solve a small game and measure its exploitability on the way.

    Best responses are exact. The kernels are those that train the blueprint.

    \b
    sixmax measure leduc cfr+ --settings '{"iterations": 1000}' --out /dev/stdout

    The record has {game, seats, method, settings, size, uniform, iterations, runs}: ``runs`` a
    list by seed of {nash_conv, value}, each a list by iteration; ``uniform`` the same two
    numbers of the untrained strategy. All in chips a game; ``value`` is the first player's.
    """
    label, at = f"{name} for {seats}, {method}", settings.checkpoints()
    with Progress(_work(method, settings), label) as progress:
        if name == "river":
            untrained, size, scores = river.measure(method, at, progress.add)
            scores = [scores]
        elif name == "rps":
            untrained, size = rps.score(np.full(3, 1 / 3)), rps.SIZE
            search, choices = small_search.searched_rps, small_search.CHOICES[method]
            solved = (search(choices, t).strategies.average for t in at)
            scores = [[rps.score(strategy[:3]) for strategy in solved]]
        else:
            game = open_game(name, seats)
            untrained, size = game.score(uniform(game.tree, game.layout)), _size(game)
            scores = _scores(name, game, method, settings, progress)
    write(
        out,
        CURVE,
        {
            "game": name,
            "seats": seats,
            "method": method,
            "settings": settings.model_dump(),
            "size": size,
            "uniform": {"nash_conv": untrained.total, "value": float(untrained.values[0])},
            "iterations": at,
            "runs": [_run(score) for score in scores],
        },
    )
    say(f"{label}: NashConv {scores[0][-1].total:.3g} chips, untrained {untrained.total:.3g}")


def _work(method: str, settings: MethodSettings) -> int:
    """Iterations in all: a search begins anew for every checkpoint."""
    return sum(settings.checkpoints()) if method in SEARCH else settings.seeds * settings.iterations


def _scores(
    name: str, game: OpenGame, method: str, settings: MethodSettings, progress: Progress
) -> list[list[NashConv]]:
    """By seed, the score of each checkpoint."""
    if method in FULL_WIDTH:
        return [_full_width(game, method, settings, progress)]
    if method in SEARCH:
        return [_searched(name, game, method, settings, progress)]
    if method == "coarse":
        game, _ = small_search.coarse(name, game)
    seeds = range(settings.seed, settings.seed + settings.seeds)
    return [[game.score(s) for s in _trained(game, settings, seed, progress)] for seed in seeds]


def _full_width(
    game: OpenGame, method: str, settings: MethodSettings, progress: Progress
) -> list[NashConv]:
    solved = solve.solve(
        game.tree, game.layout, game.deals, settings.iterations, METHODS[method],
        settings.checkpoints(),
    )  # fmt: skip
    progress.add(settings.iterations)
    return [game.score(strategy) for strategy in solved.values()]


def _searched(
    name: str, game: OpenGame, method: str, settings: MethodSettings, progress: Progress
) -> list[NashConv]:
    """Search on top of the poor blueprint, by as many iterations as each checkpoint has."""
    small, fine = small_search.coarse(name, game)
    *_, strategy = _trained(small, POOR, POOR.seed)
    blueprint, scores = fine(strategy), []
    for t in settings.checkpoints():
        strategy = small_search.searched(game, blueprint, small_search.CHOICES[method], t)
        scores.append(game.score(strategy))
        progress.add(t)
    return scores


def _trained(
    game: OpenGame, settings: MethodSettings, seed: int, progress: Progress | None = None
) -> Iterator[np.ndarray]:
    """The training of the blueprint, with action counters in every round: their average at each
    checkpoint.

    # ASSUME the blueprint's own later rounds, means of snapshots, are tested elsewhere
    # (tests/cfr/sampled/test_train.py): counters need no choice of when to take them.
    """
    plan = schedule(settings, game.scale)
    table, first = new_table(game.layout, len(game.dealer.buckets)), 1
    training = Training(game.tree, game.layout, game.dealer, table, plan, seed)
    for last in settings.checkpoints():
        train(training, first, last, progress.add if progress else lambda n: None)
        yield shares(game.tree, game.layout, table.count)
        first = last + 1


def schedule(settings: MethodSettings, scale: float) -> Schedule:
    """The production schedule that ``settings`` stand for, with ``scale`` regret units a chip."""
    below = int(settings.prune_below * scale)
    return Schedule(
        batch=settings.batch,
        discount_every=settings.discount_every,
        discount_until=settings.discount_until,
        count_every=1,
        count_after=0,
        prune_after=settings.prune_after,
        prune_share=settings.prune_share,
        prune_threshold=below,
        regret_floor=int(1.05 * below) if settings.prune_share else FLOOR,
        scale=float(scale),
        prune_half=int(settings.prune_half * scale),
    )


def _run(scores: list[NashConv]) -> dict[str, Any]:
    return {
        "nash_conv": [score.total for score in scores],
        "value": [float(score.values[0]) for score in scores],
    }


def _size(game: OpenGame) -> dict[str, int]:
    infosets = game.tree.decisions @ np.asarray(game.layout.buckets)
    return {
        "decisions": int(game.tree.decisions.sum()),
        "infosets": int(infosets),
        "deals": game.size,
    }
