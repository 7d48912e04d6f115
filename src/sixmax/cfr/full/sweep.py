"""A small game in full: every node with every deal, swept down and up; exact best responses.

Children are numbered after their parents, so a loop over the nodes walks down from the root and the
same loop backwards walks up. All exact values come from the two sweeps :func:`down` and :func:`up`.

A strategy is float64[layout.size], as :func:`sixmax.cfr.policy.shares` gives it.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import Tree, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.advance import terminal_value
from sixmax.cfr.deals import Deals
from sixmax.cfr.layout import Layout, infoset, slabs
from sixmax.cfr.policy import rows


class Field(NamedTuple):
    """All nodes and all deals that differ; inner loops run along the deals, the last axis."""

    node: np.ndarray  # int32[nodes, 4]: the tree's
    offset: np.ndarray  # int64[seats, rounds, deals]: where the slab of the seat's bucket begins
    payoff: np.ndarray  # float64[seats, nodes, deals]: net chips at the terminal nodes, 0 elsewhere
    chance: np.ndarray  # float64[deals]: probability of the deal; they sum to 1


class Infosets(NamedTuple):
    """The infosets of one seat: entries ``at[i]`` … ``at[i] + n[i] - 1`` are the actions of i."""

    at: np.ndarray  # int64[infosets]
    n: np.ndarray  # int64[infosets]


def field(tree: Tree, layout: Layout, deals: Deals) -> Field:
    """Lay out the game whose equally likely ``deals`` are all listed; equal ones are merged.

    Memory is seats * nodes * deals * 8 bytes. Raises ValueError where a bucket follows several
    buckets of the round before: reach would not belong to an infoset, nor a best response be one.
    """
    _check_recall(deals.bucket)
    table = np.concatenate([a.reshape(len(deals.rank), -1) for a in deals], axis=1)
    _, first, times = np.unique(table, axis=0, return_index=True, return_counts=True)
    bucket, rank = deals.bucket[first].astype(np.int64), deals.rank[first]
    offset = slabs(layout, bucket.transpose(1, 2, 0))
    seats, nodes = tree.columns.shape[1], len(tree.node)
    payoff = np.zeros((seats, nodes, len(first)))
    _payoff_kernel(tree.node, tree.contributed, rank, payoff)
    return Field(tree.node, offset, payoff, times / times.sum())


def infosets(tree: Tree, layout: Layout, seat: int) -> Infosets:
    """The infosets of ``seat`` by round, bucket and node; nodes that share a slot are one."""
    table = rows(tree)
    rounds, seats = tree.columns.shape
    at, n = [], []
    for r in range(rounds):
        group = slice(*table.start[r * seats + seat : r * seats + seat + 2])
        bucket = np.arange(layout.buckets[r])[:, None]
        at.append(infoset(layout, r, seat, bucket, table.slot[group]).ravel())
        n.append(np.tile(table.n[group].astype(np.int64), layout.buckets[r]))
    once, first = np.unique(np.concatenate(at), return_index=True)
    return Infosets(once, np.concatenate(n)[first])


def _check_recall(bucket: np.ndarray) -> None:
    for r in range(1, bucket.shape[2]):
        for seat in range(bucket.shape[1]):
            known = np.unique(bucket[:, seat, r - 1 : r + 1], axis=0)
            if len(known) > len(np.unique(known[:, 1])):
                raise ValueError(
                    f"buckets of round {r}, seat {seat}: one follows several buckets of round "
                    f"{r - 1}; wanted buckets that remember the round before"
                )


@njit
def _payoff_kernel(node, contributed, rank, payoff):
    seats, nodes, deals = payoff.shape
    net = np.empty(seats)
    lost = np.empty(nodes, np.int64)  # chips of ``me``, who has folded on the way; -1: has not
    for me in range(seats):
        lost[0] = -1
        for x in range(nodes):
            head = node[x, 0]
            if is_decision(head):
                for a in range(n_actions(head)):
                    lost[node[x, 1] + a] = lost[x]
                if offers_fold(head) and seat_of(head) == me:
                    lost[node[x, 1]] = node[x, 3]
                continue
            for d in range(deals):
                if lost[x] >= 0:
                    payoff[me, x, d] = -lost[x]
                else:
                    payoff[me, x, d] = terminal_value(node, contributed, rank[d], head, x, me, net)


@njit
def down(field, strategy, me, others, own):
    """Reach probabilities from the root down, float64[nodes, deals].

    ``own`` is the reach of ``me``, ``others`` that of all others and chance.
    """
    node, deals = field.node, len(field.chance)
    others[0], own[0] = field.chance, 1.0
    for x in range(len(node)):
        head = node[x, 0]
        if not is_decision(head):
            continue
        seat = seat_of(head)
        offset = field.offset[seat, round_of(head)]
        for a in range(n_actions(head)):
            child, slot = node[x, 1] + a, node[x, 2] + a
            for d in range(deals):
                p = strategy[offset[d] + slot]
                others[child, d] = others[x, d] if seat == me else others[x, d] * p
                own[child, d] = own[x, d] * p if seat == me else own[x, d]


@njit
def up(field, strategy, me, best, others, value, worth):
    """Counterfactual values of ``me`` from the leaves up: chips times the reach of ``others``.

    ``worth`` float64[layout.size], zero before, gets the values of the actions of ``me`` over all
    deals. Where ``best``, the strategy of ``me`` is overwritten with the first action of the
    highest value; nodes of ``me`` that share a slot stand one after the other.
    """
    node, deals = field.node, len(field.chance)
    for x in range(len(node) - 1, -1, -1):
        head = node[x, 0]
        if not is_decision(head):
            for d in range(deals):
                value[x, d] = others[x, d] * field.payoff[me, x, d]
            continue
        first, slot, n = node[x, 1], node[x, 2], n_actions(head)
        value[x] = 0.0
        if seat_of(head) != me:
            for a in range(n):
                for d in range(deals):
                    value[x, d] += value[first + a, d]
            continue
        offset = field.offset[me, round_of(head)]
        for a in range(n):
            for d in range(deals):
                worth[offset[d] + slot + a] += value[first + a, d]
        if x > 0 and _alike(node, x - 1, x):
            continue  # the other nodes of the infoset count before it chooses
        if best:
            for d in range(deals):
                _choose(worth, strategy, offset[d] + slot, n)
        y = x
        while y < len(node) and _alike(node, y, x):
            first = node[y, 1]
            for a in range(n):
                for d in range(deals):
                    value[y, d] += strategy[offset[d] + slot + a] * value[first + a, d]
            y += 1


@njit
def _alike(node, x, y):
    """Whether the player at decision ``y`` cannot tell it from ``x``."""
    return node[x, 0] == node[y, 0] and node[x, 2] == node[y, 2]


@njit
def _choose(worth, strategy, at, n):
    best = 0
    for a in range(n):
        strategy[at + a] = 0.0
        if worth[at + a] > worth[at + best]:
            best = a
    strategy[at + best] = 1.0


class NashConv(NamedTuple):
    """The distance of a strategy from an equilibrium, in chips a game.

    ``total`` is the sum of the gains; two players' exploitability is half of it.
    """

    total: float
    gains: np.ndarray  # float64[seats]: gain of the seat's best response over its strategy
    values: np.ndarray  # float64[seats]: net chips of the seat when all play the strategy


def nash_conv(tree: Tree, layout: Layout, deals: Deals, strategy: np.ndarray) -> NashConv:
    """The sum of the players' gains, each by a best response to ``strategy`` of the others.

    NashConv of Lanctot et al. 2017, "A unified game-theoretic approach to multiagent reinforcement
    learning", section 3.1. Raises ValueError where ``strategy`` is no strategy of this layout.
    """
    return score(field(tree, layout, deals), tree, layout, strategy)


def score(game: Field, tree: Tree, layout: Layout, strategy: np.ndarray) -> NashConv:
    """:func:`nash_conv` for any payoffs and any chance, on the field ``game``.

    Nodes that a player cannot tell apart stand one after the other in ``tree``.
    """
    _check(tree, layout, strategy)
    seats = range(tree.columns.shape[1])
    played = np.array([_play(game, strategy, me, False) for me in seats])
    best = np.array([_play(game, strategy.copy(), me, True) for me in seats])
    return NashConv(float((best - played).sum()), best - played, played)


def _play(game: Field, strategy: np.ndarray, me: int, best: bool) -> float:
    """The value of the game to ``me``; where ``best``, ``strategy`` becomes its best response."""
    others, own, value = np.empty((3, len(game.node), len(game.chance)))
    down(game, strategy, me, others, own)
    up(game, strategy, me, best, others, value, np.zeros(strategy.size))
    return float(value[0].sum())


def _check(tree: Tree, layout: Layout, strategy: np.ndarray) -> None:
    if strategy.shape != (layout.size,) or strategy.dtype != np.float64:
        raise ValueError(
            f"strategy: found {strategy.dtype}{list(strategy.shape)}, wanted float64[{layout.size}]"
        )
    for seat in range(tree.columns.shape[1]):
        at, n = infosets(tree, layout, seat)
        for k in np.unique(n):
            sums = sum(strategy[at[n == k] + a] for a in range(k))
            if not np.allclose(sums, 1.0):
                worst = sums[np.abs(sums - 1).argmax()]
                raise ValueError(
                    f"strategy: an infoset of seat {seat} sums to {worst:g}, wanted 1; sums and "
                    "counters become a strategy by policy.shares"
                )
