"""The exact value of a strategy of a small game, and of a best response to it.

A strategy is float64[layout.size], as :func:`sixmax.cfr.policy.shares` gives it; ``deals`` are all
the equally likely deals of the game (:func:`sixmax.games.kuhn_poker.deals`). Any number of players.
"""

from typing import NamedTuple

import numpy as np

from sixmax.betting.tree import Tree
from sixmax.cfr.deals import Deals
from sixmax.cfr.full.sweep import Field, down, field, infosets, up
from sixmax.cfr.layout import Layout


class NashConv(NamedTuple):
    """The distance of a strategy from an equilibrium, in chips a game.

    ``total`` is the sum of the gains; two players' exploitability is half of it.
    """

    total: float
    gains: np.ndarray  # float64[seats]: gain of the seat's best response over its strategy
    values: np.ndarray  # float64[seats]: net chips of the seat when all play the strategy


def values(tree: Tree, layout: Layout, deals: Deals, strategy: np.ndarray) -> np.ndarray:
    """Expected net chips of each seat when all play ``strategy``: float64[seats].

    Raises ValueError where ``strategy`` is no strategy of this layout.
    """
    _check(tree, layout, strategy)
    game = field(tree, layout, deals)
    seats = range(tree.columns.shape[1])
    return np.array([_play(game, strategy, me, False) for me in seats])


def nash_conv(tree: Tree, layout: Layout, deals: Deals, strategy: np.ndarray) -> NashConv:
    """The sum of the players' gains, each by a best response to ``strategy`` of the others.

    NashConv of Lanctot et al. 2017, "A unified game-theoretic approach to multiagent reinforcement
    learning", section 3.1. Raises ValueError like :func:`values`.
    """
    return score(field(tree, layout, deals), tree, layout, strategy)


def score(game: Field, tree: Tree, layout: Layout, strategy: np.ndarray) -> NashConv:
    """:func:`nash_conv` for any payoffs and any chance; ``game`` lies on ``tree`` and ``layout``.

    Nodes that a player cannot tell apart stand one after the other in ``tree``.
    """
    _check(tree, layout, strategy)
    seats = range(tree.columns.shape[1])
    played = np.array([_play(game, strategy, me, False) for me in seats])
    best = np.array([_play(game, strategy.copy(), me, True) for me in seats])
    return NashConv(float((best - played).sum()), best - played, played)


def _play(game: Field, strategy: np.ndarray, me: int, best: bool) -> float:
    """The value of the game to ``me``; where ``best``, ``strategy`` becomes its best response."""
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    down(game, strategy, me, others, own)
    up(game, strategy, me, best, others, value, np.zeros(strategy.size))
    return float(value[0].sum())


def _check(tree: Tree, layout: Layout, strategy: np.ndarray) -> None:
    if strategy.shape != (layout.size,) or strategy.dtype != np.float64:
        raise ValueError(
            f"strategy: found {strategy.dtype}{list(strategy.shape)}, wanted float64[{layout.size}]"
        )
    for seat in range(tree.columns.shape[1]):
        at, n = infosets(tree, layout, seat)
        for k in np.unique(n):
            sums = sum(strategy[at[n == k] + a] for a in range(k))
            if not np.allclose(sums, 1.0):
                worst = sums[np.abs(sums - 1).argmax()]
                raise ValueError(
                    f"strategy: an infoset of seat {seat} sums to {worst:g}, wanted 1; sums and "
                    "counters become a strategy by policy.shares"
                )
