"""The four continuation strategies: the blueprint, and the blueprint leaning to one kind of action.

Supplement, "Leaf node values in imperfect-information subgames": the probability of folding, of
calling, or of every raise is multiplied by five, and all are renormalised.
"""

import numpy as np

from sixmax.cfr.policy import Rows
from sixmax.game.tree import Tree
from sixmax.jit import njit

STRATEGIES = ("unbiased", "fold", "call", "raise")
FOLD, CALL = -1, 0  # Tree.action; any larger number is a raise


def has_fold(tree: Tree, rows: Rows) -> np.ndarray:
    """Whether the first action of each decision node is a fold: bool[rows].

    The second is then a call, otherwise the first is a check; the others are raises. Raises
    ValueError where a tree has its actions in another order.
    """
    first = tree.node[rows.node, 1]
    fold = tree.action[first] == FOLD
    if (fold & (rows.n < 2)).any() or (tree.action[first + fold] != CALL).any():
        raise ValueError("the actions of a node must be: fold where it is possible, call, raises")
    return fold


@njit
def stored(policy, at, n):
    """The sum of the row ``policy[at : at + n]``: 0 where training never came."""
    total = np.int64(0)
    for a in range(n):
        total += policy[at + a]
    return total


@njit
def bias(policy, at, n, trained, fold, strategy, factor, out):
    """Fill ``out[:n]`` with a continuation strategy's weights in one infoset; return their sum.

    ``policy[at : at + n]`` is the blueprint's row, uniform where not ``trained``; ``fold`` is 1
    where its first action is a fold, else 0; ``strategy`` is a number of :data:`STRATEGIES`. Where
    the kind of action is not there, the strategy stays what it was.
    """
    total = 0.0
    for a in range(n):
        weight = np.float64(policy[at + a]) if trained else 1.0
        kind = min(a - fold, 1)  # -1 fold, 0 call, 1 raise
        if strategy > 0 and kind == strategy - 2:
            weight *= factor
        out[a] = weight
        total += weight
    return total
