"""ACPC logs checked: lines that are as they should be by a kernel, the others in words.

A dealer ends its log with ``SCORE:<chips>:<names>``, the totals of the match: they are compared
with the sums of the hands before, where these are the whole match.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation.hands.lines import LONGEST, blocks
from sixmax.evaluation.hands.record import Record, big_blind, from_line
from sixmax.evaluation.hands.replay_kernels import ASK, EARLY, EMPTY, scan_kernel
from sixmax.evaluation.hands.tally import TOLERANCE, Tally, chips_text, label
from sixmax.evaluation.scores.statistics import Sums
from sixmax.game.config import GameConfig
from sixmax.game.rules import begin

LINES = 1 << 14  # lines checked at once
_CHIPS = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def replay_log(
    file: Path, game: GameConfig, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    """Check the hands of ``file``, played by ``game``; ``progress`` is told of bytes read."""
    log = _Log(file, game, boards, tally)
    with file.open("rb") as stream:
        for block in blocks(stream, progress):
            log.add(block)


class _Totals:
    """What the hands of one match paid, as its log has it."""

    def __init__(self) -> None:
        self.chips: dict[str, float] = {}
        self.damaged = False
        self._hands = self._rounded = 0
        self._first, self._last = np.inf, -1

    @property
    def whole(self) -> bool:
        """Whether these are all hands of a match, numbered from 0 on."""
        return not self.damaged and self._first == 0 and self._last == self._hands - 1 >= 0

    @property
    def tolerance(self) -> float:
        """Chips by which a sum may differ, as logs round what is no whole number."""
        return TOLERANCE * (1 + self._rounded)

    def add(self, numbers: tuple[int, ...], net: np.ndarray, won: dict[str, float]) -> None:
        """Hands with payoffs ``net`` float64[hands, seats]; the least and last of ``numbers``."""
        self._first, self._last = min(self._first, *numbers), max(self._last, *numbers)
        self._hands += len(net)
        self._rounded += int((net != np.rint(net)).any(axis=1).sum())
        for name, chips in won.items():
            self.chips[name] = self.chips.get(name, 0.0) + chips


class _Room(NamedTuple):
    """What the kernel writes of ``LINES`` lines."""

    kind: np.ndarray
    place: np.ndarray
    net: np.ndarray
    name: np.ndarray
    span: np.ndarray

    @classmethod
    def of(cls, seats: int) -> "_Room":
        return cls(
            np.empty(LINES, np.uint8),
            np.empty((LINES, 2), np.int64),
            np.empty((LINES, seats)),
            np.empty((LINES, seats), np.uint64),
            np.empty((LINES, seats, 2), np.int64),
        )


class _Log:
    """One log on its way through the kernel."""

    def __init__(self, file: Path, game: GameConfig, boards: int | None, tally: Tally):
        self._file, self._game, self._boards, self._tally = file, game, boards, tally
        self._room, self._start = _Room.of(game.seats), begin(game)
        self._names: dict[int, str] = {}  # by their hashes
        self._lines, self._totals = 0, _Totals()

    def add(self, block: bytes) -> None:
        """Check the lines of ``block``."""
        text, at = np.frombuffer(block, np.uint8), 0
        while at < len(block):
            n, at = scan_kernel(text, at, self._start, *self._room)
            self._batch(block, n)
            self._lines += n

    def _batch(self, block: bytes, n: int) -> None:
        kind, place = self._room.kind[:n], self._room.place[:n]
        by_rule = (kind == ASK) | (place[:, 1] - place[:, 0] > LONGEST)
        if self._boards is not None:
            by_rule |= kind == EARLY
        good, done = np.flatnonzero(~by_rule & (kind != EMPTY)), 0
        for k in np.flatnonzero(by_rule):
            a, b = place[k]
            line = block[a:b].decode("utf-8", "replace")
            where = f"{self._file}, line {self._lines + k + 1:,}"
            if line.startswith("SCORE:"):
                before = int(np.searchsorted(good, k))
                self._good(good[done:before], block)
                done = before
                _score(line, where, self._totals, self._tally)
                self._totals = _Totals()
            elif line.strip():
                self._one(line, where)
        self._good(good[done:], block)

    def _one(self, line: str, where: str) -> None:
        hand = _one(line, where, self._game, self._boards, self._tally)
        if hand is None:
            self._totals.damaged = True
            return
        won: dict[str, float] = {}
        for name, chips in zip(hand.names, hand.payoffs.tolist(), strict=True):
            won[name] = won.get(name, 0.0) + chips
        self._totals.add((hand.number, hand.number), hand.payoffs[None], won)

    def _good(self, rows: np.ndarray, block: bytes) -> None:
        if not len(rows):
            return
        room = self._room
        won = _add_up(rows, block, room, self._names, self._game, self._tally)
        starts = (int(room.place[row, 0]) + len("STATE:") for row in (rows[0], rows[-1]))
        numbers = tuple(int(block[at : block.index(b":", at)]) for at in starts)
        self._totals.add(numbers, room.net[rows], won)


def _add_up(
    rows: np.ndarray, block: bytes, room: _Room, names: dict[int, str], game: GameConfig,
    tally: Tally,
) -> dict[str, float]:  # fmt: skip
    """Add up what the players won in the good lines ``rows``, and return their chips by name.

    ``names`` are those met so far, by their hashes.
    """
    won: dict[str, float] = {}
    if not len(rows):
        return won
    tally.hands += len(rows)
    at = label(game)
    net = room.net[rows].ravel()
    found, first, which = np.unique(room.name[rows], return_index=True, return_inverse=True)
    chips = np.bincount(which.ravel(), net)
    which, mbb = _by_hand(which.reshape(len(rows), game.seats), net * (1000 / big_blind(game)))
    spans = room.span[rows].reshape(-1, 2)
    hands, total = np.bincount(which), np.bincount(which, mbb)
    square = np.bincount(which, mbb * mbb)
    for k, key in enumerate(found.tolist()):
        if key not in names:
            a, b = spans[first[k]]
            names[key] = block[a:b].decode("utf-8", "replace")
        tally.won(at, names[key], Sums(int(hands[k]), float(total[k]), float(square[k])))
        won[names[key]] = won.get(names[key], 0.0) + float(chips[k])
    return won


def _by_hand(which: np.ndarray, mbb: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Who won what in a hand, flat: the mean over the seats of a player who has more than one.

    ``which`` is int[hands, seats], the players; their hands, not their seats, are independent.
    """
    near = np.sort(which, axis=1)
    if not (near[:, 1:] == near[:, :-1]).any():
        return which.ravel(), mbb
    players = which.max() + 1
    key = which + players * np.arange(len(which))[:, None]
    key, at, seats = np.unique(key, return_inverse=True, return_counts=True)
    return key % players, np.bincount(at.ravel(), mbb) / seats


