"""A person at a table of agents: a session of hands, played a step at a time.

Nothing here waits for anybody: a terminal or a page calls :meth:`Session.step` while agents are to
act and :meth:`Session.act` where the person is, and shows :meth:`Session.state`. The same seed and
the same actions of the person give the same hands.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.agents.open_players import check_run, open_players
from sixmax.agents.player import Player
from sixmax.base.errors import UserError, one_of
from sixmax.base.rng import child
from sixmax.betting.config import GameConfig
from sixmax.betting.state import positions
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat.recorded import Taken
from sixmax.evaluation.match.by_hand import LiveHand
from sixmax.games.holdem import deal_cards
from sixmax.hands.record import Record
from sixmax.scores.statistics import Sums
from sixmax.search.config import SearchConfig
from sixmax.search.solvers.problem import Begin, quiet
from sixmax.session.luck import AIVAT, Luck
from sixmax.session.opinion import Adviser, Opinion
from sixmax.session.state import SeatView, see

ROTATE = "rotate"  # the person's seat moves round the table
YOU = "you"


class Person(Player):
    """The person's seat: told everything, and never asked."""

    def __init__(self, name: str = YOU):
        self.name = name


class SessionScore(NamedTuple):
    """The result so far, in mbb a hand; a sample is a hand.

    ``adjusted`` is by AIVAT, None where the run has no values or an agent shows no strategy.
    """

    won: Sums
    adjusted: Sums | None


