"""Hints after a misspelt word: the nearest known word, or the notation of an action."""

import difflib
import re
from collections.abc import Iterable

_ACTIONS = (
    (r"folds?", "f"),
    (r"checks?|calls?|(?<![\dc])k|x", "c"),
    (r"(raises?|bets?|b)(to)?(?=\d)", "r"),
)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?`` with the nearest of ``known``; "" if none is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def one_of(word: str, known: Iterable[str]) -> str:
    """All ``known`` words, after the nearest to ``word`` if one is near."""
    known = list(known)
    return f"{did_you_mean(word, known)} there are {', '.join(known)}".lstrip()


def in_acpc_notation(text: str) -> str:
    """Poker actions in words, spelt as in the ACPC format; anything else stays.

    >>> in_acpc_notation("Fold, raise to 250; call/check"), in_acpc_notation("f c r225")
    ('fr250c/c', 'fcr225')
    """
    notation = re.sub(r"[\s,;]+", "", text.lower())
    for words, letter in _ACTIONS:
        notation = re.sub(words, letter, notation)
    return notation
