"""The error that a user can mend, in one line; hints after a misspelt word."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Shown by the command line as one line, without a traceback, with exit code 2."""


def printable(text: str, lines: bool = True) -> str:
    r"""``text`` for a terminal: control characters written as escapes, like ``\x1b``.

    Names of players and files may hold anything. Line ends stay where ``lines`` is true.
    """
    kept, how = "\n" if lines else "", ("unicode_escape", "surrogatepass")
    shown = (c if c.isprintable() or c in kept else c.encode(*how).decode("ascii") for c in text)
    return "".join(shown)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?`` with the nearest of ``known``; "" if none is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def one_of(word: str, known: Iterable[str]) -> str:
    """All ``known`` words, after the nearest to ``word`` if one is near."""
    known = list(known)
    return f"{did_you_mean(word, known)} there are {', '.join(known)}".lstrip()