class Session:
    """Hands of a person among ``agents``: one name for each other seat, or one for all of them.

    ``seat`` is the name of a position, such as BTN, or ROTATE: then all move on by a seat a hand.
    ``first`` is the number of the first hand; a hand is a function of ``seed`` and its number.
    ``begin`` watches searches, and may end them early.
    Raises UserError for agents and seats that there are not.
    """

    def __init__(
        self,
        run: Run,
        agents: Sequence[str],
        seat: str = ROTATE,
        seed: int = 1,
        *,
        name: str = YOU,
        adviser: str = "blueprint",
        config: SearchConfig | None = None,
        luck: Luck | None = None,
        first: int = 1,
        keep: Callable[[Record], None] = lambda record: None,
        begin: Begin = quiet,
    ):
        check_run(run)
        names = seated_agents(agents, run.game.seats)
        self._chairs = [Person(name), *open_players(run, names, config, begin)]
        self._start, self._rotates = first_seat(run, seat), seat.lower() == ROTATE
        self._run, self._seed, self._config, self._begin = run, seed, config, begin
        self._luck, self._keep, self._number = luck, keep, first - 1
        self._adviser_name, self._adviser = adviser, None
        self._won: list[float] = []  # mbb
        self._adjusted: list[float] = []
        self._unscored: list[tuple] = []  # hands that AIVAT has not scored yet
        self.helped = 0  # opinions asked for before the person's action
        self._hand: LiveHand | None = None
        self.record: Record | None = None  # of the last hand, once it is over
        self.next_hand()

    def next_hand(self) -> None:
        """Deal the next hand. Raises UserError where one is still going on."""
        if self._hand is not None and self.record is None:
            raise UserError(f"hand {self._number} is not over")
        self._number += 1
        run, seats = self._run, self._run.game.seats
        turn = self._number - 1 if self._rotates else 0
        self.seat = (self._start - turn) % seats
        players: list[Player] = [None] * seats
        for chair, player in enumerate(self._chairs):
            players[(self.seat + chair) % seats] = player
        cards = deal_cards(child(self._seed, "session"), self._number, seats, run.ranks)
        draws = int(child(self._seed, "session", "draws", self._number))
        self.record, self._taken = None, []
        self._hand = LiveHand(players, run.game, run.ranks, cards, self._number, draws)
        self._settle()

    @property
    def waits(self) -> bool:
        """Whether the person is to act."""
        return self._hand.betting.actor == self.seat

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self._hand.over

    def state(self) -> SeatView:
        """The hand as the person may see it."""
        return see(self._hand, self.seat, self._run.ranks, self.record)

    def act(self, action: int) -> None:
        """The person does ``action``: FOLD, CALL or a raise-to, in chips of the whole hand.

        Raises UserError, and changes nothing, where that is illegal or somebody else is to act.
        """
        if not self.waits:
            raise UserError("it is not your turn")
        self._do(action, None)

    def step(self) -> None:
        """Let the agent to act act. Raises UserError where none is."""
        if self.over or self.waits:
            raise UserError("no agent is to act")
        player = self._hand.players[self._hand.betting.actor]
        play = player.strategy() if self._luck is not None else None
        action = self._hand.decide()
        rows = None if play is None else Taken(play.offered, action, play.played, player.knows)
        self._do(action, rows)

    def _do(self, action: int, taken: Taken | None) -> None:
        self._hand.act(action)
        self._taken.append(taken or Taken((action,), action, None))
        self._settle()

    def _settle(self) -> None:
        """Count a hand that is over, and hand its record on."""
        if not self.over:
            return
        hand = self._hand
        self.record = hand.end()
        chips = float(self.record.payoffs[self.seat])
        self._won.append(chips * 1000 / self._run.big_blind)
        boards = child(self._seed, "session", "boards", self._number)
        self._unscored.append((hand.cards, self.seat, self._taken, boards))
        self._keep(self.record)

    @property
    def lucky(self) -> bool:
        """Whether AIVAT takes luck off the result."""
        return self._luck is not None

    @property
    def won(self) -> Sums:
        """mbb a hand as the cards fell, of the hands that are over."""
        return Sums.of(np.array(self._won))

    def result(self) -> SessionScore:
        """The result of the hands that are over; AIVAT takes a twentieth of a second a hand."""
        if self._luck is None:
            return SessionScore(self.won, None)
        while self._unscored:
            chips = self._luck.columns(*self._unscored[0])[AIVAT]
            self._adjusted.append(float(chips) * 1000 / self._run.big_blind)
            self._unscored.pop(0)
        return SessionScore(self.won, Sums.of(np.array(self._adjusted)))

    @property
    def game(self) -> GameConfig:
        """The rules."""
        return self._run.game

    @property
    def hands(self) -> int:
        """Hands that are over."""
        return len(self._won)

    @property
    def adviser(self) -> Adviser:
        """The agent that is asked for its opinion; opened when first needed."""
        if self._adviser is None:
            self._adviser = Adviser(self._run, self._adviser_name, self._config, self._begin)
        return self._adviser

    def opinion(self) -> Opinion:
        """The opinion about the person's decision to come, which counts as help.

        Raises UserError where the person is not to act.
        """
        if not self.waits:
            raise UserError("it is not your turn")
        self.helped += 1
        return self._opinions()[-1]

    def review(self) -> list[Opinion]:
        """Opinions about the person's decisions in the hand that is over.

        Raises UserError where it is not over.
        """
        if not self.over:
            raise UserError(f"hand {self._number} is not over")
        return self._opinions()

    def _opinions(self) -> list[Opinion]:
        hand, at = self._hand, 2 * self.seat
        hole = hand.cards[at : at + 2]
        args = hand.game, hand.number, self.seat, hole, hand.actions, hand.board, hand.own_seed
        return list(self.adviser.follow(*args))


def seated_agents(agents: Sequence[str], seats: int) -> list[str]:
    """A name for each seat but the person's, in the order of the chairs after it.

    Raises UserError unless there are so many, or one for all.
    """
    names = list(agents) * (seats - 1 if len(agents) == 1 else 1)
    if len(names) != seats - 1:
        raise UserError(
            f"found {len(names)} agents ({', '.join(names)}), wanted one for all seats, or "
            f"{seats - 1}, one for each seat beside yours"
        )
    return names


def first_seat(run: Run, name: str) -> int:
    """The seat of the position ``name``; the button for ROTATE. Raises UserError."""
    seats, names = run.game.seats, positions(run.game.seats, run.game.first[0])
    button = run.game.first[0] if seats == 2 else seats - 1
    known = {ROTATE: button, **{each: seat for seat, each in enumerate(names)}, "BTN": button}
    spelt = {each.lower(): seat for each, seat in known.items()}
    if name.lower() not in spelt:
        raise UserError(f"seat {name!r}: unknown; {one_of(name, known)}")
    return spelt[name.lower()]
