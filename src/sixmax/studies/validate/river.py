"""A river of hold'em, solved as the search solves one, and measured by exact best responses.

Two players with any hand that the board leaves, five big blinds in the pot and two hundred behind:
the stacks and raises of a river endgame that Libratus played, with a board and ranges of our own.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree_build import build
from sixmax.cards.deck import n_holes
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.methods import METHODS
from sixmax.search.solvers.ranges.game import RangeGame, endgame
from sixmax.search.solvers.ranges.solver import RangeSolver

BOARD = "KsTh7d4c2s"
POT, STACK = 500, 20_000  # chips; a stack with the player's half of the pot


def river() -> RangeGame:
    """The subgame."""
    sizes = RoundSizes(sizes=[[0.5, 1, "A"], [1, "A"]], max_raises=20, max_players=2)
    game = GameConfig(
        stacks=[STACK] * 2, blinds=[0, 0], antes=[POT // 2] * 2, first=[0], rounds=[sizes]
    )
    return endgame(build(game), BOARD, np.ones((2, n_holes(13))))


def size(game: RangeGame) -> dict[str, int]:
    """Decision nodes, infosets, and deals of two hands."""
    nodes, hands = int(game.tree.decisions.sum()), len(game.hands[0].first)
    left = 50 - 5  # cards that board and a hand leave
    return {"decisions": nodes, "infosets": nodes * hands, "deals": hands * left * (left - 1) // 2}


def measure(
    method: str, at: list[int], progress: Callable[[int], Any]
) -> tuple[NashConv, dict[str, int], list[NashConv]]:
    """The score of the untrained strategy, the size of the game, and the scores of ``method``.

    One score after each of the iterations ``at``, ascending. ``progress`` is called with the
    iterations done since.
    """
    game = river()
    solver, scores = RangeSolver(game, METHODS[method]), []
    untrained = solver.nash_conv()
    for last in at:
        step = last - solver.iterations
        solver.run(step)
        scores.append(solver.nash_conv())
        progress(step)
    return untrained, size(game), scores
