"""The hands that the solver tells apart: those that a board leaves, or preflop classes."""

import functools
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.abstraction.buckets import Buckets
from sixmax.cards.deck import classes, holds, hole_cards, n_holes
from sixmax.cards.equity import matchups, pairs
from sixmax.search.solvers.limited.all_in import lead, touching


class BoardHands(NamedTuple):
    """The hands that a board leaves, by ascending hole_id; both players have the same.

    Before the flop suits do not matter: a hand is a class of holes, and two hands can face each
    other by a chance that depends on both.

    hole: int64[n]        their hole_ids; of a class its first
    of_hole: int64[holes] the hand of each hole_id; -1 where the board blocks it
    low, high: int64[n]   their cards
    of: int64[n]          their classes: hands of one class are worth the same at leaves
    classes: int          how many there are
    apart: float64[n, n]  the chance that holes of two classes share no card; on a board [0, 0],
                          where the cards tell
    """

    hole: np.ndarray
    of_hole: np.ndarray
    low: np.ndarray
    high: np.ndarray
    of: np.ndarray
    classes: int
    apart: np.ndarray


def hands_on(board: np.ndarray, buckets: Buckets, ranks: int) -> BoardHands:
    """The hands that ``board`` int8[0, 3, 4 or 5] leaves, with their ``buckets`` as classes.

    Before the flop the classes are themselves the hands, whatever the buckets.
    """
    if not len(board):
        return _before_the_flop(ranks)
    cards, of = hole_cards(ranks), np.empty(n_holes(ranks), np.int32)
    buckets_on_board(board_tables(buckets, ranks), np.asarray(board, np.int8), cards, of)
    hole = np.flatnonzero(~holds(board, ranks))
    of_hole = np.full(n_holes(ranks), -1)
    of_hole[hole] = np.arange(len(hole))
    known, classes = np.unique(of[hole], return_inverse=True)
    low, high = cards[hole].astype(np.int64).T.copy()
    return BoardHands(
        hole, of_hole, low, high, classes.astype(np.int64), len(known), np.zeros((0, 0))
    )


@functools.lru_cache(maxsize=2)
def _before_the_flop(ranks: int) -> BoardHands:
    """Kept for the next search. Shared: do not write to its arrays."""
    of_hole = classes(ranks).astype(np.int64)
    _, first, holes = np.unique(of_hole, return_index=True, return_counts=True)
    low, high = hole_cards(ranks)[first].astype(np.int64).T.copy()
    number, apart = np.arange(len(first)), pairs(ranks) / np.outer(holes, holes)
    return BoardHands(first, of_hole, low, high, number, len(number), apart)


def edges(hands: BoardHands, board: np.ndarray, ranks: int) -> np.ndarray:
    """The probability that a hand wins less that it loses, over all boards: float32[n, n].

    0 where two hands cannot face each other. Before the flop it is the mean over the holes of two
    classes, and takes 7 s of a core, once a process.
    """
    if not hands.apart.size:
        return lead(tuple(int(card) for card in board), ranks)
    return matchups(ranks).lead.astype(np.float32)


def edges_of_classes(hands: BoardHands, edge: np.ndarray) -> np.ndarray:
    """The mean of ``edge`` float32[n, n] over the pairs of hands of two classes: float64[C, C]."""
    if hands.apart.size:
        return edge.astype(np.float64)
    order = np.argsort(hands.of, kind="stable")
    first = np.searchsorted(hands.of[order], np.arange(hands.classes))
    apart = ~touching(np.stack([hands.low, hands.high], axis=1))

    def total(table: np.ndarray) -> np.ndarray:
        rows = np.add.reduceat(table[order].astype(np.float64), first)
        return np.add.reduceat(rows.T[order], first).T

    return total(edge) / np.maximum(total(apart), 1)


def collected(hands: BoardHands, weights: np.ndarray) -> np.ndarray:
    """The sums of ``weights`` float64[rows, holes] by hand, negative ones as 0: [rows, n]."""
    free, number = hands.of_hole >= 0, len(hands.hole)
    return np.stack([
        np.bincount(hands.of_hole[free], np.maximum(row[free], 0.0), number) for row in weights
    ])  # fmt: skip


def number_of_holes(hands: BoardHands) -> np.ndarray:
    """The number of holes that each hand stands for: int64[n], ones on a board."""
    return np.bincount(hands.of_hole[hands.of_hole >= 0], minlength=len(hands.hole))


def spread(hands: BoardHands, values: np.ndarray, blocked: float = np.nan) -> np.ndarray:
    """``values`` float64[…, n] of the hands by hole_id, ``blocked`` where there is none."""
    out = values[..., hands.of_hole]
    out[..., hands.of_hole < 0] = blocked
    return out
