"""Solve a game: a listed one by full-width CFR, an endgame by all hands at once."""

import math
import time
from collections.abc import Iterator
from typing import Any, overload

import numpy as np

from sixmax.api import chart, checks
from sixmax.api.endgame import Endgame, EndgameSolution, Report, solve_endgame
from sixmax.base.errors import UserError, one_of
from sixmax.base.progress import compiled_s
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.full.solve import solutions
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import METHODS
from sixmax.games.listed import ListedGame
from sixmax.search.solvers.problem import ends_early

ITERATIONS = 1000  # of a listed game, without another limit
MOST_ITERATIONS = 1_000_000  # towards a target or a time
_GROWTH = 1.2  # of iterations between two measurements


@overload
def solve(
    game: ListedGame, method: str | None = None, iterations: int | None = None,
    target: float | None = None, seconds: float | None = None, report: Report = ...,
) -> "GameSolution": ...  # fmt: skip
@overload
def solve(
    game: Endgame, method: str | None = None, iterations: int | None = None,
    target: float | None = None, seconds: float | None = None, report: Report = ...,
) -> EndgameSolution: ...  # fmt: skip
def solve(
    game: ListedGame | Endgame, method: str | None = None, iterations: int | None = None,
    target: float | None = None, seconds: float | None = None,
    report: Report = lambda done, gain: None,
) -> "GameSolution | EndgameSolution":  # fmt: skip
    """Solve ``game`` until the first of the limits that are given is met.

    ``method`` is of :mod:`sixmax.cfr.methods`: cfr, cfr+, linear, dcfr; default: cfr+ for listed
    games, for endgames the fastest to its target. ``iterations`` of it; ``target``, the
    exploitability that is enough, of the pot in an endgame (0.003), in chips in a listed game;
    ``seconds``, without those that compile kernels. Without a limit an endgame is solved to .003 of
    the pot, a listed game for 1,000 iterations. A target alone is given up after 20,000 iterations
    of an endgame, a million of a listed game: ``met`` of the solution tells. The same limits give
    the same bits, but for ``seconds``. Parallel kernels use all cores. ``report`` is called with
    the iterations done and the exploitability, where it was measured. Raises UserError for a method
    or a limit that there is not.
    """
    if iterations is not None:
        iterations = checks.whole("iterations", iterations)
    for name, limit in (("target", target), ("seconds", seconds)):
        if limit is not None:
            checks.above_zero(name, limit)
    if isinstance(game, Endgame):
        return solve_endgame(game, method, iterations, target, seconds, report)
    if not isinstance(game, ListedGame):
        raise UserError(f"solve: found {type(game).__name__}, wanted a game or an endgame")
    return _solve_listed(game, method or "cfr+", iterations, target, seconds, report)


def _solve_listed(
    game: ListedGame, method: str, iterations: int | None, target: float | None,
    seconds: float | None, report: Report,
) -> "GameSolution":  # fmt: skip
    if method not in METHODS:
        raise UserError(f"method {method!r}: unknown; {one_of(str(method), METHODS)}")
    if iterations is None:
        iterations = ITERATIONS if target is None and seconds is None else MOST_ITERATIONS
    measured = target is not None or seconds is not None
    stops = list(_stops(iterations)) if measured else [iterations]
    begun = time.monotonic() - compiled_s()
    goal = -math.inf if target is None else target
    steps = solutions(game.field, game.tree, game.layout, METHODS[method], stops)
    with ends_early:
        for done, found in zip(stops, steps, strict=False):
            solution = GameSolution(game, found.average, done, method, target)
            report(done, solution.exploitability)
            spent = time.monotonic() - compiled_s() - begun
            if solution.exploitability <= goal or (seconds is not None and spent >= seconds):
                break
    return solution


def _stops(last: int) -> Iterator[int]:
    """Iterations after which the strategy is measured, further and further apart."""
    t = 1
    while t < last:
        yield t
        t = max(t + 1, int(_GROWTH * t))
    yield last


