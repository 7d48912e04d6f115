"""Algorithm 2 for one seat, which holds a private hand, and a cache that agents share.

A search solves for all hands (:mod:`sixmax.search.public_hand`). The agent looks up the row of
its own hand, draws from it, and freezes it. Agents at one table can share a :class:`SearchCache`,
because the result of a search does not depend on a private hand.
"""

import time

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cards.deck import as_cards, hole_id
from sixmax.ongoing.hand import Play
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import FrozenAction, Position, SearchFunction, SearchResult


def draw(play: Play, hole: int, u: float) -> int:
    """The action of ``hole`` by the uniform number ``u`` in [0, 1): a pure function of the row."""
    row = play.played[hole]
    return play.offered[pick(row, u)]


def pick(row: np.ndarray, u: float) -> int:
    """The index in ``row`` float64[actions], not all zero, that ``u`` in [0, 1) falls on."""
    ends = np.cumsum(row)
    return int(min(np.searchsorted(ends, u * ends[-1], side="right"), len(row) - 1))


class SearchAgent:
    """A seat of ``hand`` that holds two cards. It freezes rows in ``hand``, so no one shares it."""

    def __init__(self, hand: PublicHand, seat: int, cards: str | np.ndarray):
        """``cards`` are text or int8[2].

        Raises UserError for other than two cards, or cards that the deck does not have.
        """
        held = as_cards(cards, hand.run.ranks)
        if len(held) != 2:
            raise UserError(f"hand of {len(held)} cards: wanted 2, like AhKd")
        self.hand, self.seat, self.hole = hand, seat, hole_id(*held)

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


class SearchCache:
    """A search function that solves each position once, until an own action is frozen there.

    Five searching agents then cost little more than one, and so does a deal played from several
    seats. ``searches`` and ``seconds`` count the work.
    """

    def __init__(self, searcher: SearchFunction):
        self._searcher, self._results = searcher, {}
        self._seed: int | None = None
        self.searches, self.seconds = 0, 0.0

    def begin(self, seed: int) -> None:
        """Begin a hand whose players draw from ``seed``: drop the results of other seeds."""
        if seed != self._seed:
            self.forget()
        self._seed = seed

    def forget(self) -> None:
        """Drop all results."""
        self._results.clear()

    def __call__(
        self, position: Position, frozen: tuple[FrozenAction, ...], seed: int
    ) -> SearchResult:
        state = position.state
        key = (state.root.tobytes(), state.board.tobytes(), state.before, state.taken, seed)
        key += (position.beliefs.tobytes(), *((*a[:3], a.row.tobytes()) for a in frozen))
        key += (position.seat,)
        if position.alternative is not None:
            seat, values, *others = position.alternative
            key += (seat, values.tobytes(), *others)
        if key not in self._results:
            begun = time.perf_counter()
            self._results[key] = self._searcher(position, frozen, seed)
            self.seconds += time.perf_counter() - begun
            self.searches += 1
        return self._results[key]
