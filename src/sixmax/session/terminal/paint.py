"""Colours of a terminal, where the output is one and NO_COLOR is not set."""

import os
import re
from typing import TextIO

_CODES = {"bold": "1", "red": "31", "green": "32", "blue": "34"}
_SUITS = {"h": "red", "d": "blue", "c": "green", "s": "bold"}
_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")


class Paint:
    """Colours text for ``out``; leaves it alone where colours are not wanted."""

    def __init__(self, out: TextIO):
        dumb = os.environ.get("TERM") == "dumb"
        self.on = out.isatty() and not dumb and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, colour: str = "") -> str:
        """``text`` in ``colour``, and its cards, such as Ah, each in the colour of its suit."""
        if not self.on:
            return text
        base = f"\x1b[{_CODES[colour]}m" if colour else ""
        cards = _CARD.sub(lambda card: _in(_SUITS[card[2]], card[0]) + base, text)
        return f"{base}{cards}\x1b[0m" if base else cards


def _in(colour: str, text: str) -> str:
    return f"\x1b[{_CODES[colour]}m{text}\x1b[0m"
