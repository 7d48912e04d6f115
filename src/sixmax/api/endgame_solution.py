"""A solved endgame: its value, its exploitability, and the strategy at every decision."""

import functools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sixmax.api import checks
from sixmax.api.decision import EV, DecisionPoint
from sixmax.api.endgame import PLAYERS, RANKS, Endgame
from sixmax.api.strategy import Strategy
from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, FOLD, HIGH
from sixmax.betting.state import Betting
from sixmax.cards.deck import as_cards, format_cards, holds
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.layout import strategy_at
from sixmax.cfr.methods import METHODS
from sixmax.search.solvers.ranges.game import endgame as laid_out
from sixmax.search.solvers.ranges.game import reach_to
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import action_values
from sixmax.store import read, write

KIND = "endgame"  # of the store
_RARE = 0.01  # of both ranges: below it a strategy is hardly trained
_WORDS = re.compile(r"/|[fcxka](?![a-z])|[br]\s*\d+", re.I)


class EndgameSolution:
    """The solution of an endgame, and the strategy at every decision.

    value: float64[2], chips that OOP and IP take of the pot and of later bets
    exploitability: chips that a best response gains, the mean of both players
    exploitability_of_pot: the same as a share of the pot
    met: whether that is no more than the target; true without one
    seconds: spent, without compiling
    """

    def __init__(
        self, game: Endgame, solver: RangeSolver, score: NashConv, method: str, seconds: float,
        target: float | None = None,
    ):  # fmt: skip
        """``score`` is that of the average strategy, ``target`` a share of the pot."""
        self.game, self.solver, self.method, self.seconds = game, solver, method, seconds
        self.target, self.iterations, self._score = target, solver.iterations, score
        self.value, self.exploitability = score.values + game.pot / 2, score.total / 2
        self.exploitability_of_pot = self.exploitability / game.pot
        self.met = target is None or self.exploitability_of_pot <= target

    def at(self, actions: str = "", board: str = "") -> "EndgameSpot":
        """The decision after ``actions``, as in ``"c b250"`` or ``"c c / b500"``.

        Words are f, c (check or call), bN (bet N chips), rN (raise to N chips) and a (all-in), in
        chips of this round; a slash ends a round, and ``board`` has the new cards of later rounds,
        one each. Raises UserError, which names the actions there are.
        """
        return self.root.after(actions, board)

    @functools.cached_property
    def root(self) -> "EndgameSpot":
        """The first decision."""
        game, betting = self.game, Betting(self.game.game)
        betting.names = PLAYERS
        return EndgameSpot(self.solver, betting, game.pot // 2, game.ranges)

    def save(self, path: str | Path) -> None:
        """Write the solution as a store, which :meth:`load` opens and ``sixmax serve`` shows.

        It has the sums of strategies, so every decision on every board. Raises UserError where the
        disk is full or something else is at ``path``.
        """
        game, gains = self.game, self._score.gains.tolist()
        write(
            path, KIND, {"board": game.board, "ranges": game.ranges, "total": self.solver.total},
            pot=game.pot, stack=game.stack, game=game.game.model_dump(mode="json"),
            suits=[list(some) for some in self.solver.game.suits], method=self.method,
            iterations=self.iterations, target=self.target, seconds=self.seconds,
            values=self._score.values.tolist(), gains=gains, nash_conv=self._score.total,
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | Path) -> "EndgameSolution":
        """The solution that :meth:`save` wrote: the same strategies and values, to the bit.

        It lacks the regrets: to solve it on raises UserError. So do another kind of store and a
        damaged one.
        """
        store = read(path, KIND)
        try:
            kept, total = store.attributes, store["total"]
            rules, bits = GameConfig.parse(kept["game"], "game"), 8 * total.itemsize
            game = Endgame(store["board"], kept["pot"], kept["stack"], store["ranges"], rules, bits)
            suits = [tuple(some) for some in kept["suits"]]
            lay = laid_out(game.tree, game.board, game.ranges, suits=suits)
            iterations, method = kept["iterations"], METHODS[kept["method"]]
            solver = RangeSolver.of_average(lay, method.over(iterations), total, iterations)
            score = NashConv(kept["nash_conv"], np.array(kept["gains"]), np.array(kept["values"]))
            return cls(game, solver, score, kept["method"], kept["seconds"], kept["target"])
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(
                f"{path}: made by another version of sixmax ({error}); solve it anew"
            ) from error

    @property
    def chart(self) -> Strategy:
        """The strategy of the first decision."""
        return self.root.chart

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the game, its value, the first decision."""
        return {
            "board": format_cards(self.game.board), "pot": self.game.pot, "stack": self.game.stack,
            "method": self.method, "iterations": self.iterations, "seconds": self.seconds,
            "game": self.game.game.model_dump(), "nodes": len(self.game.tree.node),
            "value": self.value.tolist(), "exploitability": self.exploitability,
            "exploitability_of_pot": self.exploitability_of_pot, "met": self.met,
            "player": self.root.player, "strategy": self.chart.to_dict(),
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


class EndgameSpot(DecisionPoint):
    """A decision of a solved endgame; weights are those of the given ranges.

    ``solver`` holds the round at work, ``node`` is in its tree.
    """

    def __init__(
        self, solver: RangeSolver, betting: Betting, base: int, ranges: np.ndarray, node: int = 0,
        whole: np.ndarray | None = None,
    ):  # fmt: skip
        """``base``: chips that each player had put in before this round.

        ``ranges`` float64[2, holes] are the weights at the start of the round, ``whole`` float64[2]
        their sums at the start of the endgame.
        """
        super().__init__(betting, solver.game.board, RANKS, PLAYERS)
        self.solver, self.base, self.node, self._ranges = solver, base, node, ranges
        self._whole = ranges.sum(axis=1) if whole is None else whole

    @functools.cached_property
    def offered(self) -> list[int]:
        """The actions of the tree: FOLD, CALL, and raises-to in chips of the whole hand."""
        return self.solver.game.tree.offered(self.node)

    @functools.cached_property
    def chart(self) -> Strategy:
        """The average strategy here."""
        own, game = self.range(PLAYERS[self.betting.actor]), self.solver.game
        rows = strategy_at(game.tree, game.layout, self._average, self.node)
        words = tuple(map(self._word, self.offered))
        return Strategy(own, self.offered, rows * own.free[:, None], words=words)

    @property
    def reached(self) -> float:
        """The share of both ranges that plays this way, cards apart: 1 at the start.

        Where it is tiny the strategy is hardly trained, and its EV tells little.
        """
        shares = [self._weights(seat).sum() / max(self._whole[seat], 1e-300) for seat in (0, 1)]
        return float(np.prod(shares))

    def ev(self) -> EV:
        """The exact EV of each action with every hand, both playing the solution afterwards.

        Hands count in means by their weight and by how likely they are dealt beside the opponent's.
        """
        net, chance = action_values(self.solver, self.node)
        mean = net + self.betting.contributed[self.betting.actor]
        here = self.chart
        dealt = replace(here.range, weights=here.weight * chance)
        return EV(replace(here, range=dealt), mean)

    @functools.cached_property
    def _average(self) -> np.ndarray:
        return self.solver.strategy()

    def _weights(self, seat: int) -> np.ndarray:
        """The range of ``seat`` times its play."""
        game, reach = self.solver.game, np.zeros(self._ranges.shape[1])
        hole = game.hands[seat].first
        reach[hole] = self._ranges[seat, hole] * reach_to(game, self._average, seat, self.node)
        return reach

    def _word(self, action: int) -> str:
        if action in (FOLD, CALL):
            return "f" if action == FOLD else "c"
        first = int(self.betting.hand[HIGH]) == self.base
        return f"{'b' if first else 'r'}{action - self.base}"

    def _action(self, word: str) -> int:
        """The one of ``offered`` that ``word`` names. Raises UserError."""
        letter, raises = word[0].lower(), [a for a in self.offered if a > CALL]
        if letter in "cxk":
            return CALL
        if letter == "f" and FOLD in self.offered:
            return FOLD
        if letter == "a" and raises and raises[-1] == (self.betting.raise_range or (0, 0))[1]:
            return raises[-1]
        if letter in "br" and (action := int(word[1:]) + self.base) in raises:
            return action
        raise UserError(
            f"action {word!r}: {self.player} is to act, wanted one of {', '.join(self.actions)}"
        )

    def after(self, actions: str, board: str = "") -> "EndgameSpot":
        """The decision after more ``actions``; ``board`` has the cards of rounds that they begin.

        As :meth:`EndgameSolution.at`, from here on. Raises UserError as that.
        """
        checks.text("actions", actions, "c b250")
        words = [re.sub(r"\s", "", word) for word in _WORDS.findall(actions)]
        if "".join(words).lower() != re.sub(r"[\s,;]", "", actions).lower():
            raise UserError(f"actions {actions!r}: wanted f, c, bN, rN and a, as in 'c b250 r800'")
        seen, dealt = self.cards, as_cards(checks.text("board", board, "Qd"))
        cards = as_cards([*seen, *dealt])[len(seen) :].tolist()
        spot, ended = self, False
        for word in words:
            if word == "/":
                if not ended:
                    raise UserError(f"actions {actions!r}: the round is not over at the slash")
                continue
            before, spot = spot, spot._after(word, cards)
            ended = len(spot.board) > len(before.board)
        if cards:
            raise UserError(
                f"board {board!r}: found {len(cards)} cards more than rounds that begin"
            )
        return spot

    def _after(self, word: str, cards: list[int]) -> "EndgameSpot":
        """The decision after one action; the first of ``cards`` is taken where the round ends."""
        action = self._action(word)
        betting = self.done(action)
        if betting.over:
            raise UserError(f"after {word!r} the hand is over: nobody is to act")
        if betting.round == self.betting.round:
            return self.take(action)
        if not cards:
            raise UserError(
                f"after {word!r} the round is over: wanted the next card, by board= or --deal"
            )
        return self.take(action, cards.pop(0))

    def done(self, action: int) -> Betting:
        """The betting once ``action`` is done, a copy of its own. Raises UserError."""
        betting = self.betting.copy()
        betting.act(action)
        return betting

    def take(self, action: int, card: int = -1) -> "EndgameSpot":
        """The decision after ``action``, one of ``offered``, and where it ends the round ``card``.

        The hand must go on. A new round costs a walk through its layout.
        """
        betting = self.done(action)
        child = self.solver.game.tree.children(self.node)[self.offered.index(action)]
        here = EndgameSpot(self.solver, betting, self.base, self._ranges, child, self._whole)
        here._average = self._average
        if betting.round == self.betting.round:
            return here
        ranges = np.stack([here._weights(seat) for seat in (0, 1)])
        ranges *= ~holds(np.array([card], np.int8))
        solver = self.solver.after(child, card)
        return EndgameSpot(solver, betting, int(betting.hand[HIGH]), ranges, whole=self._whole)

    def to_dict(self) -> dict:
        """Plain JSON values: the table and the strategy."""
        return {
            "player": self.player, "board": self.board, "pot": self.pot,
            "to_call": self.to_call, "strategy": self.chart.to_dict(),
        }  # fmt: skip

    def __repr__(self) -> str:
        rare = f", reached by {100 * self.reached:.2g} %" if self.reached < _RARE else ""
        table = f"board {self.board}, pot {self.pot:,}, {self.to_call:,} to call{rare}"
        return f"{table}; {self.chart!r}"
