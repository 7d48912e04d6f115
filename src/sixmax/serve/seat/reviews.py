"""Files of hands that a page has sent, and reviews of their hands."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.betting.config import SEEN
from sixmax.blueprint.run import Run
from sixmax.hands.formats import names, recognised
from sixmax.hands.record import Record
from sixmax.search.settings import search_config
from sixmax.serve.seat import shown
from sixmax.serve.spot import cards, table_of
from sixmax.session.opinion import Adviser
from sixmax.session.review import hands_of

BYTES = 1 << 20  # of a file
HANDS = 5000  # of a file


class Reviews:
    """Opinions about hands of files, by agents of ``run``."""

    def __init__(self, run: Run, config: str | None = None):
        self._run, self._config = run, search_config(config, "fast", folder=run.folder)
        self._advisers: dict[str, Adviser] = {}
        self._lock = Lock()

    def read(self, text: Any) -> list[Record]:
        """The hands of ``text``, a file of one of FORMATS.

        Raises UserError for a damaged hand, another game, too many hands, and none at all.
        """
        if not isinstance(text, str):
            raise UserError(f"text: wanted {names()}")
        kind = recognised(text.splitlines())
        hands: list[Record] = []
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"hands{kind.endings[-1] if kind else ''}"
            file.write_text(text, encoding="utf-8", errors="replace")
            try:
                for record in hands_of(self._run, file) if kind else ():
                    hands.append(record)
                    if len(hands) > HANDS:
                        raise UserError(f"more than {HANDS:,} hands; take a smaller file")
            except UserError as error:
                line = str(error).replace(f"{file}, ", "").replace(str(file), "")
                raise UserError(line) from None
        if not hands:
            raise UserError(f"no hands in the file; wanted {names()}")
        return hands

    def hand(self, hands: Sequence[Record], number: int, seat: int, agent: str) -> dict[str, Any]:
        """The steps of hand ``number``, counted from 0, and opinions about ``seat`` in it.

        Raises UserError for a hand, seat or agent that there is not.
        """
        if not 0 <= number < len(hands):
            raise UserError(f"hand {number}: the file has {len(hands):,}")
        record, run = hands[number], self._run
        if not 0 <= seat < run.game.seats:
            raise UserError(f"seat {seat}: wanted 0 to {run.game.seats - 1}")
        with self._lock:
            if agent not in self._advisers:
                self._advisers[agent] = Adviser(run, agent, self._config)
            seed = int(child(1, "review", record.number))
            opinions = list(self._advisers[agent].of_record(record, seat, seed))
        game, done = record.rules, record.actions
        return {
            "steps": list(self._steps(record, seat)),
            "events": shown.events(game, done),
            "decisions": [shown.decision(game, done, each, run.ranks) for each in opinions],
            "seat": seat,
        }

    def _steps(self, record: Record, seat: int) -> Iterator[dict[str, Any]]:
        """The table before the first action and after each: with all cards that are known."""
        board, holes = cards(record.board, record.ranks), record.hole_texts
        for in_round, betting, base, _ in shown.steps(record.rules, record.actions):
            seen = board if betting.over else board[: SEEN[in_round]]
            won = record.payoffs.tolist() if betting.over else ()
            seated = table_of(self._run, betting, base, seen)
            yield shown.table(seated, record.names, seat, holes, won)


def row(record: Record) -> dict[str, Any]:
    """A hand for a list: number, players, known cards and chips won, by seat."""
    return {
        "number": record.number,
        "names": list(record.names),
        "cards": [shown.two(text) for text in record.hole_texts],
        "won": [float(chips) for chips in record.payoffs],
    }
