"""Kernels of :mod:`sixmax.abstraction.features`: board by board, disjoint outputs.

Each takes a range of canonical boards, ``span`` = (first, last), and writes the rows of those
boards alone, so that ranges can run at the same time in threads (kernels release the GIL) and
threads cannot matter. Plain loops in threads compile several times faster than numba's parallel
ones.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.cards.deck import hole_cards
from sixmax.cards.equity import sweep, sweep_clusters
from sixmax.cards.isomorphism import Boards, canonical_board, orbits, permute_hole
from sixmax.cards.strength_ladder import climb, new_ladder

FULL = 65535  # a river win probability of one, against a cluster


class Deck(NamedTuple):
    """A deck and its holes."""

    ranks: int
    holes: np.ndarray  # int8[H, 2]


def deck(ranks: int) -> Deck:
    """The deck of so many ``ranks``."""
    return Deck(ranks, hole_cards(ranks))


class RoundHands(NamedTuple):
    """The situations of a round: those of a board lie together."""

    boards: Boards
    offset: np.ndarray  # int64[B + 1]: the first situation of each board


class RiverWins(NamedTuple):
    """The rivers with their wins, as :func:`river_wins` writes them."""

    boards: Boards
    wins: np.ndarray  # uint16[B, H]
    bin: np.ndarray  # uint8[wins]: of each number of wins


class TurnSums(NamedTuple):
    """The turns with their histograms."""

    boards: Boards
    offset: np.ndarray  # int64[B + 1]
    orbit: np.ndarray  # int16[B, H], see :func:`orbit_tables`
    histogram: np.ndarray  # uint8[situations, bins]
    win: np.ndarray  # uint32[situations]


@njit
def _smallest_holes(board, orbit, hole):
    """The smallest hole of each orbit, in ``hole``; returns the number of orbits."""
    count = orbits(board, orbit)
    following = 0
    for h in range(orbit.shape[0]):
        if orbit[h] == following:
            hole[following] = h
            following += 1
    return count


@njit
def _holds(cards, card):
    held = False
    for own in cards:
        held |= own == card
    return held


@njit
def orbit_tables(boards, orbit):
    """orbit int16[B, H]: the orbit of each hole on each board, -1 if blocked."""
    for board in range(orbit.shape[0]):
        orbits(boards.cards[board], orbit[board])


@njit
def river_wins(deck, rivers, wins, span):
    """wins uint16[B, H]: twice the hands beaten plus those tied with; 65535 if blocked."""
    s = new_ladder(deck.holes)
    row = np.empty(len(deck.holes), np.int32)
    for board in range(*span):
        sweep(climb(rivers.cards[board], deck.ranks, s), s, row)
        for hole in range(row.shape[0]):
            wins[board, hole] = row[hole]


@njit
def turn_histograms(deck, of, rivers, sums, span):
    """Add up the rivers of each turn situation ``of``: histogram and sum of wins, in ``sums``."""
    (ranks, hole_cards), (turns, offset), (rivers, wins, bin_of) = deck, of, rivers
    out, win = sums
    orbit = np.empty(hole_cards.shape[0], np.int16)
    smallest = np.empty(hole_cards.shape[0], np.int16)
    cards, perm = np.empty(5, np.int8), np.empty(4, np.int8)
    for board in range(*span):
        size = _smallest_holes(turns.cards[board], orbit, smallest)
        cards[:4] = turns.cards[board]
        for card in range(4 * ranks):
            if not _holds(cards[:4], card):
                cards[4] = card
                row = wins[canonical_board(rivers, cards, perm)]
                for i in range(size):
                    lo, hi = hole_cards[smallest[i], 0], hole_cards[smallest[i], 1]
                    if lo != card and hi != card:
                        value = row[permute_hole(lo, hi, perm)]
                        out[offset[board] + i, bin_of[value]] += 1
                        win[offset[board] + i] += value


@njit
def flop_histograms(deck, of, after, sums, span):
    """Add up the turns of each flop situation ``of``. Each runout comes in two orders: halve."""
    (ranks, hole_cards), (flops, offset), (out, win) = deck, of, sums
    turns, turn_offset, turn_orbit, turn, turn_win = after
    orbit = np.empty(hole_cards.shape[0], np.int16)
    smallest = np.empty(hole_cards.shape[0], np.int16)
    cards, perm = np.empty(4, np.int8), np.empty(4, np.int8)
    for board in range(*span):
        size = _smallest_holes(flops.cards[board], orbit, smallest)
        cards[:3] = flops.cards[board]
        for card in range(4 * ranks):
            if not _holds(cards[:3], card):
                cards[3] = card
                after = canonical_board(turns, cards, perm)
                for i in range(size):
                    lo, hi = hole_cards[smallest[i], 0], hole_cards[smallest[i], 1]
                    if lo != card and hi != card:
                        there = turn_offset[after] + turn_orbit[after, permute_hole(lo, hi, perm)]
                        for b in range(out.shape[1]):
                            out[offset[board] + i, b] += turn[there, b]
                        win[offset[board] + i] += turn_win[there]
        for i in range(offset[board], offset[board + 1]):
            for b in range(out.shape[1]):
                out[i, b] //= 2
            win[i] //= 2


@njit
def preflop_sums(of, hole_class, flop, sums):
    """Add up int64 the flops of each class, every hole and every flop with suits told apart."""
    (flops, offset), (histogram, flop_win), (out, win) = of, flop, sums
    orbit = np.empty(hole_class.shape[0], np.int16)
    for board in range(len(flops.count)):
        orbits(flops.cards[board], orbit)
        for hole in range(hole_class.shape[0]):
            if orbit[hole] >= 0:
                here, c = offset[board] + orbit[hole], hole_class[hole]
                for b in range(out.shape[1]):
                    out[c, b] += flops.count[board] * np.int64(histogram[here, b])
                win[c] += flops.count[board] * np.int64(flop_win[here])


@njit
def fixed_point(wins2, total, all_wins2, all_total):
    """Win probability as 0..FULL; against a cluster that is all blocked, that against everyone."""
    if total == 0:
        wins2, total = all_wins2, all_total
    return (wins2 * FULL + total) // (2 * total)


@njit
def river_clusters(deck, of, cluster_of_hole, features, span):
    """Win probability against each cluster, ochs uint16[situation, K], and twice the wins."""
    (ranks, hole_cards), (rivers, offset), (ochs, win) = deck, of, features
    holes, clusters = hole_cards.shape[0], ochs.shape[1]
    s = new_ladder(hole_cards)
    wins2, total = np.empty((holes, clusters), np.int32), np.empty((holes, clusters), np.int32)
    orbit, smallest = np.empty(holes, np.int16), np.empty(holes, np.int16)
    for board in range(*span):
        size = climb(rivers.cards[board], ranks, s)
        sweep_clusters(size, cluster_of_hole, s, wins2, total)
        for i in range(_smallest_holes(rivers.cards[board], orbit, smallest)):
            hole, here = smallest[i], offset[board] + i
            all_wins2, all_total = np.int64(0), np.int64(0)
            for k in range(clusters):
                all_wins2 += wins2[hole, k]
                all_total += total[hole, k]
            win[here] = all_wins2
            for k in range(clusters):
                ochs[here, k] = fixed_point(
                    np.int64(wins2[hole, k]), np.int64(total[hole, k]), all_wins2, all_total
                )
