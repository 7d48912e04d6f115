"""A betting round of two players, and the values of its ends against the reach of the other.

No card is held twice. From the sum over all hands of the opponent, subtract the hands with either
card of this hand and add the identical hand once: it was subtracted twice. Before the flop, classes
face each other by a chance of their own. A hand that faces nobody has the value 0 and no rounding
error, which would decide its action.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange, read_only, uncounted
from sixmax.betting.tree import DECISION, FOLDED, LEAF, Tree, kind_of, seat_of
from sixmax.search.solvers.limited.hands import BoardHands
from sixmax.search.solvers.ranges.tree_parts import chips_at
from sixmax.search.subgame import leaf_nodes

PLAYERS = (0, 1)  # and their seats
_BLOCKS = 8  # of hands at all-ins, shared by threads
_CARDS = 64
_LEAST = 1e-12  # of all weight: with less of it left a hand faces nobody


class Round(NamedTuple):
    """A betting round and its ends."""

    node: np.ndarray  # as sixmax.cfr.full.public_tree wants it
    first: np.ndarray  # likewise
    hands: BoardHands
    folds: np.ndarray  # int64[f]: nodes where a player has folded
    kept: np.ndarray  # float64[2, f]: net chips of each player there
    shown: np.ndarray  # int64[s]: nodes where all chips are in
    tie: np.ndarray  # float64[2, s]: net chips of a tie
    win: np.ndarray  # float64[2, s]: the gain of a win over it
    lead: np.ndarray  # float32[n, n]: edges of the hands
    leaves: np.ndarray  # int64[l]: nodes with values of their own
    tables: np.ndarray  # float64[2, l, C, C]: net chips there, [the other's class, the own]


def betting_round(tree: Tree, hands: BoardHands, lead: np.ndarray, tables: np.ndarray) -> Round:
    """The game of ``tree``, of one round; ``lead`` and ``tables`` are those of :class:`Round`."""
    kind = kind_of(tree.node[:, 0])
    leaves = leaf_nodes(tree)
    ends = (kind != DECISION) & (kind != LEAF)
    folds, shown = np.flatnonzero(kind == FOLDED), np.flatnonzero(ends & (kind != FOLDED))
    chips = np.array([
        [chips_at(tree, int(x), PLAYERS, p) for x in (*folds, *shown)] for p in PLAYERS
    ]).reshape(2, -1, 2)  # fmt: skip
    kept = np.ascontiguousarray(chips[:, : len(folds), 0])
    tie, win = (np.ascontiguousarray(chips[:, len(folds) :, k]) for k in (0, 1))
    # The rows of seat 0 come before those of seat 1.
    row = tree.node[:, 2].astype(np.int64)
    row += np.where(seat_of(tree.node[:, 0]) == 1, tree.columns[0, 0], 0)
    first = np.where(kind == DECISION, row, -1)
    tables = read_only(tables)  # kept or rolled out: one kernel for both
    return Round(tree.node, first, hands, folds, kept, shown, tie, win, lead, leaves, tables)


@njit
def value_ends(game, me, prior, reach, value):
    """Fill ``value`` float64[nodes, n] of ``me`` at the ends of ``game``: chips times reach.

    The other has ``reach`` float64[nodes, n], and its hands weigh ``prior`` float64[n] at the root.
    """
    if game.hands.apart.size:
        _by_class(game, me, prior, reach, value)
        return
    low, high = game.hands.low, game.hands.high
    apart = np.empty(prior.size)
    for i in range(game.folds.size):
        x = game.folds[i]
        _apart(prior, reach[x], low, high, apart)
        value[x] = game.kept[me, i] * apart
    for i in range(game.shown.size):
        x = game.shown[i]
        _apart(prior, reach[x], low, high, apart)
        value[x] = game.tie[me, i] * apart
    _on_threads(game, me, prior, reach, value)


@njit
def compatible(hands, prior, reach):
    """The weight of the other's hands that share no card with each hand: float64[n]."""
    out = np.empty(prior.size)
    if hands.apart.size:
        _facing(prior * reach, hands.apart, out)
    else:
        _apart(prior, reach, hands.low, hands.high, out)
    return out


