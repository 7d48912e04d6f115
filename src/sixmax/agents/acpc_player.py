"""Somebody else's player at our table: it connects to us as to an ACPC dealer."""

import socket
import time

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.betting.config import GameConfig
from sixmax.betting.state import Betting
from sixmax.cards.deck import format_cards
from sixmax.hands.acpc import VERSION, form_end, form_state, read_answer
from sixmax.hands.record import Record, shift, turned

PREFIX = "acpc:"
_LONGEST = 1 << 16  # bytes of a line


class Listener:
    """A port of this machine on which players are awaited."""

    def __init__(self, port: int, seconds: float):
        """Raises UserError for a port that cannot be had."""
        self._seconds = seconds
        try:
            self._socket = socket.create_server(("127.0.0.1", port))
        except OSError as error:
            raise UserError(
                f"port {port}: cannot listen ({error.strerror}); take another"
            ) from None
        self._socket.settimeout(seconds)
        self.port = self._socket.getsockname()[1]

    def accept(self) -> socket.socket:
        """The next player that connects. Raises UserError where none comes in time."""
        say(f"waiting for an ACPC player on port {self.port}")
        try:
            connection, _ = self._socket.accept()
        except TimeoutError:
            raise UserError(
                f"port {self.port}: no ACPC player connected in {self._seconds:g} s"
            ) from None
        connection.settimeout(self._seconds)
        connection.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        )  # short lines, each awaited
        return connection

    def close(self) -> None:
        self._socket.close()


class AcpcPlayer(Player):
    """A player that gets match states and answers them. It connects when its first hand begins.

    Raises UserError where it is of another version, does no legal action, or does not connect or
    answer in time.
    """

    def __init__(self, listener: Listener, ranks: int = 13):
        self.name, self._ranks = f"acpc-{listener.port}", ranks  # no colon: it goes into logs
        self._listener, self._connection = listener, None
        self._heard = b""  # and not yet read

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._number, self._betting = number, Betting(game)
        if self._connection is None:
            self._connection = self._listener.accept()
            self._seconds = self._connection.gettimeout()
            if (version := self._line(self._deadline())) != VERSION:
                raise UserError(f"{self.name}: found {version[:60]!r}, wanted {VERSION}")
        self._shift = shift(game)
        self._position = (seat - self._shift) % game.seats
        holes = [""] * game.seats
        holes[self._position] = format_cards(hole, self._ranks)
        self._cards, self._actions = "|".join(holes), [[]]
        self._tell()

    def deal(self, cards: np.ndarray) -> None:
        self._cards += "/" + format_cards(cards, self._ranks)
        self._actions.append([])
        self._tell()

    def see(self, action: int) -> None:
        self._actions[-1].append(action)
        self._betting.act(action)
        if not self._betting.over and len(self._actions) - 1 == self._betting.round:
            self._tell()  # otherwise once the board is dealt, or with the end of the hand

    def act(self, u: float) -> int:
        deadline = self._deadline()
        while True:
            line = self._line(deadline)
            if not line or line[0] in "#;":
                continue
            try:
                action = read_answer(line, self._state)
                self._betting.copy().act(action)
            except UserError as error:
                raise UserError(f"{self.name}, hand {self._number}: {error}") from None
            return action

    def end(self, record: Record) -> None:
        left = self._betting.contenders
        seats = range(record.rules.seats)
        mask = sum(1 << (p - self._shift) % len(seats) for p in seats if left >> p & 1)
        self._state = form_end(turned(record, self._shift), self._position, mask)
        self._send(self._state)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._listener.close()

    def _tell(self) -> None:
        self._state = form_state(self._position, self._number, self._actions, self._cards)
        self._send(self._state)

    def _send(self, text: str) -> None:
        try:
            self._connection.sendall(f"{text}\r\n".encode())
        except OSError as error:
            raise UserError(self._lost(error.strerror or str(error))) from None

    def _deadline(self) -> float:
        """Until when an answer is awaited that is asked for now."""
        return time.monotonic() + self._seconds

    def _line(self, deadline: float) -> str:
        """The next whole line. Raises UserError where it has not come by ``deadline``."""
        late = f"{self.name}, hand {self._number}: no answer in time"
        while True:
            if (left := deadline - time.monotonic()) <= 0:
                raise UserError(late)
            line, end, rest = self._heard.partition(b"\n")
            if end:
                self._heard = rest
                return line.decode("ascii", "replace").strip()
            if len(line) >= _LONGEST:
                raise UserError(self._lost(f"a line of {_LONGEST:,} bytes or more"))
            self._heard += self._receive(left, late)

    def _receive(self, seconds: float, late: str) -> bytes:
        """Some bytes of the player. Raises UserError where none come in ``seconds``."""
        try:
            self._connection.settimeout(seconds)
            received = self._connection.recv(_LONGEST)
            self._connection.settimeout(self._seconds)  # to send again
        except TimeoutError:
            raise UserError(late) from None
        except OSError as error:
            raise UserError(self._lost(error.strerror or str(error))) from None
        if not received:
            raise UserError(self._lost("closed by the player"))
        return received

    def _lost(self, why: str) -> str:
        return f"{self.name}: lost the connection ({why}) in hand {self._number}"
