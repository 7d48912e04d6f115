"""Hand histories as files, ACPC logs and PHH: written hand by hand, whole or not at all."""

import os
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.betting.config import GameConfig
from sixmax.hands.acpc import form_game
from sixmax.hands.phh_form import form as form_phh
from sixmax.hands.record import Record, shift, to_line, turned, turned_rules


class _File:
    """Written aside, and moved to its place when all went well.

    Where a match was stopped, its hands are kept under a name with ``.part``.
    """

    _hands = 0

    def __init__(self, path: Path, game: GameConfig, ranks: int):
        self._path, self._game, self._ranks = path, game, ranks

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._aside = self._path.with_name(f".{self._path.name}.{uuid.uuid4().hex[:8]}.tmp")
        self._file = self._aside.open("w", encoding="utf-8", newline="\n")
        self._file.write(self._head())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._file.close()
        stopped = kind is not None and issubclass(kind, UserError | KeyboardInterrupt)
        if kind is None:
            os.replace(self._aside, self._path)
        elif stopped and self._hands:
            part = self._path.with_stem(self._path.stem + ".part")
            os.replace(self._aside, part)
            say(f"{part}: the {self._hands:,} hands that were played")
        else:
            self._aside.unlink(missing_ok=True)

    def _head(self) -> str:
        return ""

    def add(self, record: Record) -> None:
        """Write one hand."""
        self._hands += 1
        self._file.write(self._text(record))

    def _text(self, record: Record) -> str:
        raise NotImplementedError


class AcpcLog(_File):
    """A line a hand, in the seats of the ACPC, with the game definition in comments before."""

    def _head(self) -> str:
        game = turned_rules(self._game, shift(self._game))
        return "".join(f"# {line}\n" for line in form_game(game).splitlines())

    def _text(self, record: Record) -> str:
        return to_line(turned(record, shift(record.rules))) + "\n"


class PhhFile(_File):
    """One file of many hands (.phhs): each a table named by its place, from 1 on."""

    def _text(self, record: Record) -> str:
        return f"[{self._hands}]\n{form_phh(record)}\n"
