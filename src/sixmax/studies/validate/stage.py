"""Solve a game by one method and measure its distance from an equilibrium on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, quiet, say
from sixmax.cfr.full import solve
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.methods import METHODS
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import Training, new_table, train
from sixmax.games import GAMES
from sixmax.games import rock_paper_scissors as rps
from sixmax.games.game import ALL, FULL_WIDTH, SEARCH
from sixmax.store.records import write
from sixmax.studies.validate import small_search
from sixmax.studies.validate.config import CURVE, POOR, MethodSettings
from sixmax.studies.validate.games import OpenGame, measure_river, open_game

FLOOR = -2_000_000_000  # of an int32; without pruning nothing comes back from there


@options.stage
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
    # A search begins anew for every checkpoint.
    work = sum(at) if method in SEARCH else settings.seeds * settings.iterations
    with Progress(work, label) as progress:
        if name == "river":
            untrained, size, scores = measure_river(method, at, progress.add)
            scores = [scores]
        elif name == "rps":
            untrained, size = rps.score(np.full(3, 1 / 3)), rps.SIZE
            search, choices = small_search.searched_rps, small_search.CHOICES[method]
            solved = (search(choices, t).strategies.average for t in at)
            scores = [[rps.score(strategy[:3]) for strategy in solved]]
        else:
            game = open_game(name, seats)
            untrained, decisions = game.score(uniform(game.tree, game.layout)), game.tree.decisions
            size = {
                "decisions": int(decisions.sum()),
                "infosets": int(decisions @ np.asarray(game.layout.buckets)),
                "deals": game.size,
            }
            scores = _scores(name, game, method, settings, progress)
    record = {
        "game": name, "seats": seats, "method": method, "settings": settings.model_dump(),
        "size": size,
        "uniform": {"nash_conv": untrained.total, "value": float(untrained.values[0])},
        "iterations": at,
        "runs": [
            {"nash_conv": [s.total for s in run], "value": [float(s.values[0]) for s in run]}
            for run in scores
        ],
    }  # fmt: skip
    write(out, CURVE, record)
    say(f"{label}: NashConv {scores[0][-1].total:.3g} chips, untrained {untrained.total:.3g}")


def _scores(
    name: str, game: OpenGame, method: str, settings: MethodSettings, progress: Progress
) -> list[list[NashConv]]:
    """By seed, the score of each checkpoint."""
    if method in FULL_WIDTH:
        solved = solve.solve(
            game.tree, game.layout, game.deals, settings.iterations, METHODS[method],
            settings.checkpoints(),
        )  # fmt: skip
        progress.add(settings.iterations)
        return [[game.score(strategy) for strategy in solved.values()]]
    if method in SEARCH:
        return [_searched(name, game, method, settings, progress)]
    if method == "coarse":
        game, _ = small_search.coarse(name, game)
    seeds = range(settings.seed, settings.seed + settings.seeds)
    return [[game.score(s) for s in _trained(game, settings, seed, progress)] for seed in seeds]


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
    """The average at each checkpoint of a blueprint's training, by counters in every round.

    # ASSUME the blueprint's own later rounds, means of snapshots, are tested elsewhere
    # (tests/cfr/sampled/test_train.py): counters need no choice of when to take them.
    """
    plan = schedule(settings, game.scale)
    table, first = new_table(game.layout, len(game.dealer.buckets)), 1
    training = Training(game.tree, game.layout, game.dealer, table, plan, seed)
    for last in settings.checkpoints():
        train(training, first, last, progress.add if progress else quiet)
        yield shares(game.tree, game.layout, table.count)
        first = last + 1


def schedule(settings: MethodSettings, scale: float) -> Schedule:
    """The production schedule that ``settings`` stand for, with ``scale`` regret units a chip."""
    below = int(settings.prune_below * scale)
    same = ("batch", "discount_every", "discount_until", "prune_after", "prune_share")
    return Schedule(
        **settings.model_dump(include=set(same)), count_every=1, count_after=0,
        prune_threshold=below, regret_floor=int(1.05 * below) if settings.prune_share else FLOOR,
        scale=float(scale), prune_half=int(settings.prune_half * scale),
    )  # fmt: skip
