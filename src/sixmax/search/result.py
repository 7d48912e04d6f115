"""A position that a search begins from, its result, and a cache of results."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.tree import CHOICE, Tree, is_decision, round_of
from sixmax.cfr.layout import Layout, strategy_at
from sixmax.ongoing.hand import Play
from sixmax.search.constraints import Alternative
from sixmax.search.subgame import PublicState


class FrozenAction(NamedTuple):
    """An own decision that later searches of the round keep."""

    before: tuple[int, ...]  # actions of the round
    offered: tuple[int, ...]
    hole: int
    row: np.ndarray  # float64[offered] that ``hole`` played


class Position(NamedTuple):
    """A public state to search."""

    state: PublicState
    beliefs: np.ndarray  # float64[seats, holes] at its root; rows sum to 1, of folded seats too
    alternative: Alternative | None = None  # the opponent's, for a safe search
    factor: float = 1.0  # of all sizes of bets
    seat: int | None = None  # the player who searches; None where the search is the same for all


class SearchResult:
    """The strategies of a round; ``done`` are the actions of the round so far."""

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


SearchFunction = Callable[[Position, tuple[FrozenAction, ...], int], SearchResult]


def no_search(*position: object) -> SearchResult:
    """The search of a player who never searches. Raises AssertionError."""
    raise AssertionError("this player never searches")


@dataclass(frozen=True, eq=False)
class Solution(SearchResult):
    """A solved subgame, and its strategy: float64[layout.size], as cfr.policy.shares gives it.

    ``average`` is the mean over the iterations, by the weights of the method. ``layout`` covers
    round 0 of ``tree`` at least; its buckets there are the holes.
    """

    tree: Tree
    layout: Layout
    average: np.ndarray
    iterations: int
    evaluate: Callable[[int, bool], np.ndarray] | None = None  # computes ``values_at``
    next_round: Callable[[int, int], "Solution"] | None = None  # computes ``after``

    def reaches(self, done: tuple[int, ...]) -> bool:
        try:
            self.tree.find(done)
        except UserError:
            return False
        return True

    def covers(self, done: tuple[int, ...]) -> bool:
        if not self.reaches(done):
            return False
        head, first = (int(k) for k in self.tree.node[self.tree.find(done), :2])
        decides = is_decision(head) and not round_of(head)
        return decides and int(self.tree.action[first]) > CHOICE

    def play(self, done: tuple[int, ...]) -> Play:
        node = self.tree.find(done)
        rows = strategy_at(self.tree, self.layout, self.average, node)
        return Play(self.tree.offered(node), rows)

    def values_at(self, node: int, best: bool = False) -> np.ndarray:
        """Net chips of each seat with each hand at a decision of round 0: float64[seats, holes].

        All play ``average`` from there on; with ``best`` the seat responds best to it. Chips are
        net of the whole hand; the others hold hands by their beliefs and the way to ``node``. NaN
        for hands that the board blocks or that cannot come there, for seats that folded before the
        root, and for our own seat after safe solving. A solver without them raises ValueError.
        """
        if self.evaluate is None:
            raise ValueError("this solver has no values of hands")
        return self.evaluate(node, best)

    def after(self, node: int, card: int) -> "Solution":
        """The same strategies from ``node`` on, where ``card`` is dealt and round 1 begins.

        That round is 0 of its tree. Raises ValueError where the solver keeps no later rounds.
        """
        if self.next_round is None:
            raise ValueError("this solver keeps no strategies of later rounds")
        return self.next_round(node, card)


def draw(play: Play, hole: int, u: float) -> int:
    """The action of ``hole`` by the uniform number ``u`` in [0, 1)."""
    return play.offered[pick(play.rows[hole], u)]


def pick(row: np.ndarray, u: float) -> int:
    """The index in ``row`` float64[actions], not all zero, that ``u`` in [0, 1) falls on."""
    ends = np.cumsum(row)
    return int(min(np.searchsorted(ends, u * ends[-1], side="right"), len(row) - 1))


class SearchCache:
    """A search function that solves each position once, until an own action is frozen there.

    No result depends on a private hand, so agents at one table share it: five cost little more than
    one, and so does a deal played from several seats. ``searches`` and ``seconds`` count the work.
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
