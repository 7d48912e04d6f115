"""Ranges in words, as players and other solvers write them: ``77+, A5s-A2s, AKs:0.5``.

| word | hands |
|---|---|
| ``AA`` ``AKs`` ``AKo`` ``AK`` | a pair, a suited hand, an offsuit hand, both of these |
| ``77+`` | pairs from sevens up |
| ``A2s+`` ``KTo+`` ``KT+`` | the lower card up to just below the higher one |
| ``99-66`` ``A5s-A2s`` | pairs between; the lower card between |
| ``JTs-76s`` | both cards go down together |
| ``AhKd`` | one hand |
| ``random`` | all of them |

A weight follows a colon, as ``:0.5`` or ``:50%``. Commas, semicolons or spaces part the words; a
later word replaces an earlier one for the hands that it names.
"""

import functools
import re

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cards.deck import class_names, classes, holds, hole_id, n_holes, parse_cards, rank_names

MOST_WEIGHT = 1e6
WANTED = "AA, AKs, AKo, AK, 77+, A2s+, A5s-A2s, AhKd or random"
_CLASS = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)(\+?)")
_HOLE = re.compile(r"[2-9TJQKA][cdhs][2-9TJQKA][cdhs]", re.I)


def parse_range(text: str, ranks: int = 13) -> np.ndarray:
    """The weight of each hole in the range ``text``: float64[holes]. Raises UserError."""
    weights = np.zeros(n_holes(ranks))
    for word in _words(re.sub(r"\s*:\s*", ":", text)):
        name, colon, weight = word.partition(":")
        weights[holes_of(name, ranks)] = _weight(word, weight) if colon else 1.0
    return weights


def holes_of(word: str, ranks: int = 13) -> np.ndarray:
    """The holes that one word of a range names, without a weight: int64[n]. Raises UserError."""
    if word.lower() == "random":
        return np.arange(n_holes(ranks))
    if _HOLE.fullmatch(word):
        return np.array([hole_id(*parse_cards(word, ranks))])
    capitals = re.sub(r"[SO]", lambda letter: letter[0].lower(), word.upper())  # but s and o
    low, dash, high = capitals.partition("-")
    names = _between(low, high, ranks) if dash else _from(low, ranks)
    if not names:
        raise UserError(f"range: found {word[:20]!r}, wanted {WANTED}")
    places = _places(ranks)
    return np.sort(np.concatenate([places[name] for name in names]))


def hand_holes(hand: str, board: np.ndarray, ranks: int = 13) -> np.ndarray:
    """The holes of ``hand``, words without weights, that ``board`` int8[…] leaves: int64[n].

    Raises UserError where there is none.
    """
    if ":" in hand:
        raise UserError(f"hand {hand!r}: found a weight, wanted {WANTED} alone")
    named = np.unique(np.concatenate([holes_of(word, ranks) for word in _words(hand)]))
    free = named[~holds(board, ranks)[named]]
    if not len(free):
        raise UserError(f"hand {hand!r}: the board has a card of it; wanted cards unseen")
    return free


def _words(text: str) -> list[str]:
    words = [word for word in re.split(r"[,;\s]+", text) if word]
    if not words:
        raise UserError(f"range: found an empty one, wanted {WANTED}")
    return words


def _weight(word: str, text: str) -> float:
    try:
        weight = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= MOST_WEIGHT:
        raise UserError(
            f"range: {word[:20]!r}: found {text[:20]!r}, wanted a weight from 0 to "
            f"{MOST_WEIGHT:,.0f}"
        )
    return weight


def _parsed(word: str, ranks: int) -> tuple[int, int, str, bool] | None:
    """Places of the ranks, the higher first; "s", "o" or ""; and whether a plus follows."""
    match, known = _CLASS.fullmatch(word), rank_names(ranks)
    if match is None or not {match[1], match[2]} <= set(known):
        return None
    high, low = sorted((known.index(match[1]), known.index(match[2])), reverse=True)
    if high == low and match[3]:
        return None
    return high, low, match[3], bool(match[4])


def _from(word: str, ranks: int) -> list[str]:
    """The classes of a word without a dash; none where it is no such word."""
    if (parsed := _parsed(word, ranks)) is None:
        return []
    high, low, suits, plus = parsed
    lower = range(low, ranks if high == low else high) if plus else [low]
    steps = [(each if high == low else high, each) for each in lower]
    return [name for top, each in steps for name in _named(top, each, suits, ranks)]


def _between(first: str, last: str, ranks: int) -> list[str]:
    """The classes from ``first`` to ``last``, both among them, in either order; else none."""
    a, b = _parsed(first, ranks), _parsed(last, ranks)
    if a is None or b is None or a[2] != b[2] or a[3] or b[3]:
        return []
    (top, low, suits, _), (bottom, down, _, _) = (a, b) if a[:2] > b[:2] else (b, a)
    if top == bottom and top != low:
        steps = [(top, each) for each in range(down, low + 1)]
    elif top - low == bottom - down:
        steps = [(bottom + k, down + k) for k in range(top - bottom + 1)]
    else:
        return []
    return [name for high, each in steps for name in _named(high, each, suits, ranks)]


def _named(high: int, low: int, suits: str, ranks: int) -> list[str]:
    both = rank_names(ranks)[high] + rank_names(ranks)[low]
    return [both] if high == low else [both + each for each in (suits or "so")]


@functools.cache
def _places(ranks: int) -> dict[str, np.ndarray]:
    number = classes(ranks)
    return {name: np.flatnonzero(number == k) for k, name in enumerate(class_names(ranks))}
