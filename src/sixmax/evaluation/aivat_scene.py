"""AIVAT of one hand: the hand walked once more, with all that its hero could have held.

The observer of a hand knows what everybody holds but the hero (the seat whose win rate is wanted).
For him the hero holds each of many *particles* k with ``weight[k]``: a hole of hold'em, a deal of a
small game. ``own[r, k]`` is the hero's bucket then, in round r, and -1 where the cards seen by
then rule it out. Every term is the expectation of something given what the observer knew, less what
it came to be, and so nothing on average, whatever the values are.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cfr.policy import probabilities
from sixmax.evaluation.agents import POLICY, RANDOM, Agent, Ground, act
from sixmax.evaluation.values import Values, worth
from sixmax.game.pots import payoffs
from sixmax.game.tree import DECISION, FOLDABLE, FOLDED, SHOWDOWN
from sixmax.jit import njit

MAX_ACTIONS = 64


class Scene(NamedTuple):
    """A hand as the observer sees it, with room to work in.

    path: int64[steps]           nodes from the root to where the hand ended
    other: int32[seats, rounds]  buckets that came; the hero's own are not looked at
    own: int32[rounds, n]        the hero's bucket by particle
    rank: int64[seats]           at the showdown; the hero's own is not looked at
    mine: int64[n]               the hero's rank by particle
    weight: float64[n]           sums to 1
    spread: float64[buckets]     of the weight
    row: float64[buckets, MAX_ACTIONS]
    line: float64[MAX_ACTIONS]
    split: float64[MAX_ACTIONS, buckets]
    net: float64[seats]
    every: float64[buckets]      ones
    todo: int64[room]            nodes that are still to be played out
    chance: float64[room]        that the others play so
    reach: float64[room + 1, buckets]  that the hero does
    dealt: float64[buckets]      what a play-out begins with, by bucket
    left: float64[buckets]       what of it came to a point
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


class Match(NamedTuple):
    """What does not change from hand to hand.

    ours plays the hero, theirs all others; known: bool[seats], whose policy may be used; mean:
    float64[seats], what each seat wins by the values before any card is dealt.
    """

    ground: Ground
    values: Values
    ours: Agent
    theirs: Agent
    known: np.ndarray
    mean: np.ndarray


@njit
def scene(steps, seats, rounds, particles, buckets):
    """Room for hands of so many steps and particles."""
    room = steps * MAX_ACTIONS
    return Scene(
        np.empty(steps, np.int64), np.empty((seats, rounds), np.int32),
        np.empty((rounds, particles), np.int32), np.empty(seats, np.int64),
        np.empty(particles, np.int64), np.empty(particles), np.empty(buckets),
        np.zeros((buckets, MAX_ACTIONS)), np.empty(MAX_ACTIONS),
        np.empty((MAX_ACTIONS, buckets)), np.empty(seats),
        np.ones(buckets), np.empty(room, np.int64), np.empty(room),
        np.empty((room + 1, buckets)), np.empty(buckets), np.empty(buckets),
    )  # fmt: skip


@njit
def chances(agent, ground, x, bucket, out):
    """Fill ``out[:n]`` with the probabilities of the n actions of ``agent`` at node ``x``."""
    head = ground.tree.node[x, 0]
    n = head >> 12 & 255
    if agent.kind == POLICY:
        seat, r, layout = head >> 4 & 15, head >> 8 & 15, ground.layout
        at = layout.base[r, seat] + bucket * layout.columns[r, seat] + ground.tree.node[x, 2]
        probabilities(agent.table, at, n, out)
        return
    out[:n] = 1.0 / n
    if agent.kind != RANDOM:
        out[:n] = 0.0
        out[act(agent, ground, x, bucket, 0.0)] = 1.0


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


@njit
def spread_out(s, r):
    """Share of the weight in each bucket of round ``r``, to ``s.spread``; returns their sum."""
    s.spread[:] = 0.0
    total = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and s.own[r, k] >= 0:
            s.spread[s.own[r, k]] += s.weight[k]
            total += s.weight[k]
    return total


@njit
def keep(s, r):
    """Drop the particles that the cards of round ``r`` rule out."""
    total = 0.0
    for k in range(s.weight.size):
        if s.own[r, k] < 0:
            s.weight[k] = 0.0
        total += s.weight[k]
    s.weight[:] = s.weight / total


