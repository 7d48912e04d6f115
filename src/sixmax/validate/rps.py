"""Rock-paper-scissors+ of the Modicum paper (Brown, Sandholm and Amos 2018, section 2).

Rock, paper, scissors; whoever loses where scissors are played loses 2, otherwise 1. The second
player does not see what the first one chose, so its three nodes share a slot. Actions are called
fold, call and raise, so that the continuation strategies lean to rock, paper and scissors.

Here a search one action deep is judged, whose blueprint is the equilibrium itself: with one value
at a leaf it learns nothing, with four it finds the equilibrium.
"""

import numpy as np

from sixmax.cfr.full.best_response import NashConv
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.layout import Layout, layout, slabs
from sixmax.cfr.methods import CFR_PLUS
from sixmax.game.tree import DECISION, FOLDED, Tree, pack_head
from sixmax.search.solvers.exact_small import ExactSearch, Plan, Search

PAYOFF = np.array([[0, -1, 2], [1, 0, -2], [-2, 2, 0]])  # of the first player: own row
SIZE = {"decisions": 4, "infosets": 2, "deals": 1}
EQUILIBRIUM = np.array([0.4, 0.4, 0.2])


def rps() -> tuple[Tree, Layout, Field]:
    """Tree, layout and payoffs."""
    node, parent, action = [[pack_head(DECISION, 0, 0, 3, False), 1, 0, 0]], [-1], [0]
    for first in range(3):
        node.append([pack_head(DECISION, 1, 0, 3, False), 4 + 3 * first, 0, 0])
        parent.append(0)
        action.append(first - 1)
    for first in range(3):
        node += [[FOLDED, 0, 0, 0]] * 3
        parent += [1 + first] * 3
        action += [-1, 0, 1]
    columns = np.array([[3, 3]])
    tree = Tree(
        np.array(node, np.int32), np.array(parent, np.int32), np.array(action, np.int32),
        np.zeros((0, 2), np.int32), columns, np.array([4]),
    )  # fmt: skip
    where = layout(tree, [1])
    payoff = np.zeros((2, len(node), 1))
    payoff[0, 4:, 0], payoff[1, 4:, 0] = PAYOFF.ravel(), -PAYOFF.ravel()
    offset = slabs(where, np.zeros((2, 1, 1), np.int64))
    return tree, where, Field(tree.node, offset, payoff, np.ones(1))


def searched(choices: int, iterations: int) -> ExactSearch:
    """The search at the start, one action deep, by CFR+; ``choices`` continuations at a leaf."""
    tree, where, game = rps()
    plan = Plan(iterations, choices=choices, actions=1, method=CFR_PLUS)
    return Search(tree, where, game, np.tile(EQUILIBRIUM, 2), plan).search(0, np.ones(1))


def exploitability(first: np.ndarray) -> float:
    """What the second player wins by a best response to ``first`` float64[3]; the value of the
    game is 0."""
    return float((-first @ PAYOFF).max())


def score(first: np.ndarray) -> NashConv:
    """Both play ``first`` float64[3]: the game is the same from either side."""
    lost = exploitability(first)
    return NashConv(2 * lost, np.array([lost, lost]), np.zeros(2))
