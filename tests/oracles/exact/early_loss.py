"""The loss of the first rounds of a strategy, whatever is played after them.

Depth-limited search answers for the rounds it searched, so they are judged alone: one player's
strategy stays as it is there, and all else is solved (Modicum, section 6.1, judges likewise).
"""

import numpy as np

from sixmax.betting.tree import Tree
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import Field, down, up
from sixmax.cfr.layout import Layout, section
from sixmax.cfr.methods import CFR_PLUS


def early_loss(
    tree: Tree, layout: Layout, game: Field, strategy: np.ndarray, rounds: int, iterations: int
) -> float:
    """Exploitability of the first ``rounds`` rounds of ``strategy``, two players, in chips.

    The mean over the players of what the opponent can win more than the value of the game, where
    the player goes on after those rounds as well as it can be. ``iterations`` of CFR+ find how;
    their remaining error is counted as loss, so it is an upper bound.
    """
    loss = 0.0
    for seat in range(2):
        frozen = np.full(layout.size, np.nan)
        for r in range(rounds):
            own = section(layout, r, seat)
            frozen[own] = strategy[own]
        hit = solve_field(game, tree, layout, iterations, CFR_PLUS, (), frozen)
        loss += _best(game, hit[iterations].average, 1 - seat)
    return loss / 2


def _best(game: Field, strategy: np.ndarray, me: int) -> float:
    """The winnings of a best response of ``me``; the players' values cancel in the sum."""
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    down(game, strategy, me, others, own)
    up(game, strategy.copy(), me, True, others, value, np.zeros(strategy.size))
    return float(value[0].sum())
