"""Exact equities: rivers against hands or clusters of hands, and all-ins by enumeration.

River equities go up the ladder of strengths (:mod:`sixmax.cards.strength_ladder`): the hands that
a hole beats are those met so far, less those that share a card with it. The clusters are the
opponents of OCHS (Johanson, Burch, Valenzano and Bowling, "Evaluating State-Space Abstractions in
Extensive-Form Games", AAMAS 2013).
"""

from collections.abc import Sequence
from math import comb

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.cards.deck import as_cards, card_bit, n_cards, next_combination, pack
from sixmax.cards.evaluate import BLOCKED, evaluate_packed
from sixmax.cards.strength_ladder import add_beaten, live, rungs


@njit
def sweep(size, s, wins2):
    """Twice the wins plus the ties of each hole against others, on the board of :func:`climb`.

    Writes int32[H] ``wins2``, -1 for holes that the board blocks: the equity against a uniformly
    random opponent is ``wins2 / (2 * C(n - 7, 2))``, exact with card removal (990 opponents).
    """
    # Arrays are taken out of the tuple first: each access in a loop would count references.
    order, low, high, stops = s.order, s.low, s.high, s.stop
    held = np.zeros(64, np.int32)
    wins2[:] = BLOCKED
    start = 0
    while start < size:
        stop = stops[start]
        for i in range(start, stop):
            wins2[order[i]] = start - held[low[i]] - held[high[i]]
        for i in range(start, stop):
            held[low[i]] += 1
            held[high[i]] += 1
        for i in range(start, stop):
            # + 1: the hole itself is among those met, once, and was taken off for each card
            wins2[order[i]] += stop - held[low[i]] - held[high[i]] + 1
        start = stop


@njit
def sweep_clusters(size, cluster_of_hole, s, wins2, total):
    """The same against the holes of each of K clusters, ``cluster_of_hole`` uint8[H] < K.

    Writes int32[H, K] ``wins2`` and ``total``, the number of opponents of each cluster that the
    hole and the board leave: the equity is ``wins2 / (2 * total)`` where total > 0. Both are 0 for
    blocked holes.
    """
    hands, order = rungs(s, size), s.order[:size]
    lane, clusters = cluster_of_hole[order], wins2.shape[1]
    held, once = np.empty((64, clusters), np.int32), np.ones(clusters, np.int32)
    wins2[:] = 0
    total[:] = 0
    add_beaten(lane, hands, once, wins2, held, order)
    live(lane, hands, once, total, held, order)


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
        sizes = ", ".join(str(len(hole)) for hole in given)
        raise UserError(
            f"all-in of hands of {sizes or 'no'} cards on a board of {len(board)}: "
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
