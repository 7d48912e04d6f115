"""One of our players at somebody else's table: connected to an ACPC dealer over TCP."""

import math
import socket
import time
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.base.rng import child, unit
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.state import Betting, spell
from sixmax.hands.acpc import VERSION, MatchState, parse_state
from sixmax.hands.record import STAKES, UNSEEN, turned_rules, values

_LONGEST = 1 << 16  # bytes of a line
LAG = 0.05  # seconds: an answer on its way, counted for each
SAFE = 0.75  # share of the limit of a response that a decision may take


class Limits(NamedTuple):
    """The time that a dealer allows, as it says it; a player that takes longer forfeits."""

    response: Annotated[int, Option(
        "The dealer's limit of an answer, milliseconds.", "--t_response", least=1
    )] | None = None  # fmt: skip
    hand: Annotated[int, Option("… of all answers of a hand.", "--t_hand", least=1)] | None = None
    per_hand: Annotated[int, Option(
        "… of a hand, on average over the match.", "--t_per_hand", least=1
    )] | None = None  # fmt: skip


class Clock:
    """Counts our time as the dealer does, and divides the rest among the decisions to come."""

    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic):
        self._limits = [math.inf if each is None else each / 1000 for each in limits]
        self._now = now
        self._hands, self._hand, self._match = 0, 0.0, 0.0
        self._asked = self._until = -math.inf

    def next_hand(self) -> None:
        """A hand begins."""
        self._hands += 1
        self._hand = 0.0

    def ask(self, rounds: int) -> None:
        """We are asked for an action; ``rounds`` of the hand are left, with the current one."""
        self._asked, (response, hand, per_hand) = self._now(), self._limits
        # ASSUME the number of hands is unknown, so ``per_hand`` is saved up and never borrowed.
        left = min(hand - self._hand, per_hand * self._hands - self._match)
        # ASSUME each round costs as much as all that follow, and one share is kept in hand.
        self._until = self._asked + min(SAFE * response, left / (rounds + 1)) - LAG

    def answered(self) -> None:
        """We answer."""
        took = self._now() - self._asked + LAG
        self._hand += took
        self._match += took

    def left(self) -> float:
        """Seconds left for the decision that we are asked for; below 0 when it is late."""
        return self._until - self._now()


class Lines:
    """Lines of text over a connection, one side of which is awaited for ``seconds``.

    Its methods raise OSError where the connection is lost, TimeoutError where time is up.
    """

    def __init__(self, connection: socket.socket, seconds: float):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # short lines
        self._connection, self._seconds = connection, seconds
        self._received = b""  # and not yet heard

    def until(self) -> float:
        """The time on the clock by which an answer is awaited that is asked for now."""
        return time.monotonic() + self._seconds

    def say(self, text: str) -> None:
        self._wait(self._seconds)
        self._connection.sendall(f"{text}\r\n".encode())

    def hear(self, until: float) -> str | None:
        """The next whole line; None at the end of the connection."""
        while (left := until - time.monotonic()) > 0:
            line, end, rest = self._received.partition(b"\n")
            if end:
                self._received = rest
                return line.decode("ascii", "replace").strip()
            if len(line) >= _LONGEST:
                raise ConnectionError(f"a line of {_LONGEST:,} bytes or more")
            self._wait(left)
            if not (received := self._connection.recv(_LONGEST)):
                return None
            self._received += received
        raise TimeoutError

    def _wait(self, seconds: float) -> None:
        self._connection.settimeout(None if seconds == math.inf else seconds)

    def close(self) -> None:
        self._connection.close()


class LostError(UserError):
    """The dealer is gone in the middle of a hand."""


