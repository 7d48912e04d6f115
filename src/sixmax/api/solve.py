"""Solve a game: a listed one by full-width CFR, an endgame by all hands at once."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, overload

import numpy as np

from sixmax.api import chart, checks
from sixmax.api.endgame import Endgame
from sixmax.api.endgame_solution import EndgameSolution
from sixmax.base.errors import UserError, one_of
from sixmax.base.progress import compiled_s
from sixmax.cfr.full.solve import solutions
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CARRIED, METHODS
from sixmax.games.listed import ListedGame
from sixmax.search.solvers.problem import ends_early
from sixmax.search.solvers.ranges.game import endgame as laid_out
from sixmax.search.solvers.ranges.half_rows import halved
from sixmax.search.solvers.ranges.solver import RangeSolver

ITERATIONS = 1000  # of a listed game, without another limit
MOST_LISTED = 1_000_000  # iterations of a listed game towards a target or a time
TARGET = 0.003  # of the pot
MOST_ENDGAME = 20_000  # iterations of an endgame towards a target
PLANNED = 300  # iterations that a schedule expects of an endgame, without their number
Report = Callable[[int, float | None], None]  # iterations done, and the exploitability if measured
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

    ``method`` is a row of :mod:`sixmax.cfr.methods`; default: cfr+ for listed games, for endgames
    the fastest to its target. ``iterations`` of it, over which schedules (hs-…) are planned, else
    over 300 of an endgame, 1,000 of a listed game; ``target``, the exploitability that is enough,
    of the pot in an endgame (0.003), in chips in a listed game; ``seconds``, without those that
    compile kernels. Without a limit an endgame is solved to .003 of the pot, a listed game for
    1,000 iterations. A target alone is given up after 20,000 iterations of an endgame, a million of
    a listed game: ``met`` of the solution tells. The same limits give the same bits, but for
    ``seconds``. Parallel kernels use all cores. ``report`` is called with the iterations done and
    the exploitability, where it was measured. Raises UserError.
    """
    if iterations is not None:
        iterations = checks.whole("iterations", iterations)
    for name, limit in (("target", target), ("seconds", seconds)):
        if limit is not None:
            checks.above_zero(name, limit)
    if isinstance(game, Endgame):
        name, methods, run = method or game.fastest, CARRIED, _solve_endgame
    elif isinstance(game, ListedGame):
        name, methods, run = method or "cfr+", METHODS, _solve_listed
    else:
        raise UserError(f"solve: found {type(game).__name__}, wanted a game or an endgame")
    if name not in methods:
        raise UserError(f"method {name!r}: unknown; {one_of(str(name), methods)}")
    return run(game, name, SolveLimits(iterations, target, seconds), report)


class SolveLimits(NamedTuple):
    """The limits of :func:`solve`, of which the first that is met ends it."""

    iterations: int | None
    target: float | None
    seconds: float | None


def _solve_listed(
    game: ListedGame, method: str, limits: SolveLimits, report: Report
) -> "GameSolution":
    iterations, target, seconds = limits
    measured = target is not None or seconds is not None
    last = iterations or (MOST_LISTED if measured else ITERATIONS)
    stops = list(_stops(last)) if measured else [last]
    goal, start = -math.inf if target is None else target, _clock()
    rule = METHODS[method].over(iterations or ITERATIONS)
    steps = solutions(game.field, game.tree, game.layout, rule, stops)
    with ends_early:
        for done, step in zip(stops, steps, strict=False):
            solution = GameSolution(game, step.average, done, method, target)
            report(done, solution.exploitability)
            late = seconds is not None and _clock() - start >= seconds
            if solution.exploitability <= goal or late:
                break
    return solution


def _stops(last: int) -> Iterator[int]:
    """Iterations after which the strategy is measured, further and further apart."""
    t = 1
    while t < last:
        yield t
        t = max(t + 1, int(_GROWTH * t))
    yield last


