"""The decisions of Pluribus in its published hands.

Brown and Sandholm, "Superhuman AI for multiplayer poker" (Science 2019), Data File S1: logs in the
ACPC format with all hole cards. They are held out: nothing of a run is tuned to them.
"""

import hashlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.notation import Line, parse
from sixmax.betting.rules import ACTOR, CHIPS, FOLD, HIGH, PENDING, POT, RAISES, ROUND, STACKS
from sixmax.betting.state import Betting
from sixmax.cards.deck import hole_id, parse_cards
from sixmax.hands.formats import FORMATS, opened
from sixmax.hands.hand_file import found, placed
from sixmax.hands.record import from_line
from sixmax.hands.record import rules as rules_of
from sixmax.hands.tally import Tally

NAME = "Pluribus"  # as it is called in its logs
KINDS = ("fold", "call", "raise")
SIZES = ("¼", "½", "¾", "1", "1½", "2", "3+", "all-in")  # pot fractions, by the nearest
ALL_IN = len(SIZES) - 1
_ENDINGS = FORMATS["acpc"].endings
_EDGES = np.array([0.375, 0.625, 0.9, 1.25, 1.75, 2.5])
GAME = rules_of([10_000] * 6, [50, 100, 0, 0, 0, 0], [0] * 6, [2, 0, 0, 0])


class PlayedDecision(NamedTuple):
    """One decision of a player in a hand that was played; amounts are chips."""

    record: Line
    at: int  # the number of actions before it
    name: str
    seat: int
    in_round: int
    action: int  # FOLD, CALL or raise-to
    to_call: int
    may_raise: bool
    raises: int  # of the round so far
    size: int  # bin of a raise in SIZES, -1 for others
    first_in: bool  # all before it have folded, before the flop, and it is not the big blind
    donk: bool  # may bet into the last raiser of the round before, who is still to act

    @property
    def kind(self) -> int:
        """0 fold, 1 check or call, 2 raise."""
        return min(self.action, 1) + 1

    @property
    def hole(self) -> int:
        """The cards that the player holds."""
        return hole_id(*parse_cards(self.record.holes[self.seat]))

    @property
    def legal(self) -> np.ndarray:
        """Which kinds are legal: bool[3]."""
        return np.array([self.to_call > 0, True, self.may_raise])


def hands(folder: Path) -> tuple[list[Line], Tally]:
    """The hands in all ``*.log`` files of ``folder``; a tally of damaged lines, left out.

    Raises UserError where there are no logs, or none with Pluribus.
    """
    files = found(folder, _ENDINGS) if folder.is_dir() else []
    if not files:
        raise UserError(
            f"evaluation.pluribus_hands: found no *.log in {folder}; wanted the folder with "
            "Pluribus's published hands, or an empty path to leave the comparison out"
        )
    tally = Tally()
    records = [record for file in files for record in _read(file, tally)]
    tally.hands = len(records)
    if not any(NAME in record.names for record in records):
        text = f"{folder}: none of {tally.hands:,} hands has a player called {NAME}"
        if tally.damaged:
            text += f"; {tally.damaged:,} damaged, first {tally.mistakes[0]}"
        raise UserError(text)
    return records, tally


def _read(file: Path, tally: Tally) -> Iterator[Line]:
    """The hands of a log; ``tally`` counts damage."""
    try:
        with opened(file) as (_, log):
            for place, line in placed(log):
                try:
                    from_line(line, GAME, place=place)
                    record = parse(line, place)
                    if (NAME, "") in zip(record.names, record.holes, strict=True):
                        raise UserError(f"{place}: the cards of {NAME} are not shown")
                    yield record
                except UserError as error:
                    tally.damage(str(error))
    except UserError as error:
        tally.damage(str(error))


def logs_digest(folder: Path) -> str:
    """16 hex digits of the input of :func:`hands`: names and bytes of the logs."""
    digest = hashlib.sha256()
    for file in found(folder, _ENDINGS, told=False):
        content, name = file.read_bytes(), file.relative_to(folder).as_posix()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def decisions(record: Line) -> Iterator[PlayedDecision]:
    """Every decision of a hand that the rules allow, in order."""
    betting, raiser = Betting(GAME), np.full(len(GAME.rounds), -1, np.int64)
    for at, action in enumerate(a for part in record.actions for a in part):
        hand, seat = betting.hand, betting.actor
        to_call, _, high = (int(v) for v in rules.limits(hand))
        first = at < betting.seats - 1 and all(a == FOLD for a in record.actions[0][:at])
        size = size_bin(hand, action) if action > 0 else -1
        yield PlayedDecision(
            record, at, record.names[seat], seat, betting.round, action, to_call, high > 0,
            int(hand[RAISES]), int(size), first, bool(may_donk(hand, raiser)),
        )  # fmt: skip
        if action > 0:
            raiser[betting.round] = seat
        betting.act(action)


@njit
def size_bin(hand, raise_to):
    """The bin in SIZES of a raise to ``raise_to`` chips by the actor of ``hand``."""
    if raise_to >= hand[STACKS + hand[ACTOR]]:
        return ALL_IN
    high = hand[HIGH]
    pot = hand[POT] + high - hand[CHIPS + hand[ACTOR]]
    return np.searchsorted(_EDGES, (raise_to - high) / pot, side="right")


@njit
def may_donk(hand, raiser):
    """Whether the actor may bet into the last raiser of the round before, who is still to act.

    ``raiser`` int64[rounds]: the last raiser of each round, -1 for none.
    """
    in_round = hand[ROUND]
    if in_round == 0 or hand[RAISES] > 0 or raiser[in_round - 1] < 0:
        return False
    last = raiser[in_round - 1]
    return last != hand[ACTOR] and hand[PENDING] >> last & 1 == 1


def proportion(hits: int, of: int) -> dict[str, float | int | None]:
    """A share in percent with its 95 % interval by Wilson's score, and its base."""
    if of == 0:
        return {"share": None, "low": None, "high": None, "of": 0}
    z, p = 1.959964, hits / of
    centre = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    return {"share": 100 * p, "low": 100 * low, "high": 100 * high, "of": of}
