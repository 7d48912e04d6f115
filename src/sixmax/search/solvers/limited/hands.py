"""The hands that the solver tells apart, those that a board leaves or classes, and all-ins."""

import functools
from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.abstraction.buckets import Buckets
from sixmax.base.jit import in_parts, njit, read_only
from sixmax.cards.deck import classes, holds, hole_cards, n_cards, n_holes
from sixmax.cards.equity import matchups, pairs
from sixmax.cards.evaluate import rank_holes
from sixmax.search.solvers.ranges.boards import FINAL, that_follow


class BoardHands(NamedTuple):
    """The hands that a board leaves, by ascending hole_id; both players have the same.

    Before the flop suits do not matter: a hand is a class of holes, and two hands can face each
    other by a chance that depends on both.
    """

    hole: np.ndarray  # int64[n]: their hole_ids; of a class its first
    of_hole: np.ndarray  # int64[holes]: the hand of each hole_id; -1 where the board blocks it
    low: np.ndarray  # int64[n]: their cards
    high: np.ndarray
    of: np.ndarray  # int64[n]: their classes; hands of one class are worth the same at leaves
    classes: int
    apart: np.ndarray  # float64[n, n]: the chance to share no card; [0, 0] on a board: cards tell


def hands_on(board: np.ndarray, buckets: Buckets, ranks: int) -> BoardHands:
    """The hands that ``board`` int8[0, 3, 4 or 5] leaves, with their ``buckets`` as classes."""
    if not len(board):
        return before_the_flop(ranks)
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
def before_the_flop(ranks: int) -> BoardHands:
    """The classes of holes. Kept for the next search; shared: do not write to its arrays."""
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


@functools.lru_cache(maxsize=4)
def lead(board: tuple[int, ...], ranks: int = 13) -> np.ndarray:
    """``edges`` of the hands that a ``board`` of three or four cards leaves, read-only.

    The full deck's takes .4 s of a core on a flop; kept for the next search on the board.
    """
    dealt = that_follow(board, ranks)[-1].cards
    later = dealt[:, len(board) :]
    once = np.ascontiguousarray(dealt[(np.diff(later, axis=1) > 0).all(axis=1)])
    free = np.flatnonzero(~holds(np.array(board, np.int8), ranks))
    value = np.empty((len(once), len(free)), np.int32)
    _rank_kernel(once, ranks, free, np.empty(n_holes(ranks), np.int32), value)
    wins = np.zeros((len(free), len(free)), np.int32)
    in_parts(len(free), _wins_kernel, value, wins)
    touch = touching(hole_cards(ranks)[free])
    boards = comb(n_cards(ranks) - 4 - len(board), FINAL - len(board))
    return read_only(np.where(touch, 0, wins / boards).astype(np.float32))


def touching(cards: np.ndarray) -> np.ndarray:
    """Whether two of the hands ``cards`` int[n, 2] share a card: bool[n, n]."""
    return (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))


@njit
def _rank_kernel(dealt, ranks, free, rank, value):
    """The ranks of the holes ``free`` on each board: int32[boards, n], -1 for blocked ones."""
    for b in range(len(dealt)):
        rank_holes(dealt[b], ranks, rank)
        for i in range(free.size):
            value[b, i] = rank[free[i]]


@njit
def _wins_kernel(value, wins, start, stop):
    """Add the boards on which hands ``start`` to ``stop`` win less those on which they lose."""
    for i in range(start, stop):
        for b in range(len(value)):
            mine = value[b, i]
            if mine < 0:
                continue
            theirs, out = value[b], wins[i]
            for j in range(out.size):
                other = theirs[j]
                won = np.int32(mine > other) - np.int32(mine < other)
                out[j] += won if other >= 0 else np.int32(0)
