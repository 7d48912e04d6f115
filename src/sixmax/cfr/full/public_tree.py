"""Full-width CFR of two players on a public tree: a row of hands for each action.

A row of a table float64[rows, n] is an action of a decision, its columns are the hands (or classes
of hands) of the player to act. Values at the ends come from elsewhere, so this knows no cards.
``game`` is any NamedTuple with

node: int32[nodes, 4]  the tree's
first: int64[nodes]    the first row of a decision, -1 at ends; decisions that the player cannot
                       tell apart share it, and stand one after the other
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import n_actions, seat_of


class Rows(NamedTuple):
    """The tables of both players: float64[rows, n], or one entry an action."""

    strategy: np.ndarray
    regret: np.ndarray
    total: np.ndarray  # of strategies, weighed by reach


def new_rows(rows: int, n: int) -> Rows:
    """Zero regrets and sums; no strategy yet."""
    return Rows(np.empty((rows, n)), *np.zeros((2, rows, n)))


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
def learn(game, me, step, own, value, rows):
    """Update the Rows of ``me`` by ``value``; ``own`` float64[nodes, n] is the reach of ``me``.

    ``step`` are the factors of positive and negative regrets, and the weight in ``rows.total``.
    """
    strategy, regret, total = rows
    for x in range(len(game.node)):
        head = game.node[x, 0]
        if game.first[x] < 0 or seat_of(head) != me:
            continue
        more = x + 1 < len(game.node) and game.first[x + 1] == game.first[x]
        for a in range(n_actions(head)):
            row = game.first[x] + a
            total[row] += step[2] * own[x] * strategy[row]
            new = regret[row] + value[game.node[x, 1] + a] - value[x]
            if not more:
                for c in range(new.size):
                    new[c] *= step[0] if new[c] > 0.0 else step[1]
            regret[row] = new
        if not more:
            _match(regret, game.first[x], n_actions(head), strategy)


@njit
def match(game, table, out):
    """Regret matching: the strategies of regrets or sums, uniform where none is positive."""
    for x in range(len(game.node)):
        if game.first[x] >= 0:
            _match(table, game.first[x], n_actions(game.node[x, 0]), out)


@njit
def _match(table, first, n, out):
    """Shares of the positive parts of ``n`` rows, by column; uniform where there are none."""
    for c in range(table.shape[1]):
        total = 0.0
        for a in range(first, first + n):
            total += max(table[a, c], 0.0)
        for a in range(first, first + n):
            out[a, c] = max(table[a, c], 0.0) / total if total > 0.0 else 1.0 / n
