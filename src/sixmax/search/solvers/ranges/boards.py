"""The boards that may follow a public state, and the hands on each.

The hands of a subgame are the holes that its board leaves, numbered 0 … n-1; after the last card
they are numbered by ascending strength, so that a showdown on that board walks through memory in
order. Boards of a later round follow each other parent by parent: board b of a round is followed by
the boards ``b * fan`` … ``b * fan + fan - 1`` of the next.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import as_cards, hole_cards, n_cards, n_holes
from sixmax.cards.strength_ladder import climb, ladder
from sixmax.errors import UserError
from sixmax.jit import njit

FINAL = 5  # cards on a board at the showdown


class Boards(NamedTuple):
    """Rounds of a subgame are counted from the current one, 0; in round r there are B[r] boards.

    hole: int16[n]          the hole of each hand
    count: int64[rounds]    B, the boards of each round
    live: int64[rounds]     hands that a board of the round leaves
    start: int64[rounds]    those of board b begin at ``start[r] + b * live[r]`` of
    order: int16[entries]   their numbers; in the last round by ascending strength
    low, high: uint8[entries]  their cards
    stop: int16[B * live]   last round: the end of the hands that tie with this one
    fan: int64[rounds]      boards of the next round after a board; 0 in the last
    chance: float64[rounds] probability of each board that two hands leave possible
    """

    hole: np.ndarray
    count: np.ndarray
    live: np.ndarray
    start: np.ndarray
    order: np.ndarray
    low: np.ndarray
    high: np.ndarray
    stop: np.ndarray
    fan: np.ndarray
    chance: np.ndarray


def boards(board: str | Sequence[int] | np.ndarray, ranks: int = 13) -> Boards:
    """All boards that may follow ``board``, three to five cards of a deck of ``ranks`` ranks.

    Raises UserError for another number of cards, or cards that the deck does not have.
    """
    dealt = that_follow(board, ranks)
    first, rivers = dealt[0][0], dealt[-1]
    order, stop = _strengths(rivers, ranks)
    if len(dealt) == 1:
        hole = order[0].copy()
    else:
        hole = np.flatnonzero(_live(first[None], ranks)[0]).astype(np.int16)
    number = np.full(n_holes(ranks), -1, np.int16)
    number[hole] = np.arange(len(hole))
    orders = [_hands(_live(cards, ranks)[:, hole]) for cards in dealt[:-1]]
    orders.append(number[order])
    pair = hole_cards(ranks).astype(np.uint8)[hole]
    known = np.array([cards.shape[1] for cards in dealt])
    # Two hands and the board are known; the last round has no next card, and its entry no use.
    chance = 1.0 / np.maximum(1, n_cards(ranks) - 4 - known)
    fan = np.append(n_cards(ranks) - known[:-1], 0).astype(np.int64)
    count, live = (np.array([o.shape[i] for o in orders], np.int64) for i in (0, 1))
    start = np.cumsum(count * live) - count * live
    every = np.concatenate([o.ravel() for o in orders])
    low, high = (np.ascontiguousarray(pair[every, i]) for i in (0, 1))
    return Boards(hole, count, live, start, every, low, high, stop.ravel(), fan, chance)


def that_follow(board: str | Sequence[int] | np.ndarray, ranks: int = 13) -> list[np.ndarray]:
    """The boards of each round, the first being ``board``: int8[B, cards]."""
    first = as_cards(board, ranks)
    if not 3 <= len(first) <= FINAL:
        raise UserError(f"board of {len(first)} cards: wanted 3, 4 or 5; search later in the hand")
    dealt = [first[None]]
    while dealt[-1].shape[1] < FINAL:
        dealt.append(_next(dealt[-1], n_cards(ranks)))
    return dealt


def _next(dealt: np.ndarray, cards: int) -> np.ndarray:
    """int8[B * fan, k + 1]: each board with every card that it leaves."""
    left = np.ones((len(dealt), cards), bool)
    left[np.arange(len(dealt))[:, None], dealt] = False
    parent, card = np.nonzero(left)
    return np.concatenate([dealt[parent], card[:, None].astype(np.int8)], axis=1)


def _live(dealt: np.ndarray, ranks: int) -> np.ndarray:
    """bool[B, H]: whether a board leaves a hole."""
    on_board = np.zeros((len(dealt), n_cards(ranks)), bool)
    on_board[np.arange(len(dealt))[:, None], dealt] = True
    return ~on_board[:, hole_cards(ranks)].any(axis=2)


def _hands(live: np.ndarray) -> np.ndarray:
    return np.nonzero(live)[1].reshape(len(live), -1).astype(np.int16)


def _strengths(rivers: np.ndarray, ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """int16[B, live] each: the holes by ascending strength, and the ends of ties."""
    cards = n_cards(ranks) - FINAL
    order = np.empty((len(rivers), cards * (cards - 1) // 2), np.int16)
    stop = np.empty_like(order)
    _strength_kernel(rivers, ranks, ladder(ranks), order, stop)
    return order, stop


@njit
def _strength_kernel(rivers, ranks, s, order, stop):
    for b in range(len(rivers)):
        size = climb(rivers[b], ranks, s)
        order[b], stop[b] = s.order[:size], s.stop[:size]
