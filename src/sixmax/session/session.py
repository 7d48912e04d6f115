"""A person at a table of agents: a session of hands, played a step at a time.

Nothing here waits: a terminal or a page calls :meth:`Session.step` where an agent is to act and
:meth:`Session.act` where the person is, and shows :meth:`Session.state`.
"""

import functools
from collections.abc import Callable, Sequence

from sixmax.agents.open_players import check_run, open_players
from sixmax.agents.player import Player
from sixmax.base.errors import UserError, one_of
from sixmax.base.rng import child
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat.recorded import Taken
from sixmax.evaluation.match.by_hand import LiveHand
from sixmax.games.holdem import deal_cards
from sixmax.hands.record import Record
from sixmax.search.config import SearchConfig
from sixmax.search.solvers.problem import Begin, quiet
from sixmax.session.luck import Luck, PlayedHand, Scores
from sixmax.session.opinion import Adviser, AskedHand, Opinion
from sixmax.session.person import SeatView, see

ROTATE = "rotate"  # the person's seat moves round the table
YOU = "you"


class Person(Player):
    """The person's seat: told everything, and never asked."""

    def __init__(self, name: str = YOU):
        self.name = name


class Session:
    """Hands of a person among ``agents``: one name for each other seat, or one for all of them.

    ``seat`` is a position, such as BTN, or ROTATE: then all move on by a seat a hand. ``first`` is
    the number of the first hand. The same seed and actions of the person give the same hands.
    ``begin`` watches searches, and may end them early. Raises UserError for unknown names.
    """

    def __init__(
        self, run: Run, agents: Sequence[str], seat: str = ROTATE, seed: int = 1, *,
        name: str = YOU, adviser: str = "blueprint", config: SearchConfig | None = None,
        luck: Luck | None = None, first: int = 1,
        keep: Callable[[Record], None] = lambda record: None, begin: Begin = quiet,
    ):  # fmt: skip
        check_run(run)
        names = seated_agents(agents, run.game.seats)
        self._chairs = [Person(name), *open_players(run, names, config, begin)]
        self._start, self._rotates = first_seat(run, seat), seat.lower() == ROTATE
        self._run, self._seed, self._config, self._begin = run, seed, config, begin
        self.game, self.scores = run.game, Scores(luck, run.big_blind)
        self._keep, self._number, self._adviser_name = keep, first - 1, adviser
        self.helped = 0  # opinions asked for before the person's action
        self.hand: LiveHand | None = None  # the present one
        self.record: Record | None = None  # of the last hand, once it is over
        self.next_hand()

    def next_hand(self) -> None:
        """Deal the next hand. Raises UserError where one is still going on."""
        if self.hand is not None and self.record is None:
            raise UserError(f"hand {self._number} is not over")
        self._number += 1
        run, seats = self._run, self._run.game.seats
        turn = self._number - 1 if self._rotates else 0
        self.seat = (self._start - turn) % seats
        players = [self._chairs[(seat - self.seat) % seats] for seat in range(seats)]
        cards = deal_cards(child(self._seed, "session"), self._number, seats, run.ranks)
        draws = int(child(self._seed, "session", "draws", self._number))
        self.record, self._taken = None, []
        self.hand = LiveHand(players, run.game, run.ranks, cards, self._number, draws)
        self._settle()

    @property
    def waits(self) -> bool:
        return self.hand.betting.actor == self.seat

    @property
    def over(self) -> bool:
        return self.hand.over

    def state(self) -> SeatView:
        """The hand as the person may see it."""
        return see(self.hand, self.seat, self._run.ranks, self.record)

    def act(self, action: int) -> None:
        """The person does ``action``: FOLD, CALL or a raise-to, in chips of the whole hand.

        Raises UserError, and changes nothing, where that is illegal or somebody else is to act.
        """
        self._your_turn()
        self._do(action, None)

    def _your_turn(self) -> None:
        if not self.waits:
            raise UserError("it is not your turn")

    def step(self) -> None:
        """Let the agent to act act. Raises UserError where none is."""
        if self.over or self.waits:
            raise UserError("no agent is to act")
        player = self.hand.players[self.hand.betting.actor]
        play = player.strategy() if self.scores.luck is not None else None
        action = self.hand.decide()
        rows = None if play is None else Taken(play.offered, action, play.rows, player.knows)
        self._do(action, rows)

    def _do(self, action: int, taken: Taken | None) -> None:
        self.hand.act(action)
        self._taken.append(taken or Taken((action,), action, None))
        self._settle()

    def _settle(self) -> None:
        """Count a hand that is over, and hand its record on."""
        if not self.over:
            return
        hand = self.hand
        self.record = hand.end()
        boards = child(self._seed, "session", "boards", self._number)
        played = PlayedHand(hand.cards, self.seat, self._taken, boards)
        self.scores.add(float(self.record.payoffs[self.seat]), played)
        self._keep(self.record)

    @property
    def hands(self) -> int:
        """Hands that are over."""
        return len(self.scores.won)

    @functools.cached_property
    def adviser(self) -> Adviser:
        """The agent that is asked for its opinion; opened when first needed."""
        return Adviser(self._run, self._adviser_name, self._config, self._begin)

    def opinion(self) -> Opinion:
        """The opinion about the person's decision to come, which counts as help.

        Raises UserError where the person is not to act.
        """
        self._your_turn()
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
        hand, seat = self.hand, self.seat
        asked = AskedHand(
            hand.game, hand.number, seat, hand.cards[2 * seat : 2 * seat + 2], hand.actions,
            hand.board, hand.own_seed,
        )  # fmt: skip
        return list(self.adviser.follow(asked))


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
    seats, names = run.game.seats, run.game.positions
    button = run.game.first[0] if seats == 2 else seats - 1
    known = {ROTATE: button, **{each: seat for seat, each in enumerate(names)}, "BTN": button}
    spelt = {each.lower(): seat for each, seat in known.items()}
    if name.lower() not in spelt:
        raise UserError(f"seat {name!r}: unknown; {one_of(name, known)}")
    return spelt[name.lower()]
