"""Hands of PHH checked: plain ones many at a time by the fast reader, others in words."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation.hands import phh, replay_batch
from sixmax.evaluation.hands.lines import lines
from sixmax.evaluation.hands.phh_lines import as_line, numbers
from sixmax.evaluation.hands.replay_batch import Room, add_up, count
from sixmax.evaluation.hands.replay_kernels import ASK, EARLY, scan_kernel
from sixmax.evaluation.hands.tally import Tally
from sixmax.game.config import GameConfig
from sixmax.game.rules import begin


class _PhhLines:
    """Hands of PHH on their way to the fast reader: as many as share their rules at once."""

    def __init__(self, file: Path, boards: int | None, tally: Tally):
        self._file, self._boards, self._tally = file, boards, tally
        self._players: dict[str, int] = {}
        self._names: dict[int, str] = {}  # by the hash of the number
        self._rules: tuple[str, str, str] | None = None
        self._lines: list[str] = []
        self._hands: list[tuple[int, str]] = []  # line of the file and text
        self._rooms: dict[int, Room] = {}

    def add(self, number: int, text: str) -> None:
        """Check the hand ``text``, which begins at line ``number``, now or with others."""
        found = as_line(text, self._players) if len(text) <= phh.LARGEST else None
        if found is None:
            self._one(number, text)
            return
        if found.rules != self._rules or len(self._lines) == replay_batch.LINES:
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
        room = self._rooms.setdefault(game.seats, Room.of(game.seats))
        text = np.frombuffer(block, np.uint8)
        n, _ = scan_kernel(text, 0, begin(game), True, *room)
        kind = room.kind[:n]
        by_rule = (kind == ASK) | ((kind == EARLY) & (self._boards is not None))
        add_up(
            np.flatnonzero(~by_rule), block, room, self._names, game, self._tally,
            list(self._players),
        )  # fmt: skip
        return np.flatnonzero(by_rule)

    def _one(self, number: int, text: str) -> None:
        where = f"{self._file}, line {number:,}"
        try:
            count(*phh.parse(text, where), where, self._boards, self._tally)
        except UserError as error:
            self._tally.damage(str(error))


def replay_phh(
    file: Path, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    """Check the hands of ``file``; ``progress`` is told of characters read."""
    waiting = _PhhLines(file, boards, tally)
    with file.open(encoding="utf-8", errors="replace") as stream:
        for number, text in phh.blocks(lines(stream)):
            waiting.add(number, text)
            progress(len(text))
    waiting.flush()
