"""The player that remembers the opponent's bets: the first type of Libratus's self-improver."""

from collections import deque

import numpy as np

from sixmax.blueprint.improved import improvement, open_improved
from sixmax.blueprint.run import Run
from sixmax.evaluation.agents.player import Player, TablePlayer
from sixmax.evaluation.agents.registry import open_agents
from sixmax.game.betting import Betting
from sixmax.game.config import GameConfig
from sixmax.game.rules import CALL

EQUAL_BETS = 8  # of the opponent, until it is answered by the branch


class RememberingPlayer(Player):
    """Plays ``plain``; after eight equal bets of the opponent ``special`` answers them.

    The first type of Libratus's self-improver (supplement, "Further details of the self-improvement
    algorithm"): its branch is used where the opponent made the bet each of the last eight times
    that it raised at that decision. Both players follow every hand. Two players.
    """

    def __init__(self, plain: TablePlayer, special: TablePlayer, bet: dict):
        self.name, self._players, self._bet = plain.name, (plain, special), bet
        self._raises: deque[int] = deque(maxlen=EQUAL_BETS)

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._chosen, self._seat, self._before = self._players[0], seat, ()
        self._betting = Betting(game)
        for player in self._players:
            player.begin(number, seat, hole, game, seed)

    def deal(self, cards: np.ndarray) -> None:
        for player in self._players:
            player.deal(cards)

    def act(self, u: float) -> int:
        return self._chosen.act(u)

    def see(self, action: int) -> None:
        if self._before == tuple(self._bet["path"]) and self._betting.actor != self._seat:
            self._remember(action)
        for player in self._players:
            player.see(action)
        self._betting.act(action)
        self._before += (action,)

    def _remember(self, action: int) -> None:
        """The opponent does ``action`` at the decision of the branch."""
        if action <= CALL:
            return
        raised, same = self._bet["raise_to"], len(self._raises) == EQUAL_BETS
        if same and action == raised and set(self._raises) == {raised}:
            self._chosen = self._players[1]
        self._raises.append(action)


def remembering(run: Run, plain: TablePlayer) -> RememberingPlayer:
    """``plain`` with the branch of the run's folder ``improve/type1``.

    Raises UserError where there is none, or one that was not made of ``run``.
    """
    improved = open_improved(run, run.folder / "improve" / "type1")
    game, (policy,) = open_agents(improved, ["blueprint"])
    special = TablePlayer(improved, plain.name, policy, game)
    return RememberingPlayer(plain, special, improvement(improved.folder)["bets"][0])
