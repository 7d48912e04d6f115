"""Solve a game by one method and measure, on the way, how far from an equilibrium it is."""

from pathlib import Path
from typing import Any

import numpy as np

from sixmax.cfr import vector
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.response import NashConv
from sixmax.cfr.train import Schedule, new_table, train
from sixmax.files import write_json
from sixmax.jit import set_threads
from sixmax.progress import Progress, say
from sixmax.validate.config import FULL_WIDTH, MethodSettings
from sixmax.validate.games import Game, open_game

FLOOR = -2_000_000_000  # of an int32; without pruning nothing comes back from there


def measure(
    name: str, seats: int, method: str, settings: MethodSettings, threads: int, out: Path
) -> None:
    """Stage ``measure``: write the curve of ``method`` on a game as JSON. Raises UserError.

    The record has {game, seats, method, settings, size, uniform, iterations, runs}: ``runs`` a
    list by seed of {nash_conv, value}, each a list by iteration; ``uniform`` the same two
    numbers of the untrained strategy. All in chips a game; ``value`` is the first player's.
    """
    set_threads(threads)
    game = open_game(name, seats)
    label = f"{name} for {seats}, {method}"
    runs = settings.seeds
    with Progress(runs * settings.iterations, label) as progress:
        if method in FULL_WIDTH:
            scores = [_full_width(game, method, settings, progress)]
        else:
            scores = [_sampled(game, settings, settings.seed + i, progress) for i in range(runs)]
    untrained = game.score(uniform(game.tree, game.layout))
    write_json(
        out,
        {
            "game": name,
            "seats": seats,
            "method": method,
            "settings": settings.model_dump(),
            "size": _size(game),
            "uniform": {"nash_conv": untrained.total, "value": float(untrained.values[0])},
            "iterations": settings.checkpoints(),
            "runs": [_run(score) for score in scores],
        },
    )
    say(f"{label}: NashConv {scores[0][-1].total:.3g} chips, untrained {untrained.total:.3g}")


def _full_width(
    game: Game, method: str, settings: MethodSettings, progress: Progress
) -> list[NashConv]:
    found = vector.solve(
        game.tree, game.layout, game.deals, settings.iterations, vector.METHODS[method],
        settings.checkpoints(),
    )  # fmt: skip
    progress.add(settings.iterations)
    return [game.score(strategy) for strategy in found.values()]


def _sampled(game: Game, settings: MethodSettings, seed: int, progress: Progress) -> list[NashConv]:
    """The training of the blueprint, with action counters in every round: their average is scored.

    # ASSUME the blueprint's own later rounds, means of snapshots, are tested elsewhere
    # (tests/cfr/test_train.py): counters need no choice of when to take them.
    """
    plan = schedule(settings, game.scale)
    table, first, scores = new_table(game.layout, len(game.dealer.buckets)), 1, []
    for last in settings.checkpoints():
        train(
            game.tree, game.layout, game.dealer, table, plan, seed, first, last,
            progress.add,
        )  # fmt: skip
        scores.append(game.score(shares(game.tree, game.layout, table.count)))
        first = last + 1
    return scores


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
        scale=scale,
    )


def _run(scores: list[NashConv]) -> dict[str, Any]:
    return {
        "nash_conv": [score.total for score in scores],
        "value": [float(score.values[0]) for score in scores],
    }


def _size(game: Game) -> dict[str, int]:
    infosets = game.tree.decisions @ np.asarray(game.layout.buckets)
    return {
        "decisions": int(game.tree.decisions.sum()),
        "infosets": int(infosets),
        "deals": game.size,
    }
