"""Agents behind one interface: they play hands of hold'em, decision by decision.

A match hand by hand (:mod:`sixmax.evaluation.match.by_hand`) and a dealer elsewhere
(:mod:`sixmax.agents.acpc_client`) tell a player each event and ask it for actions.
The player need not know the raises that others make: players of policies translate them
(:class:`sixmax.play.translate.TranslatedHand`), players that search solve them.
"""

import numpy as np

from sixmax.agents.policies import MatchGame, Policy, act
from sixmax.agents.rows import rows_at
from sixmax.base.rng import child, unit
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, limits
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id
from sixmax.hands.record import Record
from sixmax.play.lookup import blueprint_buckets
from sixmax.play.translate import TranslatedHand, raise_by
from sixmax.search.agent import SearchAgent, SearchCache
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import (
    FrozenAction,
    OutOfTimeError,
    Play,
    Position,
    SearchResult,
)


class Player:
    """One seat of one hand at a time. Its methods are called in the order of events."""

    name: str
    searching = False  # whether its next decision comes from a search, which takes seconds
    knows = False  # whether its strategy in this hand depends on the two cards that it holds

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        """Hand ``number`` of ``game`` begins, with ``hole`` int8[2] in ``seat``.

        ``seed`` is of all that the player draws besides its actions.
        """

    def deal(self, cards: np.ndarray) -> None:
        """The board cards of the next round are dealt: int8[3 or 1]."""

    def act(self, u: float) -> int:
        """The action, FOLD, CALL or a raise-to; drawn by ``u`` in [0, 1) where it is random.

        :meth:`see` is called with it afterwards, as with every action.
        """
        raise NotImplementedError

    def strategy(self) -> Play | None:
        """Its strategy, with every hole, at the decision of the seat to act, its own or another's.

        None from players that show none.
        """
        return None

    def see(self, action: int) -> None:
        """The seat to act did ``action``."""

    def end(self, record: Record) -> None:
        """The hand is over; ``record`` shows all cards."""

    def close(self) -> None:
        """No hand follows."""


class TablePlayer(Player):
    """Plays a policy in hands with any raises."""

    def __init__(self, run: Run, name: str, policy: Policy, game: MatchGame):
        self.name, self._run, self._policy, self._game = name, run, policy, game

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._betting, self._translated = (
            Betting(game),
            TranslatedHand(self._run.game, self._run.tree),
        )
        self._hole, self._board = hole_id(*hole), np.empty(0, np.int8)
        self._seed, self._seen = child(seed, "translation"), 0

    def deal(self, cards: np.ndarray) -> None:
        self._board = np.append(self._board, cards).astype(np.int8)

    def act(self, u: float) -> int:
        real = self._betting.hand
        if not self._translated.meet(real):
            return CALL  # as under search: the blueprint's round is over, the real one is not
        bucket = blueprint_buckets(self._run, self._board)[self._hole]
        at = np.int64(self._translated.node)
        return self._translated.real(real)[act(self._policy, self._game, at, bucket, u)]

    def strategy(self) -> Play | None:
        real, bucket = self._betting.hand, blueprint_buckets(self._run, self._board)
        offered, each = [CALL], np.ones((1, 1))
        if self._translated.meet(real):
            offered = self._translated.real(real)
            each = np.empty((int(bucket.max()) + 1, len(offered)))
            rows_at(self._policy, self._game, np.int64(self._translated.node), each)
        rows = np.where(bucket[:, None] >= 0, each[np.minimum(bucket, len(each) - 1)], 0.0)
        return Play(offered, rows, rows)

    def see(self, action: int) -> None:
        before = self._betting.hand.copy()
        self._betting.act(action)
        self._translated.act(before, action, float(unit(child(self._seed, self._seen))))
        self._seen += 1


class RaisingPlayer(TablePlayer):
    """Plays the blueprint, but makes each raise before the flop by one fraction of the pot."""

    def __init__(self, run: Run, name: str, policy: Policy, game: MatchGame, pots: float):
        super().__init__(run, name, policy, game)
        self._pots = pots

    def act(self, u: float) -> int:
        return self._sized(super().act(u))

    def strategy(self) -> Play | None:
        play = super().strategy()
        return play._replace(offered=[self._sized(action) for action in play.offered])

    def _sized(self, action: int) -> int:
        real = self._betting.hand
        if action <= CALL or self._betting.round > 0:
            return action
        _, low, high = limits(real)
        return int(min(max(raise_by(real, self._pots), low), high))


class SearchPlayer(Player):
    """Plays by search: Algorithm 2, with the blueprint where it does not search.

    ``policy`` uint8[layout.size] is the blueprint's.
    """

    name = "search"

    def __init__(self, run: Run, config: SearchConfig, policy: np.ndarray, searcher: SearchCache):
        self._run, self._config, self._policy, self._searcher = run, config, policy, searcher

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._searcher.begin(seed)
        self.knows = False
        self._hand = PublicHand(self._run, self._policy, self._config, self._ask, seed, game, seat)
        self._agent = SearchAgent(self._hand, seat, hole)

    @property
    def searching(self) -> bool:
        """Whether the current round is searched."""
        return self._hand.rounds[-1].searching

    def _ask(self, position: Position, frozen: tuple[FrozenAction, ...], seed: int) -> SearchResult:
        self.knows |= bool(frozen)
        return self._searcher(position, frozen, seed)

    def deal(self, cards: np.ndarray) -> None:
        self._hand.deal(cards)

    def act(self, u: float) -> int:
        try:
            return self._agent.decide(u)
        except OutOfTimeError:
            # ASSUME the blueprint plays on, also where the round was searched before.
            self._hand.give_up()
            return self._agent.decide(u)

    def strategy(self) -> Play | None:
        return self._hand.play()

    def see(self, action: int) -> None:
        self._hand.act(action)
