"""Kernels of :mod:`sixmax.blueprint.values`: two players' hands on one board, all at once.

Hands are numbered by ascending strength on the board (:mod:`sixmax.cards.strength_ladder`). Lane k
of an array [hands, 2] is player k's: the reach of each hand of the *opponent*, or the values of
player k's own hands.
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import buckets_on_board
from sixmax.base.jit import njit, parallel, prange
from sixmax.betting.config import SEEN
from sixmax.betting.tree import FOLDED, Tree, is_decision, kind_of, n_actions, round_of, seat_of
from sixmax.cards.deck import n_cards
from sixmax.cards.strength_ladder import Ladder, add_beaten, climb, ladder, live, rungs
from sixmax.cfr.advance import terminal_value
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.regret import match

_ROUNDING = 1e-12  # of a lane's whole reach: less is a rounding error of subtraction


class Scratch(NamedTuple):
    """Scratch arrays of one thread; levels are the actions from the root."""

    ladder: Ladder
    reach: np.ndarray  # float64[levels, hands, 2]
    value: np.ndarray  # float64[levels, hands, 2]
    strategy: np.ndarray  # float64[levels, buckets, actions]
    place: np.ndarray  # int64[levels, 2]: the node, and the action that is next
    bucket: np.ndarray  # int32[rounds, hands]
    mass: np.ndarray  # float64[hands, 2]: the opponent's reach that a hand leaves possible
    held: np.ndarray  # float64[cards, 2]


def room(tree: Tree, buckets: int, ranks: int) -> Scratch:
    """Room for ``tree`` with at most so many ``buckets`` a round."""
    depth, rows = np.zeros(len(tree.parent), np.int64), ladder(ranks)
    for x in range(1, len(depth)):
        depth[x] = depth[tree.parent[x]] + 1
    levels, hands = int(depth.max()) + 1, len(rows.cards)
    widest = int(n_actions(tree.node[:, 0]).max())
    return Scratch(
        rows, np.empty((levels, hands, 2)), np.empty((levels, hands, 2)),
        np.empty((levels, buckets, widest)), np.empty((levels, 2), np.int64),
        np.empty((tree.columns.shape[0], hands), np.int32), np.empty((hands, 2)),
        np.empty((n_cards(ranks), 2)),
    )  # fmt: skip


@njit
def stakes(node, contributed):
    """Chips at the terminals: float64[nodes, 2, 2], 0 at decisions.

    ``[x, k, 0]`` are the net chips of player k after a fold or a lost showdown, ``[x, k, 1]`` half
    of the chips by which a won showdown is better: a tie lies in the middle.
    """
    out, net = np.zeros((len(node), 2, 2)), np.empty(2)
    rank = np.zeros((1, 2), np.int32)
    for x in range(len(node)):
        head = node[x, 0]
        if kind_of(head) == FOLDED:
            out[x, seat_of(head), 0] = node[x, 1] - node[x, 2]
            out[x, 1 - seat_of(head), 0] = node[x, 2] - node[x, 1]
        elif not is_decision(head):
            for k in range(2):
                rank[0, k] = -1
                lost = terminal_value(node, contributed, rank, head, x, k, net)
                rank[0, k] = 1
                won = terminal_value(node, contributed, rank, head, x, k, net)
                rank[0, k] = 0
                out[x, k, 0], out[x, k, 1] = lost, (won - lost) / 2
    return out


@njit
def lay_board(tables, ranks, board, room):
    """Write the hands on ``board`` int8[cards] and their buckets; returns the number of hands."""
    size, by_hole = climb(board, ranks, room.ladder), np.empty(len(room.ladder.cards), np.int32)
    for r in range(len(room.bucket)):
        buckets_on_board(tables, board[: SEEN[r]], room.ladder.cards, by_hole)
        for i in range(size):
            room.bucket[r, i] = by_hole[room.ladder.order[i]]
    return size


class SelfPlay(NamedTuple):
    """A tree and the policy that both play in it."""

    node: np.ndarray  # int32[nodes, 4]: the tree's
    stake: np.ndarray  # float64[nodes, 2, 2], as :func:`stakes` gives it
    layout: Layout
    policy: np.ndarray  # uint8[layout.size]
    row: np.ndarray  # int32[nodes]: of a node in the sums, -1 for none
    in_round: int  # whose buckets are told apart


@njit
def sweep(play, size, room, sums):
    """Add the board in ``room``, with ``size`` hands, to ``sums`` float64[rows, 2, buckets, 2].

    The last index of ``sums`` is the counterfactual value in chips times reach, then the reach.
    """
    node, stake, layout, policy, row, in_round = play
    hands, own, one = rungs(room.ladder, size), room.bucket[in_round], np.ones(2)
    room.reach[0], level = 1.0, 0
    room.place[0, 0], room.place[0, 1] = 0, -1
    while level >= 0:
        x, action = room.place[level]
        reach, value, head = room.reach[level, :size], room.value[level, :size], node[x, 0]
        seat, n = seat_of(head), n_actions(head)
        if action < 0:
            action, value[:] = 0, 0.0
            if not reach.any():  # neither player plays to x: no reach, no value
                level -= 1
                continue
            if is_decision(head):
                for b in range(layout.buckets[round_of(head)]):
                    at = infoset(layout, round_of(head), seat, b, node[x, 2])
                    match(policy, at, n, room.strategy[level, b])
            else:
                live(reach, hands, stake[x, :, 0], value, room.held)
                if kind_of(head) != FOLDED:
                    add_beaten(reach, hands, stake[x, :, 1], value, room.held)
        if is_decision(head) and action < n:
            _to_child(room, level, size, round_of(head), seat, action)
            room.place[level, 1] = action + 1
            level += 1
            room.place[level, 0], room.place[level, 1] = node[x, 1] + action, -1
            continue
        if row[x] >= 0:
            live(reach, hands, one, room.mass, room.held)
            _record(own, reach, room.mass, value, sums[row[x]])
        level -= 1
        if level >= 0:
            x, action = room.place[level]
            head = node[x, 0]
            _to_parent(room, level, size, round_of(head), seat_of(head), action - 1)


@njit
def _to_child(room, level, size, in_round, seat, action):
    """The reach after ``action`` of ``seat``: its hands are in the lane of its opponent."""
    reach, below = room.reach[level], room.reach[level + 1]
    for i in range(size):
        p = room.strategy[level, room.bucket[in_round, i], action]
        below[i, seat] = reach[i, seat]
        below[i, 1 - seat] = reach[i, 1 - seat] * p


@njit
def _to_parent(room, level, size, in_round, seat, action):
    """Add the values after ``action`` of ``seat``: its own are weighed by its strategy, those of
    the opponent have it in their reach."""
    value, below = room.value[level], room.value[level + 1]
    for i in range(size):
        p = room.strategy[level, room.bucket[in_round, i], action]
        value[i, seat] += p * below[i, seat]
        value[i, 1 - seat] += below[i, 1 - seat]


@njit
def _record(bucket, reach, mass, value, sums):
    """Add the hands of a node by ``bucket`` to ``sums`` float64[2, buckets, 2]."""
    for k in range(2):
        least = _ROUNDING * reach[:, k].sum()
        for i in range(len(reach)):
            if mass[i, k] > least:
                sums[k, bucket[i], 0] += value[i, k]
                sums[k, bucket[i], 1] += mass[i, k]


@parallel
def add_board(sums, moments, boards):
    """Move ``sums`` float64[rows, 2, buckets, 2] of a board to ``moments`` float64[…, 5] and
    ``boards`` int32[rows, 2, buckets], and leave zeros.

    With C the value and W the reach of a board, the moments are the sums over boards of C, W, CC,
    CW and WW; ``boards`` counts those with W above 0.
    """
    for row in prange(len(sums)):
        for k in range(2):
            for b in range(sums.shape[2]):
                c, w = sums[row, k, b]
                if w > 0.0:
                    to = moments[row, k, b]
                    to[0] += c
                    to[1] += w
                    to[2] += c * c
                    to[3] += c * w
                    to[4] += w * w
                    boards[row, k, b] += 1
                    sums[row, k, b] = 0.0
