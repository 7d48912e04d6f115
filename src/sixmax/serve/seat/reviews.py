"""Files of hands that a page has sent, a few at a time, and reviews of their hands."""

import secrets
import tempfile
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.betting.config import SEEN
from sixmax.blueprint.run import Run
from sixmax.cards.deck import format_cards
from sixmax.evaluation.match.by_hand import LiveHand
from sixmax.hands.record import UNSEEN, Record
from sixmax.search.config import search_config
from sixmax.serve.seat import shown
from sixmax.session.opinion import Adviser
from sixmax.session.records import hands_of
from sixmax.session.session import ROTATE, first_seat
from sixmax.session.state import see

MOST = 4  # files
BYTES = 1 << 20  # of a file
HANDS = 5000  # of a file


class Reviews:
    """The files that a server about ``run`` keeps, by names that cannot be guessed."""

    def __init__(self, run: Run, config: str | None = None):
        self._run, self._config = run, search_config(config, "fast", folder=run.folder)
        self._files = OrderedDict[str, list[Record]]()
        self._advisers: dict[str, Adviser] = {}
        self._button, self._lock = first_seat(run, ROTATE), Lock()

    def open(self, text: Any) -> dict[str, Any]:
        """Keep the hands of ``text``, an ACPC log or PHH: the file's name, and a row a hand.

        Raises UserError for a damaged hand, another game, and no hand at all.
        """
        if not isinstance(text, str):
            raise UserError("text: wanted an ACPC log or PHH")
        hands = _read(self._run, text)
        with self._lock:
            name = secrets.token_hex(8)
            self._files[name] = hands
            while len(self._files) > MOST:
                self._files.popitem(last=False)
        return {"name": name, "hands": [_row(record) for record in hands]}

    def hand(self, name: str, number: int, seat: int, agent: str) -> dict[str, Any] | None:
        """The steps of hand ``number``, counted from 0, and opinions about ``seat`` in it.

        None for a file that is not kept. Raises UserError for a hand or seat that there is not.
        """
        with self._lock:
            hands = self._files.get(name)
            if hands is None:
                return None
            if not 0 <= number < len(hands):
                raise UserError(f"hand {number}: the file has {len(hands):,}")
            record, run = hands[number], self._run
            if not 0 <= seat < run.game.seats:
                raise UserError(f"seat {seat}: wanted 0 to {run.game.seats - 1}")
            if agent not in self._advisers:
                self._advisers[agent] = Adviser(run, agent, self._config)
            seed = int(child(1, "review", record.number))
            opinions = list(self._advisers[agent].of_record(record, seat, seed))
        values = [shown.decision(record.rules, record.actions, o, run.ranks) for o in opinions]
        return {
            "steps": list(self._steps(record, seat)),
            "events": shown.events(record.rules, record.actions),
            "decisions": values,
            "seat": seat,
        }

    def _steps(self, record: Record, seat: int) -> list[dict[str, Any]]:
        """The table before the first action and after each: with all cards that are known."""
        seats, ranks = len(record.names), record.ranks
        players = [Player() for _ in range(seats)]
        for player, name in zip(players, record.names, strict=True):
            player.name = name
        cards = np.full(2 * seats + SEEN[-1], UNSEEN, np.int8)
        cards[: 2 * seats] = record.holes.ravel()
        cards[2 * seats :][: len(record.board)] = record.board
        hand = LiveHand(players, record.rules, ranks, cards, record.number, 0)
        holes = ["" if UNSEEN in h else format_cards(h, ranks) for h in record.holes]

        def table(end: Record | None) -> dict[str, Any]:
            state = see(hand, seat, ranks, end)._replace(shown=())
            return shown.table(state, self._button, self._run.big_blind, holes)

        steps = [table(None)]
        for action in (action for part in record.actions for _, action in part):
            hand.act(action)
            steps.append(table(None if not hand.over else _seen(record)))
        return steps


def _seen(record: Record) -> Record:
    """``record`` without holes, which the table shows by itself."""
    return record._replace(holes=np.empty((0, 2), np.int8))


def _read(run: Run, text: str) -> list[Record]:
    kind = ".log" if "STATE:" in text else ".phhs" if "variant" in text else None
    if kind is None:
        raise UserError("no hands in the file; wanted an ACPC log or PHH")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"hands{kind}"
        file.write_text(text, encoding="utf-8", errors="replace")
        hands = []
        try:
            for record in hands_of(run, file):
                hands.append(record)
                if len(hands) > HANDS:
                    raise UserError(f"more than {HANDS:,} hands; take a smaller file")
        except UserError as error:
            raise UserError(str(error).replace(f"{file}, ", "").replace(str(file), "")) from None
    if not hands:
        raise UserError("no hands in the file; wanted an ACPC log or PHH")
    return hands


def _row(record: Record) -> dict[str, Any]:
    """A hand for a list: number, players, known cards and chips won, by seat."""
    held = ["" if UNSEEN in h else format_cards(h, record.ranks) for h in record.holes]
    return {
        "number": record.number,
        "names": list(record.names),
        "cards": [shown.two(text) for text in held],
        "won": [float(chips) for chips in record.payoffs],
    }
