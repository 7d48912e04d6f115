"""The position that a search begins from, its result, and the round that it is of."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.tree import CHOICE, Tree, is_decision, round_of
from sixmax.ongoing.hand import Play
from sixmax.search.solvers.problem import Alternative, Solution, strategy_at
from sixmax.search.subgame import PublicState


class OutOfTimeError(Exception):
    """A search had no time, or so little that its result is not worth playing."""


class FrozenAction(NamedTuple):
    """An own decision of the current round that later searches keep.

    After the actions ``before`` of the round, ``hole`` played ``row`` float64[actions] over the
    actions ``offered``.
    """

    before: tuple[int, ...]
    offered: tuple[int, ...]
    hole: int
    row: np.ndarray


class Position(NamedTuple):
    """A public state to search, with ``beliefs`` float64[seats, holes] at its root.

    Each row sums to 1, also for seats that have folded. With the opponent's ``alternative`` the
    search is safe. ``factor`` multiplies all sizes of bets. ``seat`` is the player who searches;
    None where the search is the same for all.
    """

    state: PublicState
    beliefs: np.ndarray
    alternative: Alternative | None = None
    factor: float = 1.0
    seat: int | None = None


class SearchResult:
    """A solved subgame. Arguments ``done`` are the actions of the round so far."""

    of_one_seat = False  # whether another seat would search for itself

    def covers(self, done: tuple[int, ...]) -> bool:
        """Whether a decision after ``done`` is in the subgame."""
        raise NotImplementedError

    def reaches(self, done: tuple[int, ...]) -> bool:
        """Whether ``done`` leads to a node of the subgame, which may be one of its leaves."""
        return self.covers(done)

    def play(self, done: tuple[int, ...]) -> Play:
        """The strategy of every hand after ``done``."""
        raise NotImplementedError


class SolvedSubgame(SearchResult):
    """A solution on its ``tree``.

    Agents play the last iterate, or with ``average`` the average strategy. Beliefs use the average
    strategy.
    """

    def __init__(self, tree: Tree, solution: Solution, average: bool = False):
        self.tree, self.solution, self.average = tree, solution, average

    def reaches(self, done: tuple[int, ...]) -> bool:
        try:
            self.tree.find(done)
        except UserError:
            return False
        return True

    def covers(self, done: tuple[int, ...]) -> bool:
        if not self.reaches(done):
            return False
        node = self.tree.find(done)
        head, first = (int(k) for k in self.tree.node[node, :2])
        if not is_decision(head) or round_of(head):
            return False
        return int(self.tree.action[first]) > CHOICE

    def play(self, done: tuple[int, ...]) -> Play:
        node, solution = self.tree.find(done), self.solution
        tables = solution.average if self.average else solution.last, solution.average
        rows = (strategy_at(self.tree, solution.layout, table, node) for table in tables)
        return Play(self.tree.offered(node), *rows)


SearchFunction = Callable[[Position, tuple[FrozenAction, ...], int], SearchResult]


@dataclass
class PlayedRound:
    """A betting round: its root, and the decisions since, each with the blueprint's reading.

    translations: the blueprint's node and the number of its action; None where it has none
    """

    root: np.ndarray
    board: np.ndarray
    searching: bool
    actors: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    translations: list[tuple[int, int] | None] = field(default_factory=list)
    frozen: list[FrozenAction] = field(default_factory=list)
    result: SearchResult | None = None
    beliefs: np.ndarray | None = None

    def copy(self, same_seat: bool, choosers: str) -> "PlayedRound":
        kept = {n: list(getattr(self, n)) for n in ("actors", "done", "translations", "frozen")}
        shared = choosers == "all" and not (self.result and self.result.of_one_seat)
        kept["result"] = self.result if same_seat or shared else None
        kept["beliefs"] = self.beliefs if same_seat else None
        return replace(self, **kept)
