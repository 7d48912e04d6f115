"""An endgame of two players: board, pot, stacks, ranges, bets; and its solution."""

import functools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sixmax.api import checks
from sixmax.api.endgame_spot import PLAYERS, EndgameSpot
from sixmax.api.range import Range
from sixmax.api.strategy import Strategy
from sixmax.base.errors import UserError, one_of
from sixmax.base.progress import compiled_s
from sixmax.betting.config import MAX_CHIPS, GameConfig, Size
from sixmax.betting.rules import begin
from sixmax.betting.sizing import sizes
from sixmax.betting.state import Betting
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.cards.deck import as_cards, format_cards, holds, n_holes
from sixmax.cards.ranges import parse_range
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.methods import METHODS
from sixmax.search.solvers.problem import ends_early
from sixmax.search.solvers.ranges.game import endgame as laid_out
from sixmax.search.solvers.ranges.solver import RangeSolver

RANKS = 13
MOST_NODES = 100_000
BETS = ((0.5, 1, "A"), (1, "A"))
MOST_RAISES = 20
TARGET = 0.003  # of the pot
MOST_ITERATIONS = 20_000  # towards a target
DEEP = 20  # pots left on a river, from which Linear CFR reaches TARGET before DCFR
Report = Callable[[int, float | None], None]  # iterations done, and the exploitability if measured


@dataclass(frozen=True, eq=False)
class Endgame:
    """Two players after a board: all hands of both, all cards to come, any bets.

    board: int8[3 to 5]
    pot: chips in it, half of them from each; stack: chips that each player has left
    ranges: float64[2, 1326], weights by hole; first the player who acts first (OOP)
    """

    board: np.ndarray
    pot: int
    stack: int
    ranges: np.ndarray
    game: GameConfig

    @functools.cached_property
    def tree(self) -> Tree:
        """The betting that is left; the antes are the pot. Raises UserError for too large a one."""
        return build_from(begin(self.game), sizes(self.game), WHOLE, MOST_NODES)

    @property
    def fastest(self) -> str:
        """The method whose average reaches .3 % of the pot first (docs/guide/solve.md)."""
        deep = len(self.board) == 5 and self.stack >= DEEP * self.pot
        return "linear" if deep else "dcfr"

    def __repr__(self) -> str:
        hands = np.count_nonzero(self.ranges, axis=1)
        return (
            f"board {format_cards(self.board)}, pot {self.pot:,}, stack {self.stack:,}; "
            f"{len(self.tree.node)} nodes, ranges of {hands[0]} and {hands[1]} hands"
        )


