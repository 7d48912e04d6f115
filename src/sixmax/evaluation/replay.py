"""Hand histories checked: every hand played by the rules, its payoffs compared, winnings added up.

Files are read in blocks, so that memory does not grow with them. ACPC logs go through
:mod:`sixmax.evaluation.replay_kernels`; lines that it does not take are parsed here, where a
mistake has words. PHH has the rules of each hand in it and is read hand by hand.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation import allin, phh
from sixmax.evaluation.acpc import game_from
from sixmax.evaluation.phh_lines import as_line, numbers
from sixmax.evaluation.record import Record, big_blind, from_line, rules
from sixmax.evaluation.replay_kernels import ASK, EARLY, EMPTY, scan_kernel
from sixmax.evaluation.statistics import Sums
from sixmax.evaluation.tally import Tally
from sixmax.game.config import GameConfig
from sixmax.game.rules import begin

BLOCK = 1 << 22  # bytes read at once
LINES = 1 << 14  # lines checked at once
_HEAD_LINES = 1000  # comments in which a log may name its game
SUFFIXES = (".phh", ".phhs")
ACPC_STACK = {2: 20_000, 6: 10_000}  # chips: the ACPC's heads-up game, and Pluribus's


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


def replay(
    files: Iterable[Path],
    game: GameConfig | None = None,
    boards: int | None = None,
    progress: Callable[[int], None] = lambda n: None,
) -> Tally:
    """Check ``files``, ACPC logs or PHH; ``progress`` is told of bytes read.

    ``game`` is the rules of logs that do not name theirs. ``boards`` counts all-in pots by
    :func:`sixmax.evaluation.allin.expected`. Raises UserError for a file that cannot be read.
    """
    tally = Tally()
    for file in files:
        if file.suffix in SUFFIXES:
            _replay_phh(file, boards, tally, progress)
        else:
            _replay_log(file, game_of(file, game), boards, tally, progress)
    return tally


def histories(places: Iterable[Path]) -> list[Path]:
    """The files among ``places``, and those in its folders that end like logs or PHH.

    Raises UserError for a place where there is nothing of the kind.
    """
    found: list[Path] = []
    for place in places:
        inside = [file for file in sorted(place.glob("*")) if file.suffix in (".log", *SUFFIXES)]
        if not (inside or place.is_file()):
            what = "no hand histories (.log, .phh, .phhs)" if place.is_dir() else "no such file"
            raise UserError(f"{place}: {what}")
        found += inside or [place]
    return found


def game_of(file: Path, game: GameConfig | None) -> GameConfig:
    """The rules of a log: those it names, else ``game``, else what is usual with its players."""
    head, seats = [], 6
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("STATE") and line.count(":") == 5:
                seats = line.rsplit(":", 1)[-1].count("|") + 1
                break
            if line.startswith("#") and len(head) < _HEAD_LINES:
                head.append(line.lstrip("# "))
    if any(line.startswith("GAMEDEF") for line in head):
        return game_from(head, str(file))
    if game is not None:
        return game
    if seats not in ACPC_STACK:
        raise UserError(f"{file}: {seats} players, whose stacks are unknown; name them by --game")
    blinds = [100, 50] if seats == 2 else [50, 100] + [0] * (seats - 2)
    first = [1 if seats == 2 else 2, 0, 0, 0]
    return rules([ACPC_STACK[seats]] * seats, blinds, [0] * seats, first)


def _replay_log(
    file: Path, game: GameConfig, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    room, start, at_line = _Room.of(game.seats), begin(game), 0
    names: dict[int, str] = {}
    with file.open("rb") as stream:
        rest = b""
        while block := stream.read(BLOCK):
            progress(len(block))
            block = rest + block
            cut = block.rfind(b"\n") + 1
            rest = block[cut:]
            at_line = _lines(block[:cut], start, room, names, file, game, boards, at_line, tally)
        if rest:
            _lines(rest, start, room, names, file, game, boards, at_line, tally)


def _lines(
    block: bytes, start: np.ndarray, room: _Room, names: dict[int, str], file: Path,
    game: GameConfig, boards: int | None, at_line: int, tally: Tally,
) -> int:  # fmt: skip
    """Check the lines of ``block``; returns the number of lines so far."""
    text, at = np.frombuffer(block, np.uint8), 0
    while at < len(block):
        n, at = scan_kernel(text, at, start, False, *room)
        kind = room.kind[:n]
        by_rule = kind == ASK
        if boards is not None:
            by_rule |= kind == EARLY
        for k in np.flatnonzero(by_rule):
            a, b = room.place[k]
            line = block[a:b].decode("utf-8", "replace")
            _one(line, f"{file}, line {at_line + k + 1:,}", game, boards, tally)
        _good(np.flatnonzero(~by_rule & (kind != EMPTY)), block, room, names, game, tally)
        at_line += n
    return at_line


def _good(
    rows: np.ndarray, block: bytes, room: _Room, names: dict[int, str], game: GameConfig,
    tally: Tally, called: list[str] | None = None,
) -> None:  # fmt: skip
    """Add up what the players won in the good lines ``rows``; ``called`` are the names of players
    who are numbers in them."""
    if not len(rows):
        return
    tally.hands += len(rows)
    mbb = room.net[rows].ravel() * (1000 / big_blind(game))
    found, first, which = np.unique(room.name[rows], return_index=True, return_inverse=True)
    which, mbb = _by_hand(which.reshape(len(rows), game.seats), mbb)
    spans = room.span[rows].reshape(-1, 2)
    count, total = np.bincount(which), np.bincount(which, mbb)
    square = np.bincount(which, mbb * mbb)
    for k, key in enumerate(found.tolist()):
        if key not in names:
            a, b = spans[first[k]]
            name = block[a:b].decode("utf-8", "replace")
            names[key] = name if called is None else called[int(name)]
        tally.won(names[key], Sums(int(count[k]), float(total[k]), float(square[k])))


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


def _one(line: str, where: str, game: GameConfig, boards: int | None, tally: Tally) -> None:
    """Check one line in words."""
    if not line.strip():
        return
    try:
        hand, net = from_line(line, game, where=where)
        _count(hand, net, where, boards, tally)
    except UserError as error:
        tally.damaged += 1
        tally.mistake(str(error))


def _count(hand: Record, net: np.ndarray, where: str, boards: int | None, tally: Tally) -> None:
    chips = hand.payoffs if boards is None else allin.expected(hand, boards, hand.number)
    tally.hand(hand, net, where, chips * (1000 / big_blind(hand.rules)))


class _PhhLines:
    """Hands of PHH on their way to the fast reader: as many as share their rules at once."""

    def __init__(self, file: Path, boards: int | None, tally: Tally):
        self._file, self._boards, self._tally = file, boards, tally
        self._players: dict[str, int] = {}
        self._names: dict[int, str] = {}  # by the hash of the number
        self._rules: tuple[str, str, str] | None = None
        self._lines: list[str] = []
        self._hands: list[tuple[int, str]] = []  # line of the file and text
        self._rooms: dict[int, _Room] = {}

    def add(self, number: int, text: str) -> None:
        """Check the hand ``text``, which begins at line ``number``, now or with others."""
        found = as_line(text, self._players)
        if found is None:
            self._one(number, text)
            return
        if found.rules != self._rules or len(self._lines) == LINES:
            self.flush()
            self._rules = found.rules
        self._lines.append(found.text)
        self._hands.append((number, text))

    def flush(self) -> None:
        """Check those that wait."""
        if not self._lines:
            return
        antes, blinds, stacks = (numbers(text) for text in self._rules)
        try:
            game = phh.rules_of(stacks, blinds, antes)
        except UserError:
            by_rule = np.arange(len(self._lines))
        else:
            by_rule = self._scan(game)
        for k in by_rule:
            self._one(*self._hands[k])
        self._lines, self._hands = [], []

    def _scan(self, game: GameConfig) -> np.ndarray:
        """Add up the good hands; which are to be looked at in words."""
        block = "".join(self._lines).encode()
        room = self._rooms.setdefault(game.seats, _Room.of(game.seats))
        text = np.frombuffer(block, np.uint8)
        n, _ = scan_kernel(text, 0, begin(game), True, *room)
        kind = room.kind[:n]
        by_rule = (kind == ASK) | ((kind == EARLY) & (self._boards is not None))
        _good(
            np.flatnonzero(~by_rule), block, room, self._names, game, self._tally,
            list(self._players),
        )  # fmt: skip
        return np.flatnonzero(by_rule)

    def _one(self, number: int, text: str) -> None:
        where = f"{self._file}, line {number:,}"
        try:
            _count(*phh.parse(text, where), where, self._boards, self._tally)
        except UserError as error:
            self._tally.damaged += 1
            self._tally.mistake(str(error))


def _replay_phh(
    file: Path, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    waiting = _PhhLines(file, boards, tally)
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, text in phh.blocks(lines):
            waiting.add(number, text)
            progress(len(text))
    waiting.flush()
