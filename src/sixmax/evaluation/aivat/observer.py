"""The observer of AIVAT, who knows the private cards of all players but the hero.

The hero is the seat whose win rate is estimated. To the observer the hero holds each of many
*particles* k with ``weight[k]``: a hole of hold'em, a deal of a small game. Every correction is the
expectation of a value, given the observer's knowledge, minus its outcome; so its mean is zero for
any values.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.betting.rules import payoffs
from sixmax.betting.tree import DECISION, FOLDED, SHOWDOWN, kind_of, round_of
from sixmax.evaluation.aivat.values import Values
from sixmax.ongoing.policies import MatchGame, Policy

MAX_ACTIONS = 64
MASKS = 64  # sets of opponents whose equities a play-out remembers


class Observer(NamedTuple):
    """A hand as the observer sees it, and work space for S seats, K particles, B buckets."""

    path: np.ndarray  # int64[steps]: the nodes from the root to the end of the hand
    other: np.ndarray  # int32[S, rounds]: buckets of the others; the hero's are not read
    own: np.ndarray  # int32[rounds, K]: the hero's bucket; -1 if the cards rule the particle out
    rank: np.ndarray  # int32[S]: of the others at the showdown; the hero's is scratch
    mine: np.ndarray  # int32[K]: the hero's rank by particle
    weight: np.ndarray  # float64[K]: sums to 1
    spread: np.ndarray  # float64[B]: the weight by bucket
    row: np.ndarray  # float64[B, MAX_ACTIONS]: the hero's policy at a node
    line: np.ndarray  # float64[MAX_ACTIONS]: the policy of one bucket
    split: np.ndarray  # float64[MAX_ACTIONS, B]: the range after each action
    net: np.ndarray  # float64[S]
    every: np.ndarray  # float64[B]: ones
    # of a play-out
    todo: np.ndarray  # int64[room]: the stack of nodes
    chance: np.ndarray  # float64[room]: probability of the others' actions
    reach: np.ndarray  # float64[room + 1, B]: probability of the hero's actions
    dealt: np.ndarray  # float64[B]: the weight at its start
    left: np.ndarray  # float64[B]: the share of it that reaches a node
    masks: np.ndarray  # int64[MASKS + 1]: number of rows of `edge`, then the opponents of each
    edge: np.ndarray  # float64[MASKS, B]: share of the pot that each bucket wins
    # of the possible last cards
    ahead: np.ndarray  # int64[1]: their number
    mine_then: np.ndarray  # int32[cards, K]: the hero's rank by particle; -1 if he holds the card
    rank_then: np.ndarray  # int32[cards, S]


class MatchConstants(NamedTuple):
    """The constants of a match."""

    game: MatchGame
    values: Values
    ours: Policy  # of the hero
    theirs: Policy  # of all others
    known: np.ndarray  # bool[seats]: whether a seat's policy may be used
    mean: np.ndarray  # float64[seats]: the value of each seat before any card is dealt


class Observed(NamedTuple):
    """The hand of one seat in a match, as the observer sees it."""

    m: MatchConstants
    hero: int
    s: Observer


@njit
def observer(m, steps, particles, cards):
    """An empty observer of hands of at most so many steps and particles.

    ``cards`` is the most last cards that it looks ahead at: the deck, or 0.
    """
    (rounds, seats), buckets = m.game.tree.columns.shape, m.game.layout.buckets.max()
    room = steps * MAX_ACTIONS
    return Observer(
        np.empty(steps, np.int64), np.empty((seats, rounds), np.int32),
        np.empty((rounds, particles), np.int32), np.empty(seats, np.int32),
        np.empty(particles, np.int32), np.empty(particles), np.empty(buckets),
        np.zeros((buckets, MAX_ACTIONS)), np.empty(MAX_ACTIONS),
        np.empty((MAX_ACTIONS, buckets)), np.empty(seats), np.ones(buckets),
        np.empty(room, np.int64), np.empty(room), np.empty((room + 1, buckets)),
        np.empty(buckets), np.empty(buckets), np.zeros(MASKS + 1, np.int64),
        np.empty((MASKS, buckets)), np.zeros(1, np.int64),
        np.empty((cards, particles), np.int32), np.empty((cards, seats), np.int32),
    )  # fmt: skip


@njit
def longest(parent):
    """Nodes on the longest path."""
    depth = np.ones(len(parent), np.int64)
    for x in range(1, len(parent)):
        depth[x] = depth[parent[x]] + 1
    return depth.max()


@njit
def trace(tree, end, path):
    """Write the nodes from the root to ``end`` into ``path``; returns their number."""
    size, x = 0, end
    while x >= 0:
        path[size] = x
        size += 1
        x = tree.parent[x]
    path[:size] = path[:size][::-1].copy()
    return size


@uncounted
def spread_out(s, r):
    """Write the weight of each bucket of round ``r`` to ``s.spread``."""
    s.spread[:] = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and s.own[r, k] >= 0:
            s.spread[s.own[r, k]] += s.weight[k]


@uncounted
def keep(s, r):
    """Drop the particles that the cards of round ``r`` rule out, and spread out the others."""
    total = 0.0
    for k in range(s.weight.size):
        if s.own[r, k] < 0:
            s.weight[k] = 0.0
        total += s.weight[k]
    for k in range(s.weight.size):
        s.weight[k] /= total
    spread_out(s, r)


@uncounted
def ties(mask, hero, mine, rank):
    """The players of ``mask`` who win the pot with the hero's rank ``mine``, the hero included;
    0 where another beats him."""
    winners = 1
    for p in range(rank.size):
        if mask >> p & 1 and p != hero:
            if rank[p] > mine:
                return 0
            winners += rank[p] == mine
    return winners


@uncounted
def net_of(tree, x, hero, rank, mine, net):
    """Chips of the hero, with rank ``mine``, at the terminal ``x``.

    ``rank`` int32[seats] is of the others; the hero's entry is scratch, as is ``net``.
    """
    node = tree.node
    kind = kind_of(node[x, 0])
    if kind == FOLDED:
        return np.float64(node[x, 1] - node[x, 2])
    mask, level = node[x, 3], np.float64(node[x, 2])
    if kind == SHOWDOWN:
        winners = ties(mask, hero, mine, rank)
        return node[x, 1] / winners - level if winners else -level
    kept, rank[hero] = rank[hero], mine
    payoffs(tree.contributed[node[x, 1]], mask, rank, net)
    rank[hero] = kept
    return net[hero]


@uncounted
def mean_net(v, x, r, shares):
    """Chips of the hero at the terminal ``x``: at a showdown a sum over the particles.

    ``shares`` float64[buckets] of the hero's buckets of round ``r`` get there.
    """
    hero, s, tree, own, total = v.hero, v.s, v.m.game.tree, v.s.own[r], 0.0
    if kind_of(tree.node[x, 0]) == FOLDED:
        return net_of(tree, x, hero, s.rank, s.mine[0], s.net)
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and own[k] >= 0 and shares[own[k]] > 0.0:
            won = net_of(tree, x, hero, s.rank, s.mine[k], s.net)
            total += s.weight[k] * shares[own[k]] * won
    return total


@uncounted
def settled(tree, x, last):
    """Whether the payoffs at ``x`` are known once the cards of the round ``last`` are."""
    head = tree.node[x, 0]
    kind = kind_of(head)
    return kind == FOLDED or (kind != DECISION and round_of(head) == last)
