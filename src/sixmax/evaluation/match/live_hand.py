"""A hand in progress between players: dealt, told to all of them, one action at a time."""

from collections.abc import Sequence

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.rng import child, unit
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.state import Betting
from sixmax.hands.record import Record, record


class LiveHand:
    """Hand ``number`` of ``game`` between ``players`` by seat; ``cards`` int8[2 seats + 5].

    ``seed`` is of all draws. The draw that decides an action is a function of ``seed`` and of the
    betting so far.
    """

    def __init__(
        self,
        players: Sequence[Player],
        game: GameConfig,
        ranks: int,
        cards: np.ndarray,
        number: int,
        seed: int,
    ):
        self.players, self.game, self.cards, self.number = players, game, cards, number
        self.betting, self.done = Betting(game), [[]]  # by round: seat, and FOLD, CALL or raise-to
        self.own_seed = int(child(seed, "hand"))  # of all that players draw besides actions
        self.before = np.minimum(game.antes, game.stacks)  # chips put in before the round
        self._ranks, self._seed = ranks, seed
        for seat, player in enumerate(players):
            player.begin(number, seat, cards[2 * seat : 2 * seat + 2], game, self.own_seed)
        self._deal()

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.betting.over

    @property
    def actions(self) -> list[list[int]]:
        """FOLD, CALL or raise-to, by round."""
        return [[action for _, action in part] for part in self.done]

    @property
    def board(self) -> np.ndarray:
        """int8[0, 3, 4 or 5]: the cards dealt for the betting so far."""
        return self.cards[2 * self.game.seats :][: SEEN[len(self.done) - 1]]

    def decide(self) -> int:
        """The action of the player to act, not done yet."""
        so_far = "".join(f"{a}," for part in self.done for _, a in part)
        u = float(unit(child(self._seed, "draw", so_far)))
        return int(self.players[self.betting.actor].act(u))

    def act(self, action: int) -> None:
        """Do ``action`` of the player to act, tell all, and deal the cards of the next round.

        Raises UserError for an illegal action, and changes nothing then.
        """
        seat = self.betting.actor
        try:
            self.betting.act(action)
        except UserError as error:
            name = self.players[seat].name
            raise UserError(f"{name}, hand {self.number}: {error}") from None
        self.done[-1].append((seat, action))
        for each in self.players:
            each.see(action)
        self._deal()

    def _deal(self) -> None:
        """Deal the board of the rounds that have begun."""
        while not self.over and len(self.done) <= self.betting.round:
            seen = len(self.board)
            self.done.append([])
            self.before = self.betting.contributed.copy()
            for player in self.players:
                player.deal(self.board[seen:])

    def end(self) -> Record:
        """The record of a hand that is over, which all players are shown."""
        names = tuple(player.name for player in self.players)
        done = tuple(map(tuple, self.actions))
        played = record(self.number, names, self.game, self._ranks, done, self.cards)
        for player in self.players:
            player.end(played)
        return played