class Follower:
    """Passes the match states of a dealer on to a player, and answers for it."""

    def __init__(
        self, player: Player, game: GameConfig, ranks: int, shift: int, seed: int,
        clock: Clock | None = None,
    ):  # fmt: skip
        """``game`` has the seats of the player, which lie ``shift`` before those of the dealer."""
        self._clock = clock or Clock(Limits())
        self._player, self._game, self._ranks = player, game, ranks
        self._shift, self._seed = shift, seed
        self._hand: tuple[int, int] | None = None  # number and position
        self._done: list[tuple[int, int]] = []  # round and action, that the player has seen
        self._dealt, self._answered = 0, ("", "")
        self.won: list[float] = []  # chips of each hand whose outcome was seen

    @property
    def begun(self) -> bool:
        """Whether any hand has begun."""
        return self._hand is not None

    @property
    def in_hand(self) -> bool:
        """Whether a hand has begun that is not over."""
        return self.begun and not self._betting.over

    def hear(self, line: str) -> str | None:
        """The answer to ``line``; None for no answer."""
        text = line.strip()
        if not text or text[0] in "#;":
            return None
        if self._answered[0] == text:  # said again: the answer is the same
            return self._answered[1]
        if (action := self.answer(parse_state(text, self._ranks))) is None:
            return None
        self._answered = text, f"{text}:{spell(action)}"
        return self._answered[1]

    def answer(self, state: MatchState) -> int | None:
        """The action at ``state``; None where another player is to act. Raises UserError."""
        if len(state.holes) != self._game.seats:
            raise UserError(
                f"the dealer seats {len(state.holes)} players, the run {self._game.seats}; "
                "connect an agent of a run with as many"
            )
        self._follow(state)
        if self._betting.over or self._betting.actor != self._seat:
            return None
        self._clock.ask(len(self._game.rounds) - self._betting.round)
        so_far = "".join(f"{action}," for _, action in self._done)
        u = float(unit(child(self._seed, "draw", *self._hand, so_far)))
        action = int(self._player.act(u))
        self._betting.copy().act(action)  # refuses an illegal action
        self._clock.answered()
        return action

    def _follow(self, state: MatchState) -> None:
        done = [(r, action) for r, part in enumerate(state.actions) for action in part]
        known = len(self._done)
        same = self._hand == (state.number, state.position) and done[:known] == self._done
        if not same or self._hole != tuple(state.holes[state.position]):
            self._begin(state)
            known = 0
        elif self._betting.over:
            return
        for in_round, action in done[known:]:
            self._deal(state, in_round)
            self._betting.act(action)
            self._player.see(action)
        self._done = done
        if not self._betting.over:
            self._deal(state, self._betting.round)
        else:
            self._settle(state)

    def _begin(self, state: MatchState) -> None:
        if self._hand is None or self._hand[0] != state.number:
            self._clock.next_hand()
        self._hand, self._done, self._dealt = (state.number, state.position), [], 0
        self._betting = Betting(self._game)
        self._seat = (state.position + self._shift) % self._game.seats
        hole, seed = state.holes[state.position], int(child(self._seed, "hand", *self._hand))
        self._hole = tuple(hole)
        self._player.begin(state.number, self._seat, hole, self._game, seed)

    def _deal(self, state: MatchState, in_round: int) -> None:
        """Deal the board of round ``in_round``."""
        if self._betting.round != in_round:
            raise UserError(
                f"the dealer is in round {in_round} of hand {state.number}, wanted round "
                f"{self._betting.round}; is its game another one? Name it by --game"
            )
        if len(state.board) < SEEN[in_round]:
            raise UserError(f"the dealer shows {len(state.board)} board cards in round {in_round}")
        while self._dealt < in_round:
            self._dealt += 1
            self._player.deal(state.board[SEEN[self._dealt - 1] : SEEN[self._dealt]])

    def _settle(self, state: MatchState) -> None:
        """Count the chips won, where the cards are known."""
        betting, rank = self._betting, None
        if betting.showdown:
            holes = np.roll(state.holes, self._shift, axis=0)
            if UNSEEN in holes[betting.left] or len(state.board) < SEEN[-1]:
                return
            rank = values(holes, state.board)
        self.won.append(float(betting.payoffs(rank)[self._seat]))


def seated(ours: GameConfig, dealers: GameConfig) -> tuple[GameConfig, int]:
    """The dealer's game in the seats of ``ours``, and the number of seats they lie apart.

    Raises UserError where it is another game, whatever the seats and stacks.
    """
    for by in range(ours.seats):
        turned = turned_rules(dealers, (dealers.seats - by) % dealers.seats)
        if all(getattr(turned, key) == getattr(ours, key) for key in STAKES):
            return GameConfig.parse({**ours.model_dump(), "stacks": turned.stacks}, "game"), by
    raise UserError(
        f"the dealer's game has blinds {dealers.blinds} and first players {dealers.first}, the run "
        f"{ours.blinds} and {ours.first}; wanted a run of the dealer's game"
    )


def connect(host: str, port: int, seconds: float = 30.0) -> socket.socket:
    """A connection to the dealer at ``host``. Raises UserError where there is none."""
    try:
        return socket.create_connection((host, port), timeout=seconds)
    except OSError as error:
        raise UserError(f"{host}:{port}: no dealer answers ({error}); is it running?") from None


def serve(
    follower: Follower, connection: socket.socket, hands: int = 0, seconds: float = 0.0
) -> None:
    """Play until the dealer closes the connection, or ``hands`` are over (0: no limit).

    Raises LostError where that is before the first hand or in the middle of one, and where the
    dealer says nothing for ``seconds`` (0: no limit).
    """
    address = "{}:{}".format(*connection.getpeername()[:2])
    with connection:
        lines = Lines(connection, seconds or math.inf)
        try:
            lines.say(VERSION)
            while (line := lines.hear(lines.until())) is not None:
                if (answer := follower.hear(line)) is not None:
                    lines.say(answer)
                if hands and len(follower.won) >= hands:
                    return
        except TimeoutError:
            raise LostError(_lost(address, follower, f"not a word in {seconds:g} s")) from None
        except OSError as error:
            raise LostError(_lost(address, follower, error.strerror or str(error))) from None
    if follower.in_hand or not follower.begun:
        raise LostError(_lost(address, follower, "closed by the dealer"))


def _lost(address: str, follower: Follower, why: str) -> str:
    when = "between two hands"
    if not follower.begun:
        when = "before the first hand"
    elif follower.in_hand:
        when = "in the middle of a hand"
    return f"{address}: lost the connection ({why}) {when}, after {len(follower.won):,} hands"
