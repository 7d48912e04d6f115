"""Rock-paper-scissors+ of the Modicum paper (Brown, Sandholm and Amos 2018, section 2).

Rock, paper, scissors; where scissors are played the loser loses 2, otherwise 1. The second player
does not see what the first one chose, so its three nodes share a slot. Actions are called fold,
call and raise, so that the continuation strategies lean to rock, paper and scissors.
"""

import numpy as np

from sixmax.betting.tree import DECISION, FOLDED, Tree, pack_head, tree_of
from sixmax.cfr.full.best_response import NashConv
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.layout import Layout, layout, slabs
from sixmax.games.game import SEARCH, Game, Known

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
    tree = tree_of(
        np.array(node, np.int32), np.array(parent, np.int32), np.array(action, np.int32),
        np.zeros((0, 2), np.int32), columns, np.array([4]),
    )  # fmt: skip
    infosets = layout(tree, [1])
    payoff = np.zeros((2, len(node), 1))
    payoff[0, 4:, 0], payoff[1, 4:, 0] = PAYOFF.ravel(), -PAYOFF.ravel()
    offset = slabs(infosets, np.zeros((2, 1, 1), np.int64))
    return tree, infosets, Field(tree.node, offset, payoff, np.ones(1))


def exploitability(first: np.ndarray) -> float:
    """The gain of the second player by a best response to ``first`` float64[3]."""
    return float((-first @ PAYOFF).max())


def score(first: np.ndarray) -> NashConv:
    """Both play ``first`` float64[3]: the game is the same from either side."""
    lost = exploitability(first)
    return NashConv(2 * lost, np.array([lost, lost]), np.zeros(2))


_KNOWN = Known(
    uniform=2 / 3, ours={"search4": (1000, 0.02)}, beats={"search4": (1000, ("search1",))}
)
GAMES = (Game("rps", "Rock-paper-scissors+", {2: _KNOWN}, methods=SEARCH),)
