"""Hands played by players of any kind, action by action, and matches of them.

As in :mod:`sixmax.evaluation.match.duplicate` the cards stay and the seats rotate, and the draw
that decides an action is a function of (seed, deal, betting so far). Slower by a thousand times
than kernels on a tree, but seats may be taken by players that search, or that connect over ACPC.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.rng import child, unit
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.state import Betting
from sixmax.blueprint.identity import digest
from sixmax.blueprint.run import Run
from sixmax.evaluation.match.duplicate import protocol
from sixmax.games.holdem import deal_cards
from sixmax.hands import all_in
from sixmax.hands.record import Record, big_blind, record
from sixmax.scores.statistics import Protocol, Result, Sums, add, refuse_too_few
from sixmax.search.config import SearchConfig

DESIGN = "1 against copies, hand by hand, duplicate: cards and draws of a deal fixed"


class LiveHand:
    """Hand ``number`` of ``game`` between ``players`` by seat, in progress.

    It is dealt, and told to all of them, one action at a time. ``cards`` int8[2 seats + 5] are the
    holes by seat and the board, ``seed`` is of all draws.
    """

    def __init__(
        self, players: Sequence[Player], game: GameConfig, ranks: int, cards: np.ndarray,
        number: int, seed: int,
    ):  # fmt: skip
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


def terms(run: Run, configs: Sequence[SearchConfig] = (), boards: int | None = None) -> Protocol:
    """The protocol of :func:`play` on ``run``; ``configs`` are those of the players that search."""
    digests = (digest({"config": config.model_dump(mode="json")})[:8] for config in configs)
    settings = " and ".join(dict.fromkeys(digests))
    design = f"{DESIGN}; search by settings {settings}" if settings else DESIGN
    return protocol(run.game.seats, run.big_blind, run.game_digest, boards, design)


def play_hand(
    players: list[Player], game: GameConfig, ranks: int, cards: np.ndarray, number: int, seed: int
) -> Record:
    """Play a :class:`LiveHand` to its end. Raises UserError for an illegal action."""
    hand = LiveHand(players, game, ranks, cards, number, seed)
    while not hand.over:
        hand.act(hand.decide())
    return hand.end()


def hands(
    agent: Player, opponents: list[Player], game: GameConfig, ranks: int, deals: int, seed: int
) -> Iterator[tuple[int, int, Record]]:
    """Deal, seat of ``agent`` and record of every hand; ``opponents`` sit in all other seats."""
    for deal in range(deals):
        cards = deal_cards(seed, deal, game.seats, ranks)
        draws = int(child(seed, "draws", deal))
        for hero in range(game.seats):
            players = [*opponents[:hero], agent, *opponents[hero:]]
            number = deal * game.seats + hero
            yield deal, hero, play_hand(players, game, ranks, cards, number, draws)


def play(
    agent: Player, opponents: list[Player], game: GameConfig, ranks: int, protocol: Protocol,
    deals: int, seed: int, boards: int | None = None,
    listener: Callable[[Record], None] = lambda record: None,
) -> Result:  # fmt: skip
    """Play ``deals`` deals, each with ``agent`` in every seat; ``listener`` gets every hand.

    ``boards`` as in :func:`sixmax.evaluation.match.duplicate.play`.
    """
    refuse_too_few(deals)
    won = np.zeros((deals, game.seats))
    for deal, hero, played in hands(agent, opponents, game, ranks, deals, seed):
        net = played.payoffs
        if boards is not None:
            net = all_in.expected(played, boards, int(child(seed, "boards", deal)))
        won[deal, hero] = net[hero] * 1000 / big_blind(game)
        listener(played)
    return result_of((agent.name, opponents[0].name), protocol, seed, won)


def result_of(names: tuple[str, str], protocol: Protocol, seed: int, won: np.ndarray) -> Result:
    """The result of a match with hands of ``won`` float64[deals, seats], mbb/game."""
    by_seat = tuple(Sums.of(np.ascontiguousarray(net)) for net in won.T)
    sums = add([Sums.of(won.mean(axis=1))])
    return Result(*names, protocol, (int(seed),), won.size, sums, by_seat)
