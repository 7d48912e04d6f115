"""Players of hold'em: a match hand by hand, or a dealer elsewhere, tells them each event.

Raises off the tree are translated by players of policies (:class:`sixmax.ongoing.hand.Hand`), and
solved by players that search.
"""

from collections import deque

import numpy as np

from sixmax.base.rng import child, unit
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, limits
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_id
from sixmax.hands.record import Record
from sixmax.ongoing.hand import Hand, Play, blueprint_buckets, merged
from sixmax.ongoing.policies import MatchGame, Policy, act
from sixmax.ongoing.translate import fraction, raise_by
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache
from sixmax.search.searcher import OutOfTimeError

EQUAL_BETS = 8  # of the opponent, until an ImprovedPlayer answers them by its branch


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
        """The strategy that it plays, or would play, in the seat to act; None if it shows none."""
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
        self._hand, self._hole = Hand(self._run, game), hole_id(*hole)
        self._seed, self._seen = child(seed, "translation"), 0

    def deal(self, cards: np.ndarray) -> None:
        self._hand.deal(cards)

    def act(self, u: float) -> int:
        hand = self._hand
        if not hand.meet():
            return CALL  # as under search: the blueprint's round is over, the real one is not
        bucket = blueprint_buckets(self._run, hand.board)[self._hole]
        return hand.offered()[act(self._policy, self._game, np.int64(hand.node), bucket, u)]

    def strategy(self) -> Play | None:
        return self._hand.rows(self._policy, self._game.bits)

    def see(self, action: int) -> None:
        self._hand.act(action, float(unit(child(self._seed, self._seen))))
        self._seen += 1


class RaisingPlayer(TablePlayer):
    """Plays the blueprint, but makes each raise before the flop by one fraction of the pot."""

    def __init__(self, run: Run, name: str, policy: Policy, game: MatchGame, pots: float):
        super().__init__(run, name, policy, game)
        self._pots = pots

    def act(self, u: float) -> int:
        return self._sized(super().act(u))

    def strategy(self) -> Play | None:
        offered, rows, _ = super().strategy()
        return merged([self._sized(action) for action in offered], rows)

    def _sized(self, action: int) -> int:
        real = self._hand.real
        if action <= CALL or self._hand.betting.round > 0:
            return action
        _, low, high = limits(real)
        return int(min(max(raise_by(real, self._pots), low), high))


class ImprovedPlayer(Player):
    """Plays ``plain``; after eight equal bets of the opponent ``special`` answers them.

    The first type of Libratus's self-improver (supplement, "Further details of the self-improvement
    algorithm"): its branch is used where the opponent made the bet each of the last eight times
    that it raised at that decision. Bets are read in the tree of ``run``, as the gaps were. Two
    players.
    """

    def __init__(self, run: Run, plain: TablePlayer, special: TablePlayer, bet: dict):
        self.name, self._players, self._run = plain.name, (plain, special), run
        self._node, self._bet = run.tree.find(bet["path"]), bet["raise_to"]
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
            raised = raise_by(hand.mine, fraction(hand.real, action))
            if len(self._raises) == EQUAL_BETS and {raised, *self._raises} == {self._bet}:
                self._chosen = self._players[1]
            self._raises.append(raised)
        for player in self._players:
            player.see(action)
        hand.act(action)


class SearchPlayer(Player):
    """Plays by search: Algorithm 2; elsewhere by the blueprint ``policy`` uint8[layout.size]."""

    name = "search"

    def __init__(self, run: Run, config: SearchConfig, policy: np.ndarray, searcher: SearchCache):
        self._run, self._config, self._policy, self._searcher = run, config, policy, searcher

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._searcher.begin(seed)
        self._hand = PublicHand(
            self._run, self._policy, self._config, self._searcher, seed, game, seat
        )
        self._hole = hole_id(*hole)

    @property
    def searching(self) -> bool:
        """Whether the current round is searched."""
        return self._hand.rounds[-1].searching

    @property
    def knows(self) -> bool:
        """Whether its strategy in this hand depends on the two cards that it holds."""
        return self._hand.knows

    def deal(self, cards: np.ndarray) -> None:
        self._hand.deal(cards)

    def act(self, u: float) -> int:
        try:
            return self._hand.decide(self._hole, u)
        except OutOfTimeError:
            # ASSUME the blueprint plays on, also where the round was searched before.
            self._hand.give_up()
            return self._hand.decide(self._hole, u)

    def strategy(self) -> Play | None:
        return self._hand.play()

    def see(self, action: int) -> None:
        self._hand.act(action)
