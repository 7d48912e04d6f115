"""Algorithm 2 for one seat: the private hand comes in here, and here only.

What is drawn from is found for all hands alike (:mod:`sixmax.search.hand`); the agent looks up its
own row, draws, and freezes it.
"""

import numpy as np

from sixmax.cards.deck import as_cards, hole_id
from sixmax.errors import UserError
from sixmax.search.hand import Hand, Play


def draw(play: Play, hole: int, u: float) -> int:
    """The action of ``hole`` by the uniform number ``u`` in [0, 1): a pure function of the row."""
    row = play.played[hole]
    return play.offered[pick(row, u)]


def pick(row: np.ndarray, u: float) -> int:
    """The index in ``row`` float64[actions], not all zero, that ``u`` in [0, 1) falls on."""
    ends = np.cumsum(row)
    return int(min(np.searchsorted(ends, u * ends[-1], side="right"), len(row) - 1))


class Agent:
    """A seat of ``hand`` that holds two cards. ``hand`` is its own: it freezes what it does."""

    def __init__(self, hand: Hand, seat: int, cards: str | np.ndarray):
        found = as_cards(cards, hand.run.ranks)
        if len(found) != 2:
            raise UserError(f"hand of {len(found)} cards: wanted 2, like AhKd")
        self.hand, self.seat, self.hole = hand, seat, hole_id(*found)

    def decide(self, u: float) -> int:
        """OURTURN: the action, FOLD, CALL or a raise-to, drawn by ``u`` in [0, 1), and frozen.

        Raises UserError where another seat is to act, or a card held lies on the board.
        """
        betting = self.hand.betting
        if betting.actor != self.seat:
            raise UserError(
                f"seat {self.seat + 1} is asked, but seat {betting.actor + 1} is to act"
            )
        play = self.hand.play()
        if play.played[self.hole].sum() <= 0:
            raise UserError("the hand held shares a card with the board; wanted cards unseen")
        self.hand.freeze(self.hole, play)
        return draw(play, self.hole, u)
