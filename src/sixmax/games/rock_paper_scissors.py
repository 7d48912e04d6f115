"""Rock-paper-scissors+ of the Modicum paper (Brown, Sandholm and Amos 2018, section 2).

Rock, paper, scissors; where scissors are played the loser loses 2, otherwise 1. The second player
does not see what the first one chose, so its three nodes share a slot. Actions are called fold,
call and raise, so that the continuation strategies lean to rock, paper and scissors.
"""

import numpy as np

from sixmax.cfr.full.sweep import NashConv
from sixmax.games.game import SEARCH, Game, Known
from sixmax.games.listed import ListedGame, of_payoffs

PAYOFF = np.array([[0, -1, 2], [1, 0, -2], [-2, 2, 0]])  # of the first player: own row
SIZE = {"decisions": 4, "infosets": 2, "deals": 1}
EQUILIBRIUM = np.array([0.4, 0.4, 0.2])


def rps() -> ListedGame:
    """The game: tree, layout and payoffs."""
    return of_payoffs("Rock-paper-scissors+", PAYOFF, ("rock", "paper", "scissors"))


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
