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
    own: int32[rounds, n]        the hero's bucket by particle
    rank: int64[seats]           at the showdown; the hero's own is not looked at
    mine: int64[n]               the hero's rank by particle
    weight: float64[n]           sums to 1
    spread: float64[buckets]     of the weight
    row: float64[buckets, MAX_ACTIONS]
    split: float64[MAX_ACTIONS, buckets]
    net: float64[seats]
    found: float64[2]            see :func:`sixmax.evaluation.values.worth`
    notes: float64[3, notes]     place in ``share``, equity and node of what the hand came through
    noted: int64[1]              how many
    """

    path: np.ndarray
    other: np.ndarray
    own: np.ndarray
    rank: np.ndarray
    mine: np.ndarray
    weight: np.ndarray
    spread: np.ndarray
    row: np.ndarray
    split: np.ndarray
    net: np.ndarray
    found: np.ndarray
    notes: np.ndarray
    noted: np.ndarray


@njit
def scene(steps, seats, rounds, particles, buckets):
    """Room for hands of so many steps and particles."""
    return Scene(
        np.empty(steps, np.int64), np.empty((seats, rounds), np.int32),
        np.empty((rounds, particles), np.int32), np.empty(seats, np.int64),
        np.empty(particles, np.int64), np.empty(particles), np.empty(buckets),
        np.empty((buckets, MAX_ACTIONS)), np.empty((MAX_ACTIONS, buckets)), np.empty(seats),
        np.empty(2), np.empty((3, 2 * steps)), np.zeros(1, np.int64),
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
    """Share of the weight in each bucket of round ``r``, to ``s.spread``."""
    s.spread[:] = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.spread[s.own[r, k]] += s.weight[k]


@njit
def _note(x, s):
    """Remember what :func:`worth` made of the node ``x``, which the hand came to."""
    if s.found[0] >= 0.0:
        s.notes[0, s.noted[0]], s.notes[1, s.noted[0]] = s.found[0], s.found[1]
        s.notes[2, s.noted[0]] = x
        s.noted[0] += 1


@njit
def _next(tree, values, z, r, hero, mine, s):
    """What the hero wins from the node ``z`` on, reached by an action in round ``r``."""
    head = tree.node[z, 0]
    acts = head & 15 == DECISION and head >> 8 & 15 == r and head >> 4 & 15 == hero
    return worth(values, z, 0, acts, r, hero, mine, s.other, s.found)


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
            v = _next(tree, values, first + a, r, hero, s.spread, s)
            if first + a == y:
                _note(y, s)
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
    s.split[:n] = 0.0
    for b in range(s.spread.size):
        if s.spread[b] > 0.0:
            chances(agent, ground, x, b, s.row[b])
            for a in range(n):
                s.split[a, b] = s.spread[b] * s.row[b, a]
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
            v = _next(tree, values, z, r, hero, s.split[a], s)
            if z == y:
                _note(y, s)
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
            spread_out(s, r)
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
def begin(values, s, hero, mean, out):
    """The hole cards of the others: ``mean`` is what the hero wins before any card is dealt."""
    keep(s, 0)
    spread_out(s, 0)
    s.noted[0] = 0
    out[:] = 0.0
    out[CHANCE] = mean - worth(values, 0, 1, False, 0, hero, s.spread, s.other, s.found)


@njit
def came(tree, values, x, r, hero, s):
    """What the hero wins by the values, once the cards of round ``r`` that begins at ``x`` came."""
    keep(s, r)
    spread_out(s, r)
    acts = tree.node[x, 0] >> 4 & 15 == hero
    value = worth(values, x, 1, acts, r, hero, s.spread, s.other, s.found)
    _note(x, s)
    return value


@njit
def finish(tree, step, hero, value, result, s, out):
    """The columns of a hand whose payoff over the range is ``value``."""
    out[RESULT], out[ALL_HANDS] = result, value
    out[AIVAT] = value + out[CHANCE] + out[ACTION]
