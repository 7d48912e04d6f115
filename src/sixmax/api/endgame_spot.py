"""A decision of a solved endgame: the strategy, the ranges and the EV of every hand there."""

import functools
import re

import numpy as np

from sixmax.api.range import Range, relative
from sixmax.api.strategy import Decision, Strategy, seat_of
from sixmax.api.values import Values
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, FOLD, HIGH
from sixmax.betting.state import Betting
from sixmax.betting.tree import children
from sixmax.cards.deck import as_cards, format_cards, holds
from sixmax.errors import UserError
from sixmax.search.solvers.problem import strategy_at
from sixmax.search.solvers.ranges.action_values import action_values
from sixmax.search.solvers.ranges.solver import RangeSolver, reach_to

PLAYERS = ("OOP", "IP")  # out of position, who acts first, and in position
_WORDS = re.compile(r"/|[fcxka](?![a-z])|[br]\s*\d+", re.I)


class EndgameSpot(Decision):
    """A decision of a solved endgame. Amounts are chips.

    ``solver`` holds the round at work, ``node`` is in its tree.
    """

    def __init__(self, solver: RangeSolver, betting: Betting, base: int, node: int = 0):
        """``base``: chips that each player had put in before this round."""
        self.solver, self.betting, self.base, self.node = solver, betting, base, node

    @property
    def pot(self) -> int:
        return int(self.betting.contributed.sum())

    @property
    def to_call(self) -> int:
        return self.betting.to_call

    @property
    def board(self) -> str:
        return format_cards(self.solver.game.board)

    @functools.cached_property
    def offered(self) -> list[int]:
        """The actions of the tree: FOLD, CALL, and raises-to in chips of the whole hand."""
        tree = self.solver.game.tree
        return [int(tree.action[child]) for child in children(tree, self.node)]

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

    def range(self, player: str | None = None) -> Range:
        """The hands with which OOP or IP comes here; default: the player to act. UserError."""
        seat = seat_of(PLAYERS, player or self.player)
        return relative(PLAYERS[seat], self._reach(seat), self.solver.game.board, 13)

    def ev(self) -> Values:
        """The exact EV of each action with every hand, both playing the solution afterwards.

        Hands count in means by their weight and by how likely they are dealt beside the opponent's.
        """
        net, chance = action_values(self.solver, self.node)
        mean, chart = net + self.betting.contributed[self.betting.actor], self.chart
        weight = chart.weight * chance
        return Values(
            self.player, self.actions, mean, chart.rows, weight, self.solver.game.board, 13
        )

    @functools.cached_property
    def _average(self) -> np.ndarray:
        return self.solver.strategy()

    def _reach(self, seat: int) -> np.ndarray:
        """The weight of each hole of ``seat`` here: float64[holes]."""
        game = self.solver.game
        reach = np.zeros(game.layout.buckets[0])
        way = reach_to(game, self._average, seat, self.node)
        reach[game.hands[seat].first] = game.range[seat] * way
        return reach / max(reach.max(), 1e-300)

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
            f"action {word!r}: found after {self.player} is to act, wanted one of "
            f"{', '.join(self.actions)}"
        )

    def after(self, word: str, cards: list[int]) -> "EndgameSpot":
        """The decision after one action; the first of ``cards`` is dealt where the round ends.

        Raises UserError for an action that is not offered, and where the hand is over.
        """
        at, betting = self._action(word), self.betting.copy()
        betting.act(self.offered[at])
        if betting.over:
            raise UserError(f"after {word!r} the hand is over: nobody is to act")
        child = children(self.solver.game.tree, self.node)[at]
        if betting.round == self.betting.round:
            return EndgameSpot(self.solver, betting, self.base, child)
        if not cards:
            raise UserError(f"after {word!r} the round is over: wanted its card in board")
        solver = self.solver.after(child, cards.pop(0))
        return EndgameSpot(solver, betting, int(betting.hand[HIGH]))

    def to_dict(self) -> dict:
        """Plain JSON values: the table and the strategy."""
        return {
            "player": self.player, "board": self.board, "pot": self.pot,
            "to_call": self.to_call, "strategy": self.chart.to_dict(),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"board {self.board}, pot {self.pot:,}, {self.to_call:,} to call; {self.chart!r}"


def walk_to(solver: RangeSolver, game: GameConfig, actions: str, board: str) -> EndgameSpot:
    """The decision of a solved ``game`` after ``actions``: see :meth:`SolvedEndgame.at`."""
    words = [re.sub(r"\s", "", word) for word in _WORDS.findall(actions)]
    if "".join(words).lower() != re.sub(r"[\s,;]", "", actions).lower():
        raise UserError(f"actions {actions!r}: wanted f, c, bN, rN and a, as in 'c b250 r800'")
    seen = solver.game.board
    cards = [int(c) for c in as_cards([*seen, *as_cards(board)])][len(seen) :]
    spot, ended = EndgameSpot(solver, Betting(game), game.antes[0]), False
    for word in words:
        if word == "/":
            if not ended:
                raise UserError(f"actions {actions!r}: the round is not over at the slash")
            continue
        before, spot = spot, spot.after(word, cards)
        ended = len(spot.board) > len(before.board)
    if cards:
        raise UserError(f"board {board!r}: found {len(cards)} cards more than rounds that begin")
    return spot
