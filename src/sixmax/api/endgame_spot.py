"""A decision of a solved endgame: the strategy, the ranges and the EV of every hand there."""

import functools
import re

import numpy as np

from sixmax.api import checks
from sixmax.api.ev import EV
from sixmax.api.range import Range
from sixmax.api.strategy import DecisionPoint, Strategy, seat_of
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD, HIGH
from sixmax.betting.state import Betting
from sixmax.cards.deck import as_cards, format_cards, holds
from sixmax.search.result import strategy_at
from sixmax.search.solvers.ranges.solver import RangeSolver, action_values, reach_to

PLAYERS = ("OOP", "IP")  # out of position, who acts first, and in position
_RARE = 0.01  # of both ranges: below it a strategy is hardly trained
_WORDS = re.compile(r"/|[fcxka](?![a-z])|[br]\s*\d+", re.I)


class EndgameSpot(DecisionPoint):
    """A decision of a solved endgame. Amounts are chips; weights are those of the given ranges.

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
        self.solver, self.base, self.node = solver, base, node
        self._betting = betting
        self._ranges = ranges
        self._whole = ranges.sum(axis=1) if whole is None else whole

    @property
    def betting(self) -> Betting:
        return self._betting

    @property
    def board(self) -> str:
        return format_cards(self.solver.game.board)

    @functools.cached_property
    def offered(self) -> list[int]:
        """The actions of the tree: FOLD, CALL, and raises-to in chips of the whole hand."""
        tree = self.solver.game.tree
        return tree.offered(self.node)

    @functools.cached_property
    def chart(self) -> Strategy:
        """The average strategy here."""
        solver, actor = self.solver, self.betting.actor
        game, free = solver.game, ~holds(solver.game.board)
        rows = strategy_at(game.tree, game.layout, self._average, self.node)
        return Strategy(
            PLAYERS[actor], self.offered, rows * free[:, None], self._reach(actor),
            np.where(free, 0, -1), words=tuple(map(self._word, self.offered)),
        )  # fmt: skip

    @property
    def reached(self) -> float:
        """The share of both ranges that plays this way, cards apart: 1 at the start.

        Where it is tiny the strategy is hardly trained, and its EV tells little.
        """
        shares = [self._reach(seat).sum() / max(self._whole[seat], 1e-300) for seat in (0, 1)]
        return float(np.prod(shares))

    def range(self, player: str | None = None) -> Range:
        """The hands with which OOP or IP comes here; default: the player to act. UserError."""
        seat = seat_of(PLAYERS, player or self.player)
        return Range(PLAYERS[seat], self._reach(seat), self.solver.game.board, 13)

    def ev(self) -> EV:
        """The exact EV of each action with every hand, both playing the solution afterwards.

        Hands count in means by their weight and by how likely they are dealt beside the opponent's.
        """
        net, chance = action_values(self.solver, self.node)
        mean, chart = net + self.betting.contributed[self.betting.actor], self.chart
        weight = chart.weight * chance
        return EV(self.player, self.actions, mean, chart.rows, weight, self.solver.game.board, 13)

    @functools.cached_property
    def _average(self) -> np.ndarray:
        return self.solver.strategy()

    def _reach(self, seat: int) -> np.ndarray:
        """The weight of each hole of ``seat`` here, of its range times its play: float64[…]."""
        game, reach = self.solver.game, np.zeros(self._ranges.shape[1])
        hole = game.hands[seat].first
        way = reach_to(game, self._average, seat, self.node)
        reach[hole] = self._ranges[seat, hole] * way
        return reach

    def _word(self, action: int) -> str:
        if action in (FOLD, CALL):
            return "f" if action == FOLD else "c"
        first = int(self.betting.hand[HIGH]) == self.base
        return f"{'b' if first else 'r'}{action - self.base}"

    def _action(self, word: str) -> int:
        """The number among ``offered`` of ``word``. Raises UserError."""
        letter, raises = word[0].lower(), [a for a in self.offered if a > CALL]
        if letter in "cxk":
            return self.offered.index(CALL)
        if letter == "f" and FOLD in self.offered:
            return self.offered.index(FOLD)
        if letter == "a" and raises and raises[-1] == (self.betting.raise_range or (0, 0))[1]:
            return self.offered.index(raises[-1])
        if letter in "br" and int(word[1:]) + self.base in raises:
            return self.offered.index(int(word[1:]) + self.base)
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
        seen = self.solver.game.board
        dealt = as_cards(checks.text("board", board, "Qd"))
        cards = [int(card) for card in as_cards([*seen, *dealt])][len(seen) :]
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
        at, betting = self._action(word), self.betting.copy()
        betting.act(self.offered[at])
        if betting.over:
            raise UserError(f"after {word!r} the hand is over: nobody is to act")
        child = self.solver.game.tree.children(self.node)[at]
        if betting.round == self.betting.round:
            return EndgameSpot(self.solver, betting, self.base, self._ranges, child, self._whole)
        if not cards:
            raise UserError(
                f"after {word!r} the round is over: wanted the next card, by board= or --deal"
            )
        card = cards.pop(0)
        here = EndgameSpot(self.solver, betting, self.base, self._ranges, child)
        ranges = np.stack([here._reach(seat) for seat in (0, 1)])
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