class GameSolution:
    """A strategy of a listed game, and its exact distance from an equilibrium.

    average: float64[layout.size], the average strategy, as :mod:`sixmax.cfr.layout` lays it out
    """

    def __init__(
        self, game: ListedGame, strategy: np.ndarray, iterations: int, method: str,
        target: float | None = None,
    ):  # fmt: skip
        self.game, self.average, self.iterations, self.method = game, strategy, iterations, method
        self.target = target
        self._score: NashConv = game.score(strategy)

    @property
    def value(self) -> np.ndarray:
        """Expected net chips of each player: float64[players]."""
        return self._score.values

    @property
    def gains(self) -> np.ndarray:
        """Chips that each player's best response gains: float64[players]."""
        return self._score.gains

    @property
    def nash_conv(self) -> float:
        """The sum of :attr:`gains` (Lanctot et al. 2017)."""
        return self._score.total

    @property
    def exploitability(self) -> float:
        """NashConv by player: 0 in an equilibrium; of two players, half of NashConv."""
        return self._score.total / self.game.players

    @property
    def met(self) -> bool:
        """Whether the exploitability is no more than the target; true without one."""
        return self.target is None or self.exploitability <= self.target

    def at(self, actions: str = "") -> "ListedSpot":
        """The decision after ``actions``, named as :meth:`ListedGame.actions` does, with spaces.

        Raises UserError for an action that is not there, and where the game is over.
        """
        node = self.game.find(checks.text("actions", actions, "c r2").split())
        if not self.game.actions(node):
            raise UserError(f"after {actions!r} the game is over: nobody is to act")
        return ListedSpot(self, node)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: its scores, and the strategy of every infoset by betting."""
        tree = self.game.tree
        decisions = tree.decision_nodes()
        return {
            "game": self.game.title, "method": self.method, "iterations": self.iterations,
            "value": self.value.tolist(), "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "strategy": {self._way(int(x)): ListedSpot(self, int(x)).to_dict() for x in decisions},
        }  # fmt: skip

    def _way(self, node: int) -> str:
        words, tree = [], self.game.tree
        while (parent := int(tree.parent[node])) >= 0:
            words.append(self.game.actions(parent)[node - int(tree.node[parent, 1])])
            node = parent
        return " ".join(reversed(words))

    def __repr__(self) -> str:
        return (
            f"{self.game.title}: exploitability {self.exploitability:.3g} after {self.iterations} "
            f"iterations of {METHODS[self.method].title}; values "
            f"{', '.join(f'{v:+.4f}' for v in self.value)}"
        )


class ListedSpot:
    """A decision of a listed game: a row of probabilities for each infoset there."""

    def __init__(self, solved: GameSolution, node: int):
        self._solved, self.node = solved, node
        head = int(solved.game.tree.node[node, 0])
        self.player, self.round = seat_of(head) + 1, round_of(head)
        self._n = n_actions(head)

    @property
    def actions(self) -> tuple[str, ...]:
        return self._solved.game.actions(self.node)

    @property
    def rows(self) -> np.ndarray:
        """The probabilities by infoset, in the order of ``known``: float64[infosets, actions]."""
        game = self._solved.game
        bucket = np.arange(game.layout.buckets[self.round])
        slot = int(game.tree.node[self.node, 2])
        at = infoset(game.layout, self.round, self.player - 1, bucket, slot)
        return self._solved.average[at[:, None] + np.arange(self._n)]

    @property
    def known(self) -> tuple[str, ...]:
        """The names of the infosets: the cards that the player knows."""
        return self._solved.game.known[self.round]

    def strategy(self, known: str = "") -> dict[str, float]:
        """The probability of each action with the cards ``known``. Raises UserError."""
        if known not in self.known:
            raise UserError(f"cards {known!r}: unknown; {one_of(known, self.known)}")
        return dict(zip(self.actions, self.rows[self.known.index(known)].tolist(), strict=True))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The probabilities by infoset and action."""
        return {known: self.strategy(known) for known in self.known}

    def __repr__(self) -> str:
        rows = (
            f"{known or 'plays'}: {chart.shares(self.actions, row)}"
            for known, row in zip(self.known, self.rows, strict=True)
        )
        return f"player {self.player} to act\n" + "\n".join(rows)
