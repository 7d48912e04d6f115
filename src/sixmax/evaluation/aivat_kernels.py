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
from sixmax.evaluation.agents import POLICY, RANDOM, act
from sixmax.evaluation.values import worth
from sixmax.game.pots import payoffs
from sixmax.game.tree import DECISION, FOLDABLE, FOLDED, SHOWDOWN
from sixmax.jit import njit

MAX_ACTIONS = 64
RESULT, ALL_HANDS, CHANCE, ACTION, AIVAT = range(5)  # columns


class Scene(NamedTuple):
    """A hand as the observer sees it, with room to work in.

    path: int64[steps]           nodes from the root to where the hand ended
    other: int32[seats, rounds]  buckets that came; the hero's own are not looked at
    theirs: int64[rounds, seats] their groups
    own: int32[rounds, n]        the hero's bucket by particle
    rank: int64[seats]           at the showdown; the hero's own is not looked at
    mine: int64[n]               the hero's rank by particle
    weight: float64[n]           sums to 1
    spread: float64[groups]      of the weight
    row: float64[buckets, MAX_ACTIONS]
    split: float64[MAX_ACTIONS, groups]
    held: float64[buckets]
    net: float64[seats]
    """

    path: np.ndarray
    other: np.ndarray
    theirs: np.ndarray
    own: np.ndarray
    rank: np.ndarray
    mine: np.ndarray
    weight: np.ndarray
    spread: np.ndarray
    row: np.ndarray
    split: np.ndarray
    held: np.ndarray
    net: np.ndarray


@njit
def scene(steps, seats, rounds, particles, buckets):
    """Room for hands of so many steps and particles."""
    return Scene(
        np.empty(steps, np.int64), np.empty((seats, rounds), np.int32),
        np.empty((rounds, seats), np.int64), np.empty((rounds, particles), np.int32),
        np.empty(seats, np.int64), np.empty(particles, np.int64), np.empty(particles),
        np.empty(256), np.empty((buckets, MAX_ACTIONS)), np.empty((MAX_ACTIONS, 256)),
        np.empty(buckets), np.empty(seats),
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
def spread_out(s, group, r):
    """Share of the weight in each group of round ``r``, to ``s.spread``."""
    s.spread[:] = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.spread[group[r, s.own[r, k]]] += s.weight[k]


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
def _known(tree, x, last):
    """Whether the payoffs at ``x`` are known once the cards of the round ``last`` are."""
    head = tree.node[x, 0]
    kind = head & 15
    return kind == FOLDED or (kind != DECISION and head >> 8 & 15 == last)


@njit
def _others_action(tree, values, x, y, r, hero, chance, s):
    """What the action to ``y`` of another player brought the hero beyond expectation: to take off.

    ``chance[:n]`` is that player's policy with the cards he holds.
    """
    first, n, last = tree.node[x, 1], tree.node[x, 0] >> 12 & 255, s.own.shape[0] - 1
    expected, came = 0.0, 0.0
    for a in range(n):
        if chance[a] == 0.0 and first + a != y:
            continue
        if _known(tree, first + a, last):
            v = mean_net(tree, first + a, hero, s)
        else:
            v = worth(values, values.at[first + a, 0], hero, s.spread, s.theirs[r])
        expected += chance[a] * v
        if first + a == y:
            came = v
    return expected - came


@njit
def _own_action(tree, values, x, y, r, hero, agent, ground, s):
    """The same for the hero's own action, over the range; and the range after it.

    A fold is worth what the hero has put in; there the range is left as it was.
    """
    head, first, last = tree.node[x, 0], tree.node[x, 1], s.own.shape[0] - 1
    n, own = head >> 12 & 255, s.own[r]
    s.held[:] = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.held[own[k]] += s.weight[k]
    s.split[:n] = 0.0
    for b in range(s.held.size):
        if s.held[b] > 0.0:
            chances(agent, ground, x, b, s.row[b])
            for a in range(n):
                s.split[a, values.group[r, b]] += s.held[b] * s.row[b, a]
    expected, came = 0.0, 0.0
    for a in range(n):
        share = s.split[a].sum()
        if share <= 0.0:
            continue
        z = first + a
        if a == 0 and head & FOLDABLE:
            v = -np.float64(tree.node[x, 3])
        elif _known(tree, z, last):
            v = _mean_of_action(tree, z, hero, own, a, share, s)
        else:
            s.split[a] /= share
            v = worth(values, values.at[z, 0], hero, s.split[a], s.theirs[r])
        expected += share * v
        if z == y:
            came = v
    _narrow(own, y - first, s)
    return expected - came


@njit
def _mean_of_action(tree, z, hero, own, a, share, s):
    total = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and s.row[own[k], a] > 0.0:
            won = net_of(tree, z, hero, s.rank, s.mine[k], s.net)
            total += s.weight[k] * s.row[own[k], a] * won
    return total / share


@njit
def _narrow(own, action, s):
    """Bayes: the hero did ``action``."""
    total = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.weight[k] *= s.row[own[k], action]
            total += s.weight[k]
    s.weight[:] = s.weight / total


@njit
def actions(ground, values, hero, ours, theirs, known, step, steps, r, s, out):
    """Walk the actions of round ``r`` from ``s.path[step]``; returns the step that it ends at.

    That is a node of a later round, a terminal, or -1 - the step of the hero's fold. ``ours`` plays
    the hero, ``theirs`` all others; ``known`` bool[seats] says whose policy may be used.
    """
    tree = ground.tree
    spread_out(s, values.group, r)
    while True:
        x = s.path[step]
        head = tree.node[x, 0]
        if head & 15 != DECISION or head >> 8 & 15 != r:
            return step
        seat, folds = head >> 4 & 15, step + 1 == steps
        y = tree.node[x, 1] if folds else s.path[step + 1]
        if seat == hero:
            out[ACTION] += _own_action(tree, values, x, y, r, hero, ours, ground, s)
            if folds or (head & FOLDABLE and y == tree.node[x, 1]):
                return -1 - step
            spread_out(s, values.group, r)
        elif known[seat]:
            chances(theirs, ground, x, s.other[seat, r], s.row[0])
            out[ACTION] += _others_action(tree, values, x, y, r, hero, s.row[0], s)
        step += 1


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
def group_others(values, s):
    """The groups of all buckets that came."""
    for r in range(s.other.shape[1]):
        for seat in range(s.other.shape[0]):
            b = s.other[seat, r]
            s.theirs[r, seat] = values.group[r, b] if b >= 0 else 0


@njit
def begin(values, s, hero, mean, out):
    """The hole cards of the others: ``mean`` is what the hero wins before any card is dealt."""
    group_others(values, s)
    keep(s, 0)
    spread_out(s, values.group, 0)
    out[:] = 0.0
    out[CHANCE] = mean - worth(values, values.at[0, 1], hero, s.spread, s.theirs[0])


@njit
def came(values, x, r, hero, s):
    """What the hero wins by the values, once the cards of round ``r`` that begins at ``x`` came."""
    keep(s, r)
    spread_out(s, values.group, r)
    return worth(values, values.at[x, 1], hero, s.spread, s.theirs[r])


@njit
def finish(tree, step, hero, value, result, s, out):
    """The columns of a hand whose payoff over the range is ``value``."""
    out[RESULT], out[ALL_HANDS] = result, value
    out[AIVAT] = value + out[CHANCE] + out[ACTION]
