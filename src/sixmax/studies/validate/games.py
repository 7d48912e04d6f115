"""The games of the validation: arrays for the training kernels, exact scores; a river."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.errors import UserError, one_of
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.cards.deck import n_holes
from sixmax.cfr.deals import Dealer, Deals, TableDealer
from sixmax.cfr.full.sweep import NashConv, nash_conv
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.methods import CARRIED
from sixmax.evaluation.exploitability.exact_holdem import SCALE, open_holdem
from sixmax.games import GAMES, two_round_holdem
from sixmax.search.solvers.ranges.game import RangeGame, endgame
from sixmax.search.solvers.ranges.solver import RangeSolver

# Regret units a chip of the small games: 1,000 round an update so coarsely that Kuhn
# poker stays .004 away from its equilibrium after 100,000 iterations, where .003 is due.
_TOY_SCALE = 10_000
BOARD = "KsTh7d4c2s"
POT, STACK = 500, 20_000  # chips; a stack with the player's half of the pot


class OpenGame(NamedTuple):
    """A game, and the distance of its strategies (float64[layout.size]) from an equilibrium."""

    tree: Tree
    layout: Layout
    dealer: Dealer
    deals: Deals | None  # all of them, equally likely; None where they are too many to list
    size: int  # deals
    score: Callable[[np.ndarray], NashConv]  # chips a game
    scale: float  # regret units a chip


def open_game(name: str, seats: int) -> OpenGame:
    """A game of :mod:`sixmax.games` whose deals are listed, or of its two_round_holdem.

    The hold'em games have two players, 10 chips a big blind, and take seconds to open. Raises
    UserError for another.
    """
    if name in two_round_holdem.NAMES:
        known = open_holdem(name)
        *arrays, deals, score = known.tree, known.layout, known.dealer, known.deals, known.score
        return OpenGame(*arrays, None, deals, score, SCALE)
    known = GAMES.get(name)
    if known is None or known.config is None or known.deals is None:
        listed = ", ".join(game.name for game in GAMES.values() if game.config)
        raise UserError(f"game: found {name!r}, wanted one of {listed}")
    tree, deals = build(known.config(seats)), known.deals(seats)
    dealer = TableDealer(deals)
    infosets = layout(tree, dealer.buckets)
    score = functools.partial(nash_conv, tree, infosets, deals)
    return OpenGame(tree, infosets, dealer, deals, len(deals.rank), score, _TOY_SCALE)


def river() -> RangeGame:
    """A river of two players with any hand that the board leaves, as the search solves one.

    Five big blinds in the pot and two hundred behind: the stacks and raises of a river endgame that
    Libratus played, with a board and ranges of our own.
    """
    sizes = RoundSizes(sizes=[[0.5, 1, "A"], [1, "A"]], max_raises=20, max_players=2)
    game = GameConfig(
        stacks=[STACK] * 2, blinds=[0, 0], antes=[POT // 2] * 2, first=[0], rounds=[sizes]
    )
    return endgame(build(game), BOARD, np.ones((2, n_holes(13))))


def measure_river(
    method: str, at: list[int], progress: Callable[[int], Any]
) -> tuple[NashConv, dict[str, int], list[NashConv]]:
    """The score of the untrained strategy, the size of the game, and the scores of ``method``.

    One score after each of the iterations ``at``, ascending. ``progress`` is called with the
    iterations done since. Raises UserError for a method that does more than discount and predict.
    """
    if method not in CARRIED:
        raise UserError(f"method {method!r}: not of a river; {one_of(method, CARRIED)}")
    game = river()
    nodes, hands = int(game.tree.decisions.sum()), len(game.hands[0].first)
    left = 50 - 5  # cards that board and a hand leave
    deals = hands * left * (left - 1) // 2
    size = {"decisions": nodes, "infosets": nodes * hands, "deals": deals}
    solver, scores = RangeSolver(game, CARRIED[method].over(at[-1])), []
    untrained = solver.nash_conv()
    for last in at:
        step = last - solver.iterations
        solver.run(step)
        scores.append(solver.nash_conv())
        progress(step)
    return untrained, size, scores