def endgame(
    board: str | Sequence[str] | np.ndarray,
    pot: int,
    stack: int,
    ranges: Sequence[str | Range | np.ndarray],
    bets: Sequence[Sequence[Size]] = BETS,
    max_raises: int = MOST_RAISES,
) -> Endgame:
    """An endgame to solve: ``endgame("4s8hTc9h2s", 500, 2000, ("AA,KQs:0.5", "22+,A5s-A2s"))``.

    ``board`` has 3, 4 or 5 cards; a flop wants memory and patience. ``stack`` are the chips that
    each player has left. ``ranges`` are of the player who acts first and of the other: words
    (:mod:`sixmax.cards.ranges`), a :class:`Range` of a spot, or weights float[1326] by hole.
    ``bets`` are the sizes by the number of bets before in the round, the last row for all later:
    fractions of the pot, "A" for all-in, "300 chips". Raises UserError for values out of these.
    """
    cards = _board(board)
    pot = checks.whole("pot", pot, 2, MAX_CHIPS // 4)
    stack = checks.whole("stack", stack, 1, MAX_CHIPS // 4)
    if pot % 2:
        raise UserError(f"pot: found {pot}, wanted an even number of chips: half from each player")
    pair = "two, first that of the player to act, as ('AA,KQs', '22+')"
    checks.one("ranges", ranges, (list, tuple, np.ndarray), pair)
    if len(ranges) != 2:
        raise UserError(f"ranges: found {len(ranges)}, wanted {pair}")
    weights = np.stack([_weights(each) for each in ranges]) * ~holds(cards, RANKS)
    for player, row in zip(PLAYERS, weights, strict=True):
        if not row.any():
            raise UserError(f"range of {player}: no hand of weight above 0 on this board")
    rounds = 6 - len(cards)
    rows = "rows of sizes, as [[0.5, 1, 'A'], [1, 'A']]"
    for row in checks.one("bets", bets, (list, tuple), rows):
        checks.one("bets", row, (list, tuple), rows)
    one = {"sizes": [list(row) for row in bets], "max_raises": max_raises, "max_players": 2}
    values = {
        "stacks": [stack + pot // 2] * 2, "blinds": [0, 0],
        "antes": [pot // 2] * 2, "first": [0] * rounds, "rounds": [one] * rounds,
    }  # fmt: skip
    try:
        return Endgame(cards, pot, stack, weights, GameConfig.parse(values, "game"))
    except UserError:
        raise UserError(
            f"bets: found {bets!r} with max_raises {max_raises}, wanted {rows}: fractions of the "
            "pot, 'A' for all-in or '300 chips', and up to 20 raises"
        ) from None


def _board(given: str | Sequence[str] | np.ndarray) -> np.ndarray:
    if isinstance(given, (list, tuple)) and all(isinstance(card, str) for card in given):
        given = " ".join(given)
    if not isinstance(given, np.ndarray):
        checks.text("board", given, "4s8hTc9h2s")
    cards = as_cards(given, RANKS)
    if not 3 <= len(cards) <= 5:
        raise UserError(f"board: found {len(cards)} cards, wanted 3, 4 or 5")
    return cards


def _weights(given: str | Range | np.ndarray) -> np.ndarray:
    if isinstance(given, str):
        return parse_range(given, RANKS)
    words = "words as 'AA,KQs:0.5', a range of a spot, or weights"
    checks.one("range", given, (Range, np.ndarray), words)
    weights = np.asarray(given.weights if isinstance(given, Range) else given, np.float64)
    if weights.shape != (n_holes(RANKS),) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise UserError(
            f"range: found shape {weights.shape}, wanted {n_holes(RANKS)} weights of 0 or more"
        )
    return weights


def solve_endgame(
    given: Endgame,
    method: str | None = None,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Report = lambda done, gain: None,
) -> "EndgameSolution":
    """Solve ``given`` until the first of its limits is met: see :func:`sixmax.api.solve.solve`."""
    name = method or given.fastest
    if name not in METHODS:
        raise UserError(f"method {name!r}: unknown; {one_of(str(name), METHODS)}")
    if iterations is None and seconds is None and target is None:
        target = TARGET
    # A target may lie below the rounding of the solver's 32 bits.
    most = iterations or (MOST_ITERATIONS if seconds is None else math.inf)
    goal = -math.inf if target is None else target * given.pot
    solver = RangeSolver(laid_out(given.tree, given.board, given.ranges), METHODS[name])
    start, check, score = time.monotonic() - compiled_s(), 10, None
    with ends_early:
        while solver.iterations < most:
            step = 10 if seconds is None else 1
            solver.run(int(min(step, most - solver.iterations)))
            spent = time.monotonic() - compiled_s() - start
            gain = score = None
            if target is not None and solver.iterations >= check:
                # A measurement costs as much as two iterations.
                check, score = max(check + 10, math.ceil(1.1 * check)), solver.nash_conv()
                gain = score.total / 2
            report(solver.iterations, gain)
            if (gain is not None and gain <= goal) or (seconds and spent >= seconds):
                break
    spent = time.monotonic() - compiled_s() - start
    return EndgameSolution(given, solver, score or solver.nash_conv(), name, spent, target)


class EndgameSolution:
    """The solution of an endgame: values, exploitability, and the strategy at every decision."""

    def __init__(
        self, game: Endgame, solver: RangeSolver, score: NashConv, method: str, seconds: float,
        target: float | None = None,
    ):  # fmt: skip
        """``score`` is that of the average strategy.

        ``seconds`` were spent, without compiling; ``target`` was asked for, of the pot.
        """
        self.game, self.solver, self.method, self.seconds = game, solver, method, seconds
        self.target = target
        self._value, self._gain = score.values + game.pot / 2, score.total / 2

    @property
    def value(self) -> np.ndarray:
        """Chips that each player takes of the pot and of later bets: float64[2]; OOP, IP."""
        return self._value

    @property
    def exploitability(self) -> float:
        """Chips that a best response of a player gains, the mean of both players."""
        return self._gain

    @property
    def exploitability_of_pot(self) -> float:
        """:attr:`exploitability` as a share of the pot."""
        return self._gain / self.game.pot

    @property
    def met(self) -> bool:
        """Whether the exploitability is no more than the target; true without one."""
        return self.target is None or self.exploitability_of_pot <= self.target

    @property
    def iterations(self) -> int:
        return self.solver.iterations

    def at(self, actions: str = "", board: str = "") -> EndgameSpot:
        """The decision after ``actions``, as in ``"c b250"`` or ``"c c / b500"``.

        Words are f, c (check or call), bN (bet N chips), rN (raise to N chips) and a (all-in), in
        chips of this round; a slash ends a round, and ``board`` has the new cards of later rounds,
        one each. Raises UserError, which names the actions there are.
        """
        return self._root.after(actions, board)

    @functools.cached_property
    def _root(self) -> EndgameSpot:
        game = self.game
        return EndgameSpot(self.solver, Betting(game.game), game.pot // 2, game.ranges)

    @property
    def chart(self) -> Strategy:
        """The strategy of the first decision."""
        return self._root.chart

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the game, its value, the first decision."""
        return {
            "board": format_cards(self.game.board), "pot": self.game.pot, "stack": self.game.stack,
            "method": self.method, "iterations": self.iterations, "seconds": self.seconds,
            "game": self.game.game.model_dump(), "nodes": len(self.game.tree.node),
            "value": self.value.tolist(), "exploitability": self.exploitability,
            "exploitability_of_pot": self.exploitability_of_pot, "met": self.met,
            "player": self.chart.player, "strategy": self.chart.to_dict(),
        }  # fmt: skip

    def __repr__(self) -> str:
        share = 100 * self.value / self.game.pot
        return (
            f"value {self.value[0]:,.2f} ({share[0]:.2f} % of the pot) and {self.value[1]:,.2f} "
            f"({share[1]:.2f} %); exploitability {100 * self.exploitability_of_pot:.3f} % of the "
            f"pot after {self.iterations} iterations of {METHODS[self.method].title}"
            + ("" if self.met else f"; the target of {100 * self.target:g} % was not met")
        )

    def _repr_html_(self) -> str:
        return f"<div>{self!r}</div>{self.chart._repr_html_()}"
