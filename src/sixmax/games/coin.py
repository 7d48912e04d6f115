"""The coin toss of the Libratus paper (supplement, "The challenge of hidden information").

The first player sees the coin, and sells it, for +.5 with heads and −.5 with tails, or plays: then
the second player guesses heads or tails, and the loser pays 1.
"""

import numpy as np

from sixmax.betting.tree import DECISION, FOLDED, pack_head, tree_of_nodes
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.layout import layout, slabs
from sixmax.games.listed import ListedGame

HEADS, TAILS = 0, 1  # the deals, which are the first player's buckets
SOLD = np.array([0.5, -0.5])  # the first player's, by coin
PLAY = 2  # the node at which the second player guesses: the subgame


def coin_toss() -> ListedGame:
    """The game: tree, layout and payoffs."""
    first = pack_head(DECISION, 0, 0, 2, False)
    second = pack_head(DECISION, 1, 0, 2, False)
    node = [[first, 1, 0, 0], [FOLDED, 0, 0, 0], [second, 3, 0, 0], *[[FOLDED, 0, 0, 0]] * 2]
    tree = tree_of_nodes(node, [0, -1, 0, -1, 0], np.array([[2, 2]]))
    infosets = layout(tree, [2])
    payoff = np.zeros((2, len(node), 2))
    payoff[0, 1] = SOLD
    payoff[0, 3], payoff[0, 4] = [-1, 1], [1, -1]
    payoff[1] = -payoff[0]
    bucket = np.array([[[HEADS, TAILS]], [[0, 0]]])  # seats, rounds, deals: the second sees nothing
    field = Field(tree.node, slabs(infosets, bucket), payoff, np.full(2, 0.5))
    sides = ("heads", "tails")
    return ListedGame("Coin toss", tree, infosets, field, (sides,), (("sell", "play"), sides))


def exploitability(guess: np.ndarray) -> float:
    """Winnings of a best response to ``guess`` float64[2]; the value of the game is 0."""
    played = np.array([guess[TAILS] - guess[HEADS], guess[HEADS] - guess[TAILS]])
    return float(np.maximum(SOLD, played).mean())