def _one(
    line: str, where: str, game: GameConfig, boards: int | None, tally: Tally
) -> Record | None:
    """Check one line in words; the hand, None where it is damaged."""
    try:
        if len(line) > LONGEST:
            raise UserError(f"{where}: a line of more than {LONGEST:,} bytes")
        hand, net = from_line(line, game, where=where)
        tally.hand(hand, net, where, boards)
    except UserError as error:
        tally.damage(str(error))
        return None
    return hand


def _score(line: str, where: str, totals: _Totals, tally: Tally) -> None:
    """Compare the totals that ``line`` has with those of the hands, where these are whole."""
    chips, _, names = (part.split("|") for part in line.strip()[6:].partition(":"))
    if len(chips) != len(names) or not all(map(_CHIPS.fullmatch, chips)):
        tally.damage(f"{where}: found {line[:60]!r}, wanted SCORE:<chips>:<names>")
        return
    if not totals.whole:
        return
    given: dict[str, float] = {}
    for name, text in zip(names, chips, strict=True):
        given[name] = given.get(name, 0.0) + float(text)
    paid = totals.chips
    if given.keys() != paid.keys() or any(
        abs(given[name] - paid[name]) > totals.tolerance for name in given
    ):
        tally.mismatch(
            f"{where}: found score {_sums(given)}, the hands before it pay {_sums(paid)}"
        )


def _sums(chips: dict[str, float]) -> str:
    names = sorted(chips)
    return f"{chips_text([chips[name] for name in names])} of {'|'.join(names)}"
