"""Kernels of :mod:`sixmax.abstraction.features`: board by board, disjoint outputs.

Each takes a range of canonical boards [first, last) and writes the rows of those boards alone, so
that ranges can run at the same time in threads (kernels release the GIL) and threads cannot
matter. Plain loops in threads compile several times faster than numba's parallel ones.
"""

import numpy as np

from sixmax.base.jit import njit
from sixmax.cards.equity import sweep, sweep_clusters
from sixmax.cards.isomorphism import canonical_board, orbits, permute_hole
from sixmax.cards.strength_ladder import climb, new_ladder

FULL = 65535  # a river win probability of one, against a cluster


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
def river_wins(rivers, ranks, hole_cards, first, last, wins):
    """wins uint16[B, H]: twice the hands beaten plus those tied with; 65535 if blocked."""
    s = new_ladder(hole_cards)
    row = np.empty(hole_cards.shape[0], np.int32)
    for board in range(first, last):
        sweep(climb(rivers.cards[board], ranks, s), s, row)
        for hole in range(row.shape[0]):
            wins[board, hole] = row[hole]


@njit
def turn_histograms(turns, rivers, offset, ranks, hole_cards, wins, bin_of, first, last, out, win):
    """Add up the rivers of each turn situation: histogram ``out`` and sum of wins ``win``."""
    orbit = np.empty(hole_cards.shape[0], np.int16)
    smallest = np.empty(hole_cards.shape[0], np.int16)
    cards, perm = np.empty(5, np.int8), np.empty(4, np.int8)
    for board in range(first, last):
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
def flop_histograms(
    flops,
    turns,
    offset,
    turn_offset,
    turn_orbit,
    ranks,
    hole_cards,
    turn,
    turn_win,
    first,
    last,
    out,
    win,
):
    """Add up the turns of each flop situation. Each runout comes in two orders: halve."""
    orbit = np.empty(hole_cards.shape[0], np.int16)
    smallest = np.empty(hole_cards.shape[0], np.int16)
    cards, perm = np.empty(4, np.int8), np.empty(4, np.int8)
    for board in range(first, last):
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
def preflop_sums(flops, offset, hole_class, flop, flop_win, out, win):
    """Add up int64 the flops of each class, every hole and every flop with suits told apart."""
    orbit = np.empty(hole_class.shape[0], np.int16)
    for board in range(len(flops.count)):
        orbits(flops.cards[board], orbit)
        for hole in range(hole_class.shape[0]):
            if orbit[hole] >= 0:
                here, c = offset[board] + orbit[hole], hole_class[hole]
                for b in range(out.shape[1]):
                    out[c, b] += flops.count[board] * np.int64(flop[here, b])
                win[c] += flops.count[board] * np.int64(flop_win[here])


@njit
def fixed_point(wins2, total, all_wins2, all_total):
    """Win probability as 0..FULL; against a cluster that is all blocked, that against everyone."""
    if total == 0:
        wins2, total = all_wins2, all_total
    return (wins2 * FULL + total) // (2 * total)


@njit
def river_clusters(rivers, offset, ranks, hole_cards, cluster_of_hole, first, last, ochs, win):
    """Win probability against each cluster, ochs uint16[situation, K], and twice the wins."""
    holes, clusters = hole_cards.shape[0], ochs.shape[1]
    s = new_ladder(hole_cards)
    wins2, total = np.empty((holes, clusters), np.int32), np.empty((holes, clusters), np.int32)
    orbit, smallest = np.empty(holes, np.int16), np.empty(holes, np.int16)
    for board in range(first, last):
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
