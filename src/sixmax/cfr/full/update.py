"""Update kernels of full-width CFR: one for each method, run after an iteration.

A kernel ``(game, mine, me, step, tables) -> value`` changes ``tables`` (:class:`Tables`) at the
infosets ``mine`` of the player ``me``, and returns the ``value`` of :func:`gains`. ``step`` are the
factors of positive and negative regrets and the weight of the strategy, of
:meth:`sixmax.cfr.methods.Method.step`. The strategy is the last that it writes.
"""

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import is_decision, round_of, seat_of
from sixmax.cfr.full.sweep import down, up
from sixmax.cfr.regret import match, shrink


@njit
def discounted(game, mine, me, step, tables):
    """Discounted CFR: add to the regrets, multiply them by their factors, match them."""
    value, gain = gains(game, mine, me, step, tables)
    regret, strategy = tables.regret, tables.strategy
    for i in range(mine.at.size):
        at, n = mine.at[i], mine.n[i]
        for a in range(at, at + n):
            regret[a] += gain[a]
        shrink(regret, at, n, step)
        match(regret, at, n, strategy[at : at + n])
    return value


@njit
def gains(game, mine, me, step, tables):
    """Count the strategy of ``me`` in ``tables.total``; the values of the root, and regrets.

    Counterfactual values of the root in each deal, float64[deals], and the regrets of this
    iteration alone, float64[size]: those of ``mine``.
    """
    strategy, _, total, _ = tables
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    worth, reach = np.zeros(strategy.size), np.zeros(strategy.size)
    down(game, strategy, me, others, own)
    up(game, strategy, me, False, others, value, worth)
    _own_reach(game, me, own, reach)
    for i in range(mine.at.size):
        at, n = mine.at[i], mine.n[i]
        mean = 0.0
        for a in range(at, at + n):
            total[a] += step[2] * reach[at] * strategy[a]
            mean += strategy[a] * worth[a]
        for a in range(at, at + n):
            worth[a] -= mean
    return value[0], worth


@njit
def _own_reach(game, me, own, reach):
    """The reach of ``me`` at each of its infosets, which all deals of the infoset share."""
    for x in range(len(game.node)):
        head = game.node[x, 0]
        if is_decision(head) and seat_of(head) == me:
            for d in range(len(game.chance)):
                reach[game.offset[me, round_of(head), d] + game.node[x, 2]] = own[x, d]