@njit
def net_of(tree, x, hero, rank, mine, net):
    """Chips of the hero, with rank ``mine``, at the terminal ``x``; ``rank`` of the others."""
    node = tree.node
    kind = node[x, 0] & 15
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


@njit
def mean_net(tree, x, hero, s):
    """Chips of the hero at the terminal ``x``, over the particles."""
    total = 0.0
    if tree.node[x, 0] & 15 == FOLDED:
        return net_of(tree, x, hero, s.rank, 0, s.net)
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            total += s.weight[k] * net_of(tree, x, hero, s.rank, s.mine[k], s.net)
    return total


@njit
def play_out(m, x, r, hero, shares, own, weight, rank, other, s):
    """What the hero wins from ``x`` on if everybody plays on to the end of round ``r``.

    Exact but for what follows the round, which the values say; in the last one nothing does.
    ``own`` int32[n] the hero's bucket by particle, ``weight`` float64[n], where ``shares``
    float64[buckets] of each bucket came to x; ``rank`` and ``other`` are those of the others. Whose
    policy is not known is taken to play as the hero does: wrong, maybe, but known beforehand.
    """
    tree, total, every, top = m.ground.tree, 0.0, 0.0, 1
    node, last = tree.node, s.own.shape[0] - 1
    s.dealt[:] = 0.0
    for k in range(weight.size):
        if own[k] >= 0:
            s.dealt[own[k]] += weight[k]
    for b in range(s.dealt.size):
        every += s.dealt[b] * shares[b]
    s.todo[0], s.chance[0] = x, 1.0
    s.reach[0] = shares
    while top > 0:
        top -= 1
        x, chance = s.todo[top], s.chance[top]
        head, reach = node[x, 0], s.reach[-1]
        reach[:] = s.reach[top]
        if head & 15 != DECISION or head >> 8 & 15 != r:
            if settled(tree, x, last):
                total += chance * _over_range(tree, x, hero, reach, own, weight, rank, s)
            else:
                total += chance * _worth_there(m, x, r, hero, reach, other, s)
            continue
        seat, n, first = head >> 4 & 15, head >> 12 & 255, node[x, 1]
        if seat == hero:
            for a in range(n):
                s.todo[top + a], s.chance[top + a] = first + a, chance
                s.reach[top + a] = 0.0
            for b in range(m.ground.layout.buckets[r]):
                if reach[b] > 0.0 and s.dealt[b] > 0.0:
                    chances(m.ours, m.ground, x, b, s.line)
                    for a in range(n):
                        s.reach[top + a, b] = reach[b] * s.line[a]
            if head & FOLDABLE:
                for b in range(s.dealt.size):
                    total -= chance * s.dealt[b] * s.reach[top, b] * node[x, 3]
                for a in range(n - 1):
                    s.todo[top + a] = first + a + 1
                    s.reach[top + a] = s.reach[top + a + 1]
                n -= 1
            top += n
            continue
        chances(m.theirs if m.known[seat] else m.ours, m.ground, x, other[seat, r], s.line)
        for a in range(n):
            if s.line[a] > 0.0:
                s.todo[top], s.chance[top] = first + a, chance * s.line[a]
                s.reach[top] = reach
                top += 1
    return total / every if every > 0.0 else 0.0


@njit
def settled(tree, x, last):
    """Whether the payoffs at ``x`` are known once the cards of the round ``last`` are."""
    head = tree.node[x, 0]
    kind = head & 15
    return kind == FOLDED or (kind != DECISION and head >> 8 & 15 == last)


@njit
def _over_range(tree, x, hero, reach, own, weight, rank, s):
    """Chips of the hero at the terminal ``x``, times the probability that he came there."""
    total = 0.0
    for k in range(weight.size):
        if own[k] >= 0 and weight[k] > 0.0 and reach[own[k]] > 0.0:
            won = net_of(tree, x, hero, rank, s.mine[k], s.net)
            total += weight[k] * reach[own[k]] * won
    return total


@njit
def _worth_there(m, x, r, hero, reach, other, s):
    """The same where the round ``r`` is over and the hand is not."""
    total = 0.0
    for b in range(s.left.size):
        s.left[b] = s.dealt[b] * reach[b]
        total += s.left[b]
    if total == 0.0:
        return 0.0
    s.left[:] = s.left / total
    return total * worth(m.values, x, 0, False, r, hero, s.left, other)


@njit
def played_out(r):
    """Whether :func:`play_out` gives the values of round ``r``: of all but the first."""
    return r > 0
