"""Somebody else's player at our table: it connects to us as to an ACPC dealer."""

import socket

import numpy as np

from sixmax.agents.acpc_client import Lines
from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.betting.config import GameConfig
from sixmax.betting.state import Betting
from sixmax.cards.deck import format_cards
from sixmax.hands.acpc import VERSION, form_end, form_state, read_answer
from sixmax.hands.record import Record, shift, turned

PREFIX = "acpc:"


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

    def accept(self) -> Lines:
        """The next player that connects. Raises UserError where none comes in time."""
        say(f"waiting for an ACPC player on port {self.port}")
        try:
            connection, _ = self._socket.accept()
        except TimeoutError:
            raise UserError(
                f"port {self.port}: no ACPC player connected in {self._seconds:g} s"
            ) from None
        return Lines(connection, self._seconds)

    def close(self) -> None:
        self._socket.close()


class AcpcPlayer(Player):
    """A player that gets match states and answers them. It connects when its first hand begins.

    Raises UserError where it is of another version, does no legal action, or does not connect or
    answer in time.
    """

    def __init__(self, listener: Listener, ranks: int = 13):
        self.name, self._ranks = f"acpc-{listener.port}", ranks  # no colon: it goes into logs
        self._listener, self._lines = listener, None

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        self._number, self._betting = number, Betting(game)
        if self._lines is None:
            self._lines = self._listener.accept()
            if (version := self._hear(self._lines.until())) != VERSION:
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
        until = self._lines.until()
        while not (line := self._hear(until)) or line[0] in "#;":
            pass
        try:
            action = read_answer(line, self._state)
            self._betting.copy().act(action)
        except UserError as error:
            raise UserError(f"{self.name}, hand {self._number}: {error}") from None
        return action

    def end(self, record: Record) -> None:
        self._state = form_end(turned(record, self._shift), self._position)
        self._send(self._state)

    def close(self) -> None:
        if self._lines is not None:
            self._lines.close()
        self._listener.close()

    def _tell(self) -> None:
        self._state = form_state(self._position, self._number, self._actions, self._cards)
        self._send(self._state)

    def _send(self, text: str) -> None:
        try:
            self._lines.say(text)
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from None

    def _hear(self, until: float) -> str:
        try:
            line = self._lines.hear(until)
        except TimeoutError:
            raise UserError(f"{self.name}, hand {self._number}: no answer in time") from None
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from None
        if line is None:
            raise self._lost("closed by the player")
        return line

    def _lost(self, why: str) -> UserError:
        return UserError(f"{self.name}: lost the connection ({why}) in hand {self._number}")