def _solve_endgame(
    game: Endgame, method: str, limits: SolveLimits, report: Report
) -> EndgameSolution:
    iterations, target, seconds = limits
    if limits == (None, None, None):
        target = TARGET
    # A target may lie below the rounding of the solver's 32 bits.
    most = iterations or (MOST_ENDGAME if seconds is None else math.inf)
    goal = -math.inf if target is None else target * game.pot
    rule = METHODS[method].over(iterations or PLANNED)
    lay = laid_out(game.tree, game.board, game.ranges)
    solver = RangeSolver(halved(lay) if game.bits == 16 else lay, rule)
    start, check, score = _clock(), 10, None
    with ends_early:
        while solver.iterations < most:
            step = 10 if seconds is None else 1
            solver.run(int(min(step, most - solver.iterations)))
            spent = _clock() - start
            gain = score = None
            if target is not None and solver.iterations >= check:
                # A measurement costs as much as two iterations.
                check, score = max(check + 10, math.ceil(1.1 * check)), solver.nash_conv()
                gain = score.total / 2
            report(solver.iterations, gain)
            if (gain is not None and gain <= goal) or (seconds and spent >= seconds):
                break
    spent = _clock() - start
    return EndgameSolution(game, solver, score or solver.nash_conv(), method, spent, target)


def _clock() -> float:
    """Seconds, without those that compile kernels."""
    return time.monotonic() - compiled_s()


class GameSolution:
    """A strategy of a listed game, and its exact distance from an equilibrium.

    average: float64[layout.size], the average strategy, as :mod:`sixmax.cfr.layout` lays it out
    value: float64[players], expected net chips
    gains: float64[players], chips that a best response gains
    nash_conv: the sum of ``gains`` (Lanctot et al. 2017)
    exploitability: NashConv by player: 0 in an equilibrium; of two players, half of NashConv
    met: whether the exploitability is no more than the target; true without one
    """

    def __init__(
        self, game: ListedGame, strategy: np.ndarray, iterations: int, method: str,
        target: float | None = None,
    ):  # fmt: skip
        score = game.score(strategy)
        self.game, self.average, self.iterations, self.method = game, strategy, iterations, method
        self.value, self.gains, self.nash_conv = score.values, score.gains, score.total
        self.exploitability = score.total / game.players
        self.target, self.met = target, target is None or self.exploitability <= target

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
        decisions = self.game.tree.decision_nodes()
        return {
            "game": self.game.title, "method": self.method, "iterations": self.iterations,
            "value": self.value.tolist(), "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "strategy": {self._way(int(x)): ListedSpot(self, int(x)).to_dict() for x in decisions},
        }  # fmt: skip

    def _way(self, node: int) -> str:
        game, tree = self.game, self.game.tree
        return " ".join(game.actions(x)[y - int(tree.node[x, 1])] for x, y in tree.steps(node))

    def __repr__(self) -> str:
        return (
            f"{self.game.title}: exploitability {self.exploitability:.3g} after {self.iterations} "
            f"iterations of {METHODS[self.method].title}; values "
            f"{', '.join(f'{v:+.4f}' for v in self.value)}"
        )


class ListedSpot:
    """A decision of a listed game: a row of probabilities for each infoset there.

    ``known`` are the names of the infosets: the cards that the player knows.
    """

    def __init__(self, solved: GameSolution, node: int):
        game = solved.game
        self._solved, self.node = solved, node
        self.player, self.round = game.tree.seat(node) + 1, game.tree.round(node)
        self.actions, self.known = game.actions(node), game.known[self.round]

    @property
    def rows(self) -> np.ndarray:
        """The probabilities by infoset, in the order of ``known``: float64[infosets, actions]."""
        game = self._solved.game
        bucket = np.arange(game.layout.buckets[self.round])
        slot = int(game.tree.node[self.node, 2])
        at = infoset(game.layout, self.round, self.player - 1, bucket, slot)
        return self._solved.average[at[:, None] + np.arange(len(self.actions))]

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
