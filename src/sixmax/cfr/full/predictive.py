"""Predictive CFR+ (PCFR+): regret matching+ that expects the last regrets to come again.

Farina, Kroer and Sandholm 2021, "Faster game solving via predictive Blackwell approachability:
connecting regret matching and mirror descent". With r the regrets of an iteration and m those that
are predicted for the next, predictive regret matching+ is z = [z + r]^+ and plays in proportion to
[z + m]^+. As in the paper's experiments m is the last r, players are updated in turn, and the
average is quadratic (a row of METHODS has its weight).
"""

from sixmax.base.jit import njit
from sixmax.cfr.full.update import gains
from sixmax.cfr.regret import match, shrink


@njit
def predictive(game, mine, me, step, tables):
    """The update of PCFR+: ``tables.regret`` is z by the factors (1, 0), ``state[0]`` is z + m."""
    value, gain = gains(game, mine, me, step, tables)
    regret, expected, strategy = tables.regret, tables.state[0], tables.strategy
    for i in range(mine.at.size):
        at, n = mine.at[i], mine.n[i]
        for a in range(at, at + n):
            regret[a] += gain[a]
        shrink(regret, at, n, step)
        for a in range(at, at + n):
            expected[a] = regret[a] + gain[a]
        match(expected, at, n, strategy[at : at + n])
    return value
