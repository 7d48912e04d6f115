"""The player that remembers the opponent's bets: the first type of Libratus's self-improver."""

from collections import deque

import numpy as np

from sixmax.agents.player import Player, TablePlayer
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL
from sixmax.betting.tree import find
from sixmax.blueprint.improved import improvement, open_improved
from sixmax.blueprint.run import Run
from sixmax.ongoing.hand import Hand, Play
from sixmax.ongoing.translate import fraction, raise_by

EQUAL_BETS = 8  # of the opponent, until it is answered by the branch


class ImprovedPlayer(Player):
    """Plays ``plain``; after eight equal bets of the opponent ``special`` answers them.

    The first type of Libratus's self-improver (supplement, "Further details of the self-improvement
    algorithm"): its branch is used where the opponent made the bet each of the last eight times
    that it raised at that decision. Both players follow every hand; bets are read in the tree of
    ``run``, as the gaps were. Two players.
    """

    def __init__(self, run: Run, plain: TablePlayer, special: TablePlayer, bet: dict):
        self.name, self._players, self._run = plain.name, (plain, special), run
        self._node, self._bet = find(run.tree, bet["path"]), bet["raise_to"]
        self._raises: deque[int] = deque(maxlen=EQUAL_BETS)

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._chosen, self._seat = self._players[0], seat
        self._hand = Hand(self._run, game)
        for player in self._players:
            player.begin(number, seat, hole, game, seed)

    def deal(self, cards: np.ndarray) -> None:
        for player in self._players:
            player.deal(cards)

    def act(self, u: float) -> int:
        return self._chosen.act(u)

    def strategy(self) -> Play | None:
        return self._chosen.strategy()

    def see(self, action: int) -> None:
        hand = self._hand
        followed = hand.betting.actor != self._seat and hand.meet()
        if followed and hand.node == self._node and action > CALL:
            self._remember(raise_by(hand.mine, fraction(hand.real, action)))
        for player in self._players:
            player.see(action)
        hand.act(action)

    def _remember(self, raised: int) -> None:
        """The opponent raises to ``raised`` in the tree's hand, at the decision of the branch."""
        if len(self._raises) == EQUAL_BETS and {raised, *self._raises} == {self._bet}:
            self._chosen = self._players[1]
        self._raises.append(raised)


def improved_player(run: Run, plain: TablePlayer) -> ImprovedPlayer:
    """``plain`` with the branch of the run's folder ``improve/type1``.

    Raises UserError where there is none, or one that was not made of ``run`` or not by type 1.
    """
    improved = open_improved(run, run.folder / "improve" / "type1")
    improved_by = improvement(improved.folder)
    if improved_by["type"] != 1:
        raise UserError(f"{improved.folder}: made by type {improved_by['type']}, wanted type 1")
    game, (policy,) = open_agents(improved, ["blueprint"])
    special = TablePlayer(improved, plain.name, policy, game)
    return ImprovedPlayer(run, plain, special, improved_by["bets"][0])