@njit
def _by_class(game, me, prior, reach, value):
    met, chips, apart = np.empty(prior.size), np.empty(prior.size), game.hands.apart
    for i in range(game.folds.size):
        x = game.folds[i]
        _facing(prior * reach[x], apart, met)
        value[x] = game.kept[me, i] * met
    for i in range(game.shown.size):
        x = game.shown[i]
        weight = prior * reach[x]
        _facing(weight, apart, met)
        _paid(weight, apart, met, game.lead, chips)
        value[x] = game.tie[me, i] * met - game.win[me, i] * chips
    for i in range(game.leaves.size):
        x = game.leaves[i]
        weight = prior * reach[x]
        _facing(weight, apart, met)
        _paid(weight, apart, met, game.tables[me, i], value[x])


@njit
def _facing(weight, apart, out):
    """The weight of the other's hands that each hand can face."""
    out[:] = 0.0
    for h in range(weight.size):
        if weight[h] != 0.0:
            for c in range(out.size):
                out[c] += weight[h] * apart[h, c]
    least = _LEAST * weight.sum()
    for c in range(out.size):
        if out[c] <= least:
            out[c] = 0.0


@njit
def _paid(weight, apart, met, table, out):
    """The chips of ``table`` [other's hand, own] by the other's ``weight``; 0 for nobody met."""
    out[:] = 0.0
    for h in range(weight.size):
        if weight[h] != 0.0:
            for c in range(out.size):
                out[c] += weight[h] * apart[h, c] * table[h, c]
    for c in range(out.size):
        if met[c] == 0.0:
            out[c] = 0.0


@uncounted
def _sum(weight):
    total = 0.0
    for h in range(weight.size):
        total += weight[h]
    return total


@uncounted
def _apart(prior, reach, low, high, out):
    total = 0.0
    for h in range(out.size):
        out[h] = prior[h] * reach[h]
        total += out[h]
    _less_touching(total, low, high, out)


@njit
def _less_touching(total, low, high, out):
    """``out`` has the weight of each hand, and then that of all others that it can face."""
    held = np.zeros(_CARDS)
    for h in range(out.size):
        held[low[h]] += out[h]
        held[high[h]] += out[h]
    for h in range(out.size):
        weight = out[h] + total - held[low[h]] - held[high[h]]
        out[h] = weight if weight > _LEAST * total else 0.0


@parallel
def _on_threads(game, me, prior, reach, value):
    low, high, of = game.hands.low, game.hands.high, game.hands.of
    leaves, tables, n = game.leaves, game.tables[me], prior.size
    every = game.shown, game.win[me], game.lead
    for task in prange(leaves.size + _BLOCKS):
        if task < leaves.size:
            x = leaves[task]
            weight = prior * reach[x]
            _leaf(tables[task], of, low, high, weight, value[x])
        else:
            block = task - leaves.size
            begin, end = n * block // _BLOCKS, n * (block + 1) // _BLOCKS
            _all_in(every, prior, reach, value, begin, end)


@njit
def _leaf(table, of, low, high, weight, out):
    """The values of all hands at a leaf with ``table``, by the ``weight`` of the other's hands."""
    classes = table.shape[1]
    held, every = np.zeros((_CARDS, classes)), np.zeros(classes)
    out[:] = weight
    _less_touching(_sum(weight), low, high, out)
    for h in range(of.size):
        if weight[h] == 0.0:
            continue
        row, first, second = table[of[h]], held[low[h]], held[high[h]]
        for c in range(classes):
            chips = weight[h] * row[c]
            every[c] += chips
            first[c] += chips
            second[c] += chips
    for h in range(of.size):
        c = of[h]
        own = weight[h] * table[c, c]
        if out[h] > 0.0:
            out[h] = every[c] - held[low[h], c] - held[high[h], c] + own


@njit
def _all_in(every, prior, reach, value, begin, end):
    """Add the gains over a tie of hands ``begin`` to ``end`` where all chips are in."""
    shown, win, lead = every
    for h in range(prior.size):
        beaten = lead[h, begin:end]  # by the other's hand h
        for i in range(shown.size):
            weight = win[i] * prior[h] * reach[shown[i], h]
            if weight == 0.0:
                continue
            out = value[shown[i], begin:end]
            for j in range(out.size):
                out[j] -= weight * beaten[j]
