"""AIVAT of one hand: the hand is replayed with all private cards that its hero could have held.

The observer of a hand knows the private cards of everybody but the hero, the seat whose win rate is
estimated. For the observer the hero holds each of many *particles* k with ``weight[k]``: a hole of
hold'em, a deal of a small game. ``own[r, k]`` is the hero's bucket in round r with particle k, and
-1 where the cards seen by then rule it out. Every correction is the expectation of a value given
what the observer knew, less its outcome; so its mean is zero, whatever the values are.
"""

from typing import NamedTuple

import numpy as np

from sixmax.evaluation.agents.policies import MatchGame, Policy
from sixmax.evaluation.aivat.values import Values
from sixmax.game.pots import payoffs
from sixmax.game.tree import (
    DECISION,
    FOLDED,
    SHOWDOWN,
    kind_of,
    round_of,
)
from sixmax.jit import njit, uncounted

MAX_ACTIONS = 64
MASKS = 64  # sets of opponents that a play-out remembers equities against


class Observer(NamedTuple):
    """A hand as the observer sees it, and work space.

    path: int64[steps]           nodes from the root to where the hand ended
    other: int32[seats, rounds]  buckets of the others; the hero's are not read
    own: int32[rounds, n]        the hero's bucket by particle
    rank: int64[seats]           at the showdown; the hero's is not read
    mine: int64[n]               the hero's rank by particle
    weight: float64[n]           sums to 1
    spread: float64[buckets]     of the weight
    row: float64[buckets, MAX_ACTIONS]
    line: float64[MAX_ACTIONS]
    split: float64[MAX_ACTIONS, buckets]
    net: float64[seats]
    every: float64[buckets]      ones
    todo: int64[room]            stack of a play-out: nodes
    chance: float64[room]        probability of the others' actions
    reach: float64[room + 1, buckets]  probability of the hero's actions
    dealt: float64[buckets]      weight at the start of a play-out
    left: float64[buckets]       share of it that reaches a node
    ahead: int64[1]              number of last cards looked ahead at
    mine_then: int32[cards, n]   the hero's rank with each, by particle; -1 if he holds it
    rank_then: int32[cards, seats]
    masks: int64[MASKS + 1]      number of rows of `edge`, then the opponents of each
    edge: float64[MASKS, buckets]  share of the pot that each bucket wins
    """

    path: np.ndarray
    other: np.ndarray
    own: np.ndarray
    rank: np.ndarray
    mine: np.ndarray
    weight: np.ndarray
    spread: np.ndarray
    row: np.ndarray
    line: np.ndarray
    split: np.ndarray
    net: np.ndarray
    every: np.ndarray
    todo: np.ndarray
    chance: np.ndarray
    reach: np.ndarray
    dealt: np.ndarray
    left: np.ndarray
    ahead: np.ndarray
    mine_then: np.ndarray
    rank_then: np.ndarray
    masks: np.ndarray
    edge: np.ndarray


class Match(NamedTuple):
    """The constants of a match.

    ours plays the hero, theirs all others; known: bool[seats], whether a seat's policy may be used;
    mean: float64[seats], the values of each seat before any card is dealt.
    """

    ground: MatchGame
    values: Values
    ours: Policy
    theirs: Policy
    known: np.ndarray
    mean: np.ndarray


@njit
def observer(steps, seats, rounds, particles, buckets, cards):
    """An empty observer of hands with at most so many steps and particles; ``cards`` is how many
    last cards it can look ahead at."""
    room = steps * MAX_ACTIONS
    return Observer(
        np.empty(steps, np.int64), np.empty((seats, rounds), np.int32),
        np.empty((rounds, particles), np.int32), np.empty(seats, np.int64),
        np.empty(particles, np.int64), np.empty(particles), np.empty(buckets),
        np.zeros((buckets, MAX_ACTIONS)), np.empty(MAX_ACTIONS),
        np.empty((MAX_ACTIONS, buckets)), np.empty(seats),
        np.ones(buckets), np.empty(room, np.int64), np.empty(room),
        np.empty((room + 1, buckets)), np.empty(buckets), np.empty(buckets),
        np.zeros(1, np.int64), np.empty((cards, particles), np.int32),
        np.empty((cards, seats), np.int32), np.zeros(MASKS + 1, np.int64),
        np.empty((MASKS, buckets)),
    )  # fmt: skip


@njit
def trace(tree, end, path):
    """Write the nodes from the root to ``end`` into ``path``; returns how many."""
    size, x = 0, end
    while x >= 0:
        path[size] = x
        size += 1
        x = tree.parent[x]
    path[:size] = path[:size][::-1].copy()
    return size


@uncounted
def spread_out(s, r):
    """Write the weight of each bucket of round ``r`` to ``s.spread``; returns the sum."""
    s.spread[:] = 0.0
    total = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and s.own[r, k] >= 0:
            s.spread[s.own[r, k]] += s.weight[k]
            total += s.weight[k]
    return total


@uncounted
def keep(s, r):
    """Drop the particles that the cards of round ``r`` rule out."""
    total = 0.0
    for k in range(s.weight.size):
        if s.own[r, k] < 0:
            s.weight[k] = 0.0
        total += s.weight[k]
    for k in range(s.weight.size):
        s.weight[k] /= total


@uncounted
def net_of(tree, x, hero, rank, mine, net):
    """Chips of the hero, with rank ``mine``, at the terminal ``x``; ``rank`` of the others."""
    node = tree.node
    kind = kind_of(node[x, 0])
    if kind == FOLDED:
        return np.float64(node[x, 1] - node[x, 2])
    mask, level = node[x, 3], np.float64(node[x, 2])
    if kind == SHOWDOWN:
        ties = 1
        for p in range(rank.size):
            if mask >> p & 1 and p != hero:
                if rank[p] > mine:
                    return -level
                ties += rank[p] == mine
        return node[x, 1] / ties - level
    kept, rank[hero] = rank[hero], mine
    payoffs(tree.contributed[node[x, 1]], mask, rank, net)
    rank[hero] = kept
    return net[hero]


@uncounted
def mean_net(tree, x, hero, s):
    """Chips of the hero at the terminal ``x``, over the particles."""
    total = 0.0
    if kind_of(tree.node[x, 0]) == FOLDED:
        return net_of(tree, x, hero, s.rank, 0, s.net)
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            total += s.weight[k] * net_of(tree, x, hero, s.rank, s.mine[k], s.net)
    return total


@uncounted
def settled(tree, x, last):
    """Whether the payoffs at ``x`` are known once the cards of the round ``last`` are."""
    head = tree.node[x, 0]
    kind = kind_of(head)
    return kind == FOLDED or (kind != DECISION and round_of(head) == last)
