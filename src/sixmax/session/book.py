"""The hands of sessions on disk, each written as soon as it is over: a log, and PHH files.

Any end of a session leaves the hands before it whole, and a later session goes on behind them.
"""

import os
import re
from pathlib import Path

from sixmax.base.errors import UserError
from sixmax.base.files import write_text
from sixmax.base.options import refuse_unwritable
from sixmax.betting import notation
from sixmax.betting.config import GameConfig
from sixmax.hands.acpc import log_head, log_line
from sixmax.hands.formats import opened
from sixmax.hands.hand_file import placed
from sixmax.hands.phh_form import form as form_phh
from sixmax.hands.record import Record

FIRST = 1  # number of the first hand of all
_PHH = re.compile(r"hand-(\d{6,9})\.phh")


class Book:
    """The file ``log`` of ACPC lines, and the folder ``phh`` with a file a hand; None: none.

    Raises UserError where they cannot be written, and for a log of another game or one whose last
    line is torn.
    """

    def __init__(self, game: GameConfig, log: Path | None = None, phh: Path | None = None):
        self._log, self._phh, self._head = log, phh, log_head(game)
        refuse_unwritable(log, None if phh is None else phh / "hand-000000.phh")
        self.hands = 0  # written by this session
        self.first = max(self._after_log(), self._after_phh())  # number of its first hand

    def add(self, record: Record) -> None:
        if self._log is not None:
            self._log.parent.mkdir(parents=True, exist_ok=True)
            head = "" if self._log.exists() and self._log.stat().st_size else self._head
            with self._log.open("ab") as file:
                file.write((head + log_line(record)).encode())
                file.flush()
                os.fsync(file.fileno())
        if self._phh is not None:
            write_text(self._phh / f"hand-{record.number:06}.phh", form_phh(record))
        self.hands += 1

    def _after_log(self) -> int:
        """One more than the largest number of a hand in the log."""
        if self._log is None or not self._log.is_file() or not self._log.stat().st_size:
            return FIRST
        text = self._log.read_text(encoding="utf-8-sig", errors="replace")
        if not text.startswith(self._head):
            raise UserError(f"{self._log}: a log of another game; name another file")
        if not text.endswith("\n"):
            raise UserError(f"{self._log}: its last line is torn; mend it, or name another file")
        with opened(self._log) as (kind, log):
            hands = [line for line in placed(log) if not line[1].startswith(kind.totals)]
        return 1 + max((notation.parse(line, place).number for place, line in hands), default=0)

    def _after_phh(self) -> int:
        files = [] if self._phh is None or not self._phh.is_dir() else self._phh.iterdir()
        numbers = [int(match[1]) for file in files if (match := _PHH.fullmatch(file.name))]
        return 1 + max(numbers, default=0)
