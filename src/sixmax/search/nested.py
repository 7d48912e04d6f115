"""Nested solving by one of two players: a subgame of its own after bets of the opponent.

The first solution of a hand is unsafe. The subgame after a bet begins with the bet's real size and
is solved safely: the opponent's alternative is the value of its decision in the solution before,
with the gifts of its bets since the first. Each bet gets one, or each that the tree of the solution
before lacks: there the solution goes on. Where a solution goes to the end of the hand, a new
round begins with the last of the round before (Libratus, supplement, "Further details of the
nested subgame-solving algorithm", Algorithm 2). Where it ends with the round, and with ``begin``
``beliefs`` everywhere, the next one is solved from its start, unsafely.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.rng import generator
from sixmax.betting.rules import CALL
from sixmax.ongoing.hand import Play
from sixmax.search.constraints import Alternative
from sixmax.search.result import SearchResult, Solution

# Solves the subgame after so many actions of the round, by the strategies before it, with the
# actions that came then in its tree, and with the opponent's alternative.
SolveBet = Callable[["Nested", int, tuple[int, ...], Alternative], Solution]


def size_factor(shift: float, seed: int) -> float:
    """The factor of all sizes of a hand, so that no opponent learns them (Libratus, supplement)."""
    return 1 + shift * (2 * float(generator(seed, "shift").random()) - 1) if shift else 1.0


class Link(NamedTuple):
    """A solution of a round, and how many actions of the round came before its root."""

    begin: int
    solved: Solution


class Nested(SearchResult):
    """The strategy of ``seat`` in a round: a solution, and one after bets of the opponent.

    ``gifts`` float64[holes] are chips that each hand of the opponent gave away so far. With
    ``every`` each bet of the opponent gets a solution, else each that the last one lacks.
    """

    of_one_seat = True

    def __init__(self, seat: int, links: tuple[Link, ...], gifts: np.ndarray, every: bool = True):
        self.seat, self.links, self.gifts, self.every = seat, links, gifts, every

    def covers(self, done: tuple[int, ...]) -> bool:
        solved, since = self._at(done)
        return self._unanswered(done) is None and solved.covers(since)

    def reaches(self, done: tuple[int, ...]) -> bool:
        solved, since = self._at(done)
        return self._unanswered(done) is None and solved.reaches(since)

    def play(self, done: tuple[int, ...]) -> Play:
        solved, since = self._at(done)
        return solved.play(since)

    def answered(self, done: tuple[int, ...], solve: SolveBet, gadget: str) -> "Nested | None":
        """With a solution after each bet of the opponent in ``done`` that wants one and has none.

        None where the solution before does not know the opponent's decision, or the last one not
        the end of ``done``.
        """
        nested: Nested | None = self
        while (bet := nested._unanswered(done)) is not None:
            end = next((i for i in nested._bets(done) if i > bet), len(done))
            nested = nested._answered(done[:bet], done[bet + 1 : end], solve, gadget)
            if nested is None:
                return None
        return nested if nested.covers(done) else None

    def _answered(
        self, done: tuple[int, ...], then: tuple[int, ...], solve: SolveBet, gadget: str
    ) -> "Nested | None":
        """With a solution after the opponent's bet that follows ``done``.

        It has the actions ``then``: one of our own may be a bet that its tree lacks.
        """
        before, since = self._at(done)
        if not before.covers(since):
            return None
        node, begin = before.tree.find(since), len(done) + 1
        opponent = before.tree.seat(node)
        # ASSUME values of a best response. The paper takes means over the iterations.
        try:
            values = before.values_at(node, best=True)[opponent]
        except ValueError:  # of a solver that draws deals
            return None
        outside = Alternative(opponent, _for_all(values) + self.gifts, gadget)
        solved = solve(self, begin, (), outside)
        if not solved.reaches(then):
            solved = solve(self, begin, then, outside)
        gifts = self._given(solved, values, opponent)
        return Nested(self.seat, (*self.links, Link(begin, solved)), gifts, self.every)

    def _given(self, solved: Solution, values: np.ndarray, opponent: int) -> np.ndarray:
        """The gifts after a bet: ``values`` of the decision less those of the bet are added.

        # ASSUME a gift is never negative: a solution that stopped early may say so. Calls and
        checks give none; the paper counts every action.
        """
        try:
            entered = solved.values_at(0, best=True)[opponent]
        except ValueError:
            return self.gifts
        return np.maximum(self.gifts + np.nan_to_num(values - entered, nan=0.0), 0.0)

    def next_round(self, done: tuple[int, ...], card: int) -> "Nested | None":
        """The strategy after ``card``, which follows the actions ``done``; None: not known."""
        last, since = self._at(done)
        try:
            solved = last.after(last.tree.find(since), card)
        except (UserError, ValueError):
            return None
        return Nested(self.seat, (Link(0, solved),), self.gifts, self.every)

    def _unanswered(self, done: tuple[int, ...]) -> int | None:
        """The place of the opponent's first bet in ``done`` that wants a solution, or None."""
        begin, solved = self.links[-1]
        wants = (
            i for i in self._bets(done) if self.every or not solved.reaches(done[begin : i + 1])
        )
        return next(wants, None)

    def _bets(self, done: tuple[int, ...]) -> list[int]:
        """The places in ``done`` of the opponent's bets since the root of the last solution."""
        first = self.links[0].solved.tree.seat(0)
        theirs = range(int(first == self.seat), len(done), 2)
        return [i for i in theirs if i >= self.links[-1].begin and done[i] > CALL]

    def _at(self, done: tuple[int, ...]) -> tuple[Solution, tuple[int, ...]]:
        """The last solution whose root ``done`` reaches, and the actions since its root."""
        begin, solved = next(link for link in reversed(self.links) if link.begin <= len(done))
        return solved, done[begin:]


def _for_all(values: np.ndarray) -> np.ndarray:
    """``values`` without NaN: the least for hands that cannot be held but by rounding."""
    least = np.nanmin(values) if np.isfinite(values).any() else 0.0
    return np.where(np.isfinite(values), values, least)
