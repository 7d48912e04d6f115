"""The totals of a match in its log, compared with its hands.

A dealer ends its log with ``SCORE:<chips>:<names>``, the totals of the match: they are compared
with the sums of the hands before, where these are the whole match.
"""

import re

import numpy as np

from sixmax.hands.record import Record
from sixmax.hands.showdown import TOLERANCE
from sixmax.hands.tally import Tally, chips_text

_CHIPS = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


class Totals:
    """The payoffs of one match, hand by hand."""

    def __init__(self) -> None:
        self.chips: dict[str, float] = {}
        self.damaged = False  # whether a hand could not be read
        self._hands = self._rounded = 0
        self._first, self._last = np.inf, -1

    def add(self, hand: Record) -> None:
        """Count ``hand``."""
        self._first, self._last = min(self._first, hand.number), max(self._last, hand.number)
        self._hands += 1
        payoffs = hand.payoffs.tolist()
        self._rounded += not all(map(float.is_integer, payoffs))
        for name, chips in zip(hand.names, payoffs, strict=True):
            self.chips[name] = self.chips.get(name, 0.0) + chips

    def compare(self, line: str, place: str, tally: Tally) -> None:
        """Compare the totals of ``line`` with those of the hands, where these are whole.

        Logs round payoffs that are no whole number: each such hand may add TOLERANCE chips.
        """
        chips, _, names = (part.split("|") for part in line.strip()[6:].partition(":"))
        if len(chips) != len(names) or not all(map(_CHIPS.fullmatch, chips)):
            tally.damage(f"{place}: found {line[:60]!r}, wanted SCORE:<chips>:<names>")
            return
        whole = self._first == 0 and self._last == self._hands - 1
        if self.damaged or not whole:
            return
        score: dict[str, float] = {}
        for name, text in zip(names, chips, strict=True):
            score[name] = score.get(name, 0.0) + float(text)
        paid, most = self.chips, TOLERANCE * (1 + self._rounded)
        if score.keys() != paid.keys() or any(abs(score[n] - paid[n]) > most for n in score):
            tally.mismatch(
                f"{place}: found score {_sums(score)}, the hands before it pay {_sums(paid)}"
            )


def _sums(chips: dict[str, float]) -> str:
    names = sorted(chips)
    return f"{chips_text([chips[name] for name in names])} of {'|'.join(names)}"
