"""Cards, holes and preflop classes as small integers.

The deck holds the top R ranks (3 <= R <= 13): n = 4R cards, H = n(n-1)/2 holes.
A card is ``4 * rank + suit``: rank 0 is the lowest rank of the deck, suits are c d h s. A hole is
an unordered pair of cards lo < hi, numbered ``hi * (hi - 1) // 2 + lo``.
A set of cards is also *packed* in one integer: bit ``16 * suit + rank`` for each card, so that
each suit is a lane of 16 bits that holds its rank mask.
"""

import functools
import re
from collections.abc import Sequence

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit

BOARD_CARDS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}  # that each round sees
ROUNDS = tuple(BOARD_CARDS)
SUIT_NAMES = "cdhs"
MIN_RANKS, MAX_RANKS = 3, 13
_BETWEEN = re.compile(r"[\s,;/]+")  # cards
LANE_BITS = 16
LANE = (1 << MAX_RANKS) - 1


def check_ranks(ranks: int) -> None:
    """Raise UserError unless a deck of ``ranks`` ranks exists."""
    if not MIN_RANKS <= ranks <= MAX_RANKS:
        raise UserError(
            f"deck of {ranks} ranks: wanted {MIN_RANKS} to {MAX_RANKS}; {MAX_RANKS} is a full deck"
        )


def n_cards(ranks: int) -> int:
    """The number n of cards in a deck of ``ranks`` ranks."""
    return 4 * ranks


def n_holes(ranks: int) -> int:
    """The number H of holes in a deck of ``ranks`` ranks."""
    return n_cards(ranks) * (n_cards(ranks) - 1) // 2


def rank_names(ranks: int) -> str:
    """A letter for each rank of the deck, the lowest first."""
    check_ranks(ranks)
    return "23456789TJQKA"[MAX_RANKS - ranks :]


def parse_cards(text: str, ranks: int = 13) -> np.ndarray:
    """Cards written like ``"AhKd"``, also with spaces, commas or slashes between: int8[cards].

    Raises UserError for a card that the deck lacks, and for one written twice.
    """
    names, letters = rank_names(ranks), _BETWEEN.sub("", text)
    cards = []
    for i in range(0, len(letters), 2):
        rank = names.find(letters[i].upper())
        suit = SUIT_NAMES.find(letters[i + 1].lower()) if i + 1 < len(letters) else -1
        if rank < 0 or suit < 0:
            raise UserError(
                f"cards {text!r}: found {letters[i : i + 2]!r}, wanted a rank of {names} "
                f"and a suit of {SUIT_NAMES}, like Ah"
            )
        cards.append(4 * rank + suit)
    return as_cards(cards, ranks)


def format_cards(cards: Sequence[int] | np.ndarray, ranks: int = 13) -> str:
    """The inverse of :func:`parse_cards`, without spaces. Raises UserError as it does."""
    names = rank_names(ranks)
    return "".join(names[int(c) >> 2] + SUIT_NAMES[int(c) & 3] for c in as_cards(cards, ranks))


def as_cards(cards: str | Sequence[int] | np.ndarray, ranks: int = 13) -> np.ndarray:
    """Cards given as text or as numbers: int8[cards]. Raises UserError as parse_cards does."""
    if isinstance(cards, str):
        return parse_cards(cards, ranks)
    check_ranks(ranks)
    numbers = [int(c) for c in cards]
    wrong = [c for c in numbers if not 0 <= c < n_cards(ranks)]
    if wrong:
        raise UserError(f"card {wrong[0]}: wanted a number from 0 to {n_cards(ranks) - 1}")
    twice = [c for i, c in enumerate(numbers) if c in numbers[:i]]
    if twice:
        name = rank_names(ranks)[twice[0] >> 2] + SUIT_NAMES[twice[0] & 3]
        raise UserError(f"card {name} is dealt twice: wanted distinct cards; remove one")
    return np.array(numbers, np.int8)


@njit
def hole_id(a: int, b: int) -> int:
    """The number of the hole with cards ``a`` and ``b``, in either order."""
    lo, hi = min(int(a), int(b)), max(int(a), int(b))
    return hi * (hi - 1) // 2 + lo


def hole_cards(ranks: int) -> np.ndarray:
    """The cards (lo, hi) of each hole: int8[H, 2]."""
    check_ranks(ranks)
    hi, lo = np.tril_indices(n_cards(ranks), -1)
    return np.stack([lo, hi], axis=1).astype(np.int8)


def classes(ranks: int) -> np.ndarray:
    """The preflop class of each hole: uint8[H].

    Class ``R * row + column`` is a cell of the usual chart: aces in row and column 0, pairs on the
    diagonal, suited hands above it, offsuit hands below.
    """
    cards = hole_cards(ranks).astype(np.int64)
    low, high = ranks - 1 - (cards >> 2).T  # places in the chart: high <= low
    suited = (cards[:, 0] & 3) == (cards[:, 1] & 3)
    return np.where(suited, high * ranks + low, low * ranks + high).astype(np.uint8)


def class_names(ranks: int) -> list[str]:
    """The names of the preflop classes, in their order: "AA", "AKs", ..., "AKo", "KK", ..."""
    letters = rank_names(ranks)[::-1]
    return [
        other + own + "o" if row > column else own + other + ("s" if row < column else "")
        for row, own in enumerate(letters)
        for column, other in enumerate(letters)
    ]


@njit
def card_bit(card: int) -> int:
    """The packed set of one card."""
    return 1 << (LANE_BITS * (int(card) & 3) + (int(card) >> 2))


@njit
def pack(cards: np.ndarray) -> int:
    """The packed set of ``cards`` int8[n]."""
    packed = 0
    for card in cards:
        packed |= card_bit(card)
    return packed


@njit
def next_combination(chosen: np.ndarray, n: int) -> bool:
    """Step ``chosen`` int64[k], ascending, to the next k of 0..n-1; False after the last."""
    k = len(chosen)
    i = k - 1
    while i >= 0 and chosen[i] == n - k + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for j in range(i + 1, k):
        chosen[j] = chosen[j - 1] + 1
    return True


def holds(cards: np.ndarray, ranks: int = 13) -> np.ndarray:
    """Which holes have one of ``cards`` int8[…]: bool[holes]."""
    return np.isin(_hole_cards(ranks), np.asarray(cards)).any(axis=1)


@njit
def touches(pair, board):
    """Whether the hole of the cards ``pair`` int[2] shares one with ``board`` int[cards]."""
    shared = False
    for card in board:
        shared |= card == pair[0] or card == pair[1]
    return shared


_hole_cards = functools.cache(hole_cards)
