"""The actions of the traverser that a traversal leaves out: by Pluribus and by Libratus."""

import numpy as np

from sixmax.base.jit import inlined, uncounted
from sixmax.base.rng import step, unit
from sixmax.betting.tree import DECISION, kind_of, n_actions, offers_fold

_LEAST = 0.02  # Libratus: chained probability of an action to be sampled, at least


@inlined
def leave_out_below(node, x, regret, at, threshold, explored):
    """Pluribus: no action at or below ``threshold`` is explored but those that end the hand.

    Fills ``explored`` bool[actions] for the decision ``x``; returns the number of explored actions.
    """
    head, first = node[x, 0], node[x, 1]
    n, kept = n_actions(head), 0
    for a in range(n):
        explored[a] = regret[at + a] > threshold or _ends(node, first + a, a, head)
        kept += explored[a]
    if kept == 0:  # ASSUME the best of them is explored: a value is needed
        explored[_best(regret[at : at + n])] = True
        kept = 1
    return kept


@uncounted
def sample_below(regret, pruning, chained, state, explored, odds):
    """Libratus: an action of regret R below the threshold C is explored with K / (K + C - R).

    ``regret`` is that of the decision's actions. The floor of 2 % is that of the chained
    probability: ``chained`` that of the decision, ``odds[a]`` that of each action. Returns the
    number of explored actions and the state of the stream.
    """
    threshold, half, kept = np.float64(pruning.threshold), np.float64(pruning.half), 0
    best = _best(regret)
    for a in range(regret.size):
        explored[a], odds[a] = True, chained
        # ASSUME the best action is always explored: without any, a decision would have no value.
        if regret[a] < threshold and a != best:
            p = min(max(_LEAST / chained, half / (half + threshold - regret[a])), 1.0)
            state = step(state)
            explored[a], odds[a] = unit(state) < p, chained * p
        kept += explored[a]
    return kept, state


@inlined
def _ends(node, child, a, head):
    """Whether the action ends the hand for the acting player: a fold does, with any others left.

    # ASSUME the paper's "actions leading to terminal payoffs" include a fold with others left.
    """
    return (a == 0 and offers_fold(head)) or kind_of(node[child, 0]) != DECISION


@uncounted
def _best(regret):
    best = 0
    for a in range(1, regret.size):
        if regret[a] > regret[best]:
            best = a
    return best
