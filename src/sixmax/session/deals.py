"""Deals of the cards that a player cannot see, by beliefs about the others' hands."""

import numpy as np

from sixmax.cards.deck import holds, hole_cards
from sixmax.evaluation.hands.record import UNSEEN
from sixmax.game.config import SEEN
from sixmax.jit import njit
from sixmax.rng import below, step, stream, unit

_TRIES = 100_000  # draws of all hands until no two share a card


def deals_by(
    beliefs: np.ndarray,
    seat: int,
    hole: np.ndarray,
    board: np.ndarray,
    ranks: int,
    seed: np.uint64,
    deals: int,
) -> np.ndarray:
    """Cards of all seats and a whole board: int8[deals, 2 seats + 5], fewer where none agree.

    ``seat`` holds ``hole`` int8[2]; or int8[0], and then UNSEEN ones. The others hold hands by
    ``beliefs`` float64[seats, holes], and ``board`` int8[0, 3, 4 or 5] is seen. The hands of a deal
    are drawn apart, and all again until no two share a card: their joint probability is then the
    product of the beliefs (:mod:`sixmax.search.bayes`).
    """
    weight = np.where(holds([*hole, *board], ranks), 0.0, beliefs)
    cards = np.empty((deals, 2 * len(beliefs) + SEEN[-1]), np.int8)
    ends, pair = np.cumsum(weight, axis=1), hole_cards(ranks)
    return cards[: _deal_kernel(ends, pair, seat, hole, board, 4 * ranks, seed, cards)]


@njit
def _deal_kernel(ends, pair, seat, hole, board, deck, seed, out):
    """Fill ``out`` int8[deals, 2 seats + 5] with cards by beliefs; returns the deals filled.

    ``ends`` float64[seats, holes] are cumulated weights.
    """
    seats, total = len(ends), out.shape[1]
    for p in range(seats):
        if p != seat and ends[p, -1] <= 0.0:
            return 0
    free = np.empty(deck, np.bool_)
    for i in range(len(out)):
        state = stream(seed, np.uint64(i))
        tries, apart = 0, False
        while not apart:
            tries += 1
            if tries > _TRIES:
                return i
            free[:] = True
            apart = True
            for p in range(seats):
                if p == seat:
                    out[i, 2 * p : 2 * p + 2] = UNSEEN
                    out[i, 2 * p : 2 * p + hole.size] = hole
                    continue
                state = step(state)
                u = unit(state) * ends[p, -1]
                h = min(np.searchsorted(ends[p], u, side="right"), ends.shape[1] - 1)
                for card in pair[h]:
                    apart = apart and free[card]
                    free[card] = False
                out[i, 2 * p : 2 * p + 2] = pair[h]
        for card in hole:
            free[card] = False
        for card in board:
            free[card] = False
        out[i, 2 * seats : 2 * seats + board.size] = board
        for j in range(2 * seats + board.size, total):
            while True:
                state = step(state)
                card = below(state, deck)
                if free[card]:
                    break
            free[card] = False
            out[i, j] = card
    return len(out)
