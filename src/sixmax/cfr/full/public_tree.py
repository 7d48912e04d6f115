"""Full-width CFR of two players on a public tree: a row of hands for each action.

A row of a table float64[rows, n] is an action of a decision, its columns are the hands (or classes
of hands) of the player to act. Values at the ends come from elsewhere, so this knows no cards.
``game`` is any NamedTuple with

node: int32[nodes, 4]  the tree's
first: int64[nodes]    the first row of a decision, -1 at ends; decisions that the player cannot
                       tell apart share it, and stand one after the other
"""

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.betting.tree import n_actions, seat_of
from sixmax.cfr import regret as regrets


@njit
def down(game, strategy, reach):
    """Fill ``reach`` float64[2, nodes, n] below the root."""
    for x in range(len(game.node)):
        if game.first[x] < 0:
            continue
        head = game.node[x, 0]
        seat = seat_of(head)
        for a in range(n_actions(head)):
            child = game.node[x, 1] + a
            reach[1 - seat, child] = reach[1 - seat, x]
            reach[seat, child] = reach[seat, x] * strategy[game.first[x] + a]


@njit
def up(game, strategy, me, value):
    """Fill ``value`` float64[nodes, n] of ``me`` at decisions; the ends have theirs."""
    for x in range(len(game.node) - 1, -1, -1):
        if game.first[x] < 0:
            continue
        head = game.node[x, 0]
        value[x] = 0.0
        for a in range(n_actions(head)):
            child = value[game.node[x, 1] + a]
            value[x] += strategy[game.first[x] + a] * child if seat_of(head) == me else child


@njit
def respond(game, me, value):
    """:func:`up` by the best response of ``me``, decision by decision."""
    for x in range(len(game.node) - 1, -1, -1):
        if game.first[x] < 0:
            continue
        head = game.node[x, 0]
        value[x] = value[game.node[x, 1]]
        for a in range(1, n_actions(head)):
            child = value[game.node[x, 1] + a]
            value[x] = np.maximum(value[x], child) if seat_of(head) == me else value[x] + child


@njit
def learn(game, me, step, own, value, tables):
    """Update the Tables of ``me`` by ``value``; ``own`` float64[nodes, n] is its reach.

    ``step`` are the factors of positive and negative regrets, and the weight in ``tables.total``.
    """
    strategy, regret, total, _ = tables
    for x in range(len(game.node)):
        head = game.node[x, 0]
        if game.first[x] < 0 or seat_of(head) != me:
            continue
        more = x + 1 < len(game.node) and game.first[x + 1] == game.first[x]
        for a in range(n_actions(head)):
            row = game.first[x] + a
            total[row] += step[2] * own[x] * strategy[row]
            regret[row] = regret[row] + value[game.node[x, 1] + a] - value[x]
        if not more:
            _settle(regret, game.first[x], n_actions(head), step, strategy)


@njit
def match(game, table, out):
    """Regret matching: the strategies of regrets or sums, uniform where none is positive."""
    for x in range(len(game.node)):
        if game.first[x] >= 0:
            _match(table, game.first[x], n_actions(game.node[x, 0]), out)


@uncounted
def _settle(regret, first, n, step, strategy):
    """Discount the regrets of ``n`` rows and match them, by column."""
    for c in range(regret.shape[1]):
        column = regret[first : first + n, c]
        regrets.shrink(column, 0, n, step)
        regrets.match(column, 0, n, strategy[first : first + n, c])


@uncounted
def _match(table, first, n, out):
    """Shares of the positive parts of ``n`` rows, by column; uniform where there are none."""
    for c in range(table.shape[1]):
        regrets.match(table[first : first + n, c], 0, n, out[first : first + n, c])
