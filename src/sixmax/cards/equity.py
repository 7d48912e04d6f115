"""Exact equities: rivers against every hand or clusters of hands, and all-ins by enumeration.

River equities sort the holes of a board by value and sweep upwards: the hands that a hole beats
are those met so far, less those that share a card with it. The clusters are the opponents of
OCHS (Johanson, Burch, Valenzano and Bowling, "Evaluating State-Space Abstractions in Extensive-
Form Games", AAMAS 2013).
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import (
    as_cards,
    card_bit,
    check_ranks,
    hole_cards,
    n_cards,
    n_holes,
    next_combination,
    pack,
)
from sixmax.cards.evaluate import BLOCKED, evaluate_packed, rank_holes
from sixmax.errors import UserError
from sixmax.jit import njit

_DIGIT_BITS = 10
_DIGIT = (1 << _DIGIT_BITS) - 1  # values have 30 bits: three passes of the sort


class Scratch(NamedTuple):
    """Buffers for the rivers of one thread; made by :func:`scratch`."""

    cards: np.ndarray  # int8[H, 2]: lo, hi of each hole (constant)
    value: np.ndarray  # int32[H]: value of each hole on the board at hand, -1 blocked
    order: np.ndarray  # int16[H]: first the unblocked holes, by ascending value
    spare: np.ndarray  # int16[H]
    digit_count: np.ndarray  # int32[1024]
    held: np.ndarray  # int32[n]: holes met so far that hold the card
    held_cluster: np.ndarray  # int32[n, K]: the same by cluster
    met_cluster: np.ndarray  # int32[K]: holes met so far by cluster


def scratch(ranks: int, clusters: int = 1) -> Scratch:
    """Buffers for :func:`river_equity` and, with ``clusters`` K, :func:`river_equity_clusters`."""
    check_ranks(ranks)
    n, holes = n_cards(ranks), n_holes(ranks)
    return Scratch(
        cards=hole_cards(ranks),
        value=np.empty(holes, np.int32),
        order=np.empty(holes, np.int16),
        spare=np.empty(holes, np.int16),
        digit_count=np.empty(1 << _DIGIT_BITS, np.int32),
        held=np.empty(n, np.int32),
        held_cluster=np.empty((n, clusters), np.int32),
        met_cluster=np.empty(clusters, np.int32),
    )


@njit
def _sort_pass(
    source: np.ndarray,
    target: np.ndarray,
    size: int,
    value: np.ndarray,
    shift: int,
    digit_count: np.ndarray,
) -> None:
    """One stable pass of a radix sort of holes by ``_DIGIT_BITS`` bits of their values."""
    digit_count[:] = 0
    for i in range(size):
        digit_count[value[source[i]] >> shift & _DIGIT] += 1
    first = 0
    for digit in range(len(digit_count)):
        first, digit_count[digit] = first + digit_count[digit], first
    for i in range(size):
        digit = value[source[i]] >> shift & _DIGIT
        target[digit_count[digit]] = source[i]
        digit_count[digit] += 1


@njit
def sort_river(board: np.ndarray, ranks: int, s: Scratch) -> int:
    """Rank the holes of a board of three to five cards and sort them into ``s``: how many."""
    value, order, spare, digit_count = s.value, s.order, s.spare, s.digit_count
    rank_holes(board, ranks, value)
    size = 0
    for hole in range(len(value)):
        spare[size] = hole
        size += value[hole] != BLOCKED
    _sort_pass(spare, order, size, value, 0, digit_count)
    _sort_pass(order, spare, size, value, _DIGIT_BITS, digit_count)
    _sort_pass(spare, order, size, value, 2 * _DIGIT_BITS, digit_count)
    return size


@njit
def end_of_ties(value: np.ndarray, order: np.ndarray, start: int, size: int) -> int:
    """Where the holes end that are worth what ``order[start]`` is worth."""
    stop = start + 1
    while stop < size and value[order[stop]] == value[order[start]]:
        stop += 1
    return stop


@njit
def sweep(size: int, s: Scratch, wins2: np.ndarray) -> None:
    """:func:`river_equity` of the board that :func:`sort_river` left in ``s``."""
    # Arrays are taken out of the tuple first: each access in a loop would count references.
    cards, value, order, held = s.cards, s.value, s.order, s.held
    wins2[:] = BLOCKED
    held[:] = 0
    start = 0
    while start < size:
        stop = end_of_ties(value, order, start, size)
        for i in range(start, stop):
            lo, hi = cards[order[i], 0], cards[order[i], 1]
            wins2[order[i]] = start - held[lo] - held[hi]
        for i in range(start, stop):
            held[cards[order[i], 0]] += 1
            held[cards[order[i], 1]] += 1
        for i in range(start, stop):
            lo, hi = cards[order[i], 0], cards[order[i], 1]
            # + 1: the hole itself is among those met, once, and was taken off for each card
            wins2[order[i]] += stop - held[lo] - held[hi] + 1
        start = stop


@njit
def sweep_clusters(
    size: int, cluster_of_hole: np.ndarray, s: Scratch, wins2: np.ndarray, total: np.ndarray
) -> None:
    """:func:`river_equity_clusters` of the board that :func:`sort_river` left in ``s``."""
    cards, value, order = s.cards, s.value, s.order
    held, met = s.held_cluster, s.met_cluster
    wins2[:] = BLOCKED
    total[:] = 0
    held[:] = 0
    met[:] = 0
    start = 0
    while start < size:
        stop = end_of_ties(value, order, start, size)
        for i in range(start, stop):
            hole, lo, hi = order[i], cards[order[i], 0], cards[order[i], 1]
            for k in range(len(met)):
                wins2[hole, k] = met[k] - held[lo, k] - held[hi, k]
        for i in range(start, stop):
            cluster = cluster_of_hole[order[i]]
            met[cluster] += 1
            held[cards[order[i], 0], cluster] += 1
            held[cards[order[i], 1], cluster] += 1
        for i in range(start, stop):
            hole, lo, hi = order[i], cards[order[i], 0], cards[order[i], 1]
            for k in range(len(met)):
                wins2[hole, k] += met[k] - held[lo, k] - held[hi, k]
            wins2[hole, cluster_of_hole[hole]] += 1  # itself, as in sweep
        start = stop
    for i in range(size):
        hole, lo, hi = order[i], cards[order[i], 0], cards[order[i], 1]
        for k in range(len(met)):
            total[hole, k] = met[k] - held[lo, k] - held[hi, k]
        total[hole, cluster_of_hole[hole]] += 1


@njit
def river_equity(board: np.ndarray, ranks: int, s: Scratch, wins2: np.ndarray) -> None:
    """Twice the wins plus the ties of each hole against every other on a board of five cards.

    Writes int32[H] ``wins2``, -1 for holes that the board blocks: the equity against a uniformly
    random opponent is ``wins2 / (2 * C(n - 7, 2))``, exact with card removal (990 opponents).
    """
    sweep(sort_river(board, ranks, s), s, wins2)


@njit
def river_equity_clusters(
    board: np.ndarray,
    ranks: int,
    cluster_of_hole: np.ndarray,
    s: Scratch,
    wins2: np.ndarray,
    total: np.ndarray,
) -> None:
    """The same against the holes of each of K clusters, exact with card removal.

    ``cluster_of_hole`` uint8[H] < K. Writes int32[H, K] ``wins2`` (-1 for blocked holes) and
    ``total``, the number of opponents of each cluster that the hole and the board leave (0 for
    blocked holes): the equity is ``wins2 / (2 * total)`` where total > 0. Needs scratch with K.
    """
    sweep_clusters(sort_river(board, ranks, s), cluster_of_hole, s, wins2, total)


@njit
def _all_in_kernel(holes: np.ndarray, board: int, deck: np.ndarray, missing: int) -> np.ndarray:
    """Boards on which hand i wins a pot split k + 1 ways: int64[hands, hands].

    ``holes`` int64[hands] and ``board`` are packed; ``missing`` cards are drawn from ``deck``.
    """
    shares = np.zeros((len(holes), len(holes)), np.int64)
    value = np.empty(len(holes), np.int64)
    chosen = np.arange(missing)
    more = True
    while more:
        full = board
        for i in chosen:
            full |= card_bit(deck[i])
        best = -1
        for i in range(len(holes)):
            value[i] = evaluate_packed(full | holes[i])
            best = max(best, value[i])
        winners = 0
        for i in range(len(holes)):
            winners += value[i] == best
        for i in range(len(holes)):
            if value[i] == best:
                shares[i, winners - 1] += 1
        more = next_combination(chosen, len(deck))
    return shares


def equity(
    *holes: str | Sequence[int], board: str | Sequence[int] = "", ranks: int = 13
) -> np.ndarray:
    """The share of the pot of each of two or more hands, all in: float64[hands], sums to 1.

    Exact, by enumeration of the rest of a board of 0 to 5 cards (1.7 M boards for two hands
    before the flop). Raises UserError for cards dealt twice or a wrong number of them.
    """
    given = [as_cards(hole, ranks) for hole in holes]
    board = as_cards(board, ranks)
    if len(given) < 2 or any(len(hole) != 2 for hole in given) or len(board) > 5:
        found = ", ".join(str(len(hole)) for hole in given)
        raise UserError(
            f"all-in of hands of {found or 'no'} cards on a board of {len(board)}: "
            "wanted two or more hands of 2 cards and a board of 0 to 5"
        )
    seen = as_cards(np.concatenate([*given, board]), ranks)
    deck = np.setdiff1d(np.arange(n_cards(ranks), dtype=np.int8), seen)
    if len(deck) < 5 - len(board):
        raise UserError(f"{len(given)} hands: the deck of {n_cards(ranks)} cards is too short")
    packed = np.array([pack(hole) for hole in given], np.int64)
    missing = 5 - len(board)
    shares = _all_in_kernel(packed, pack(board), deck, missing)
    return (shares / np.arange(1, len(given) + 1)).sum(axis=1) / comb(len(deck), missing)
