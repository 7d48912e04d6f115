"""AIVAT of the small games, whose deals are listed: a particle is a deal."""

import numpy as np

from sixmax.evaluation.aivat.corrections import CHANCE, actions, begin, came, finish
from sixmax.evaluation.aivat.observer import keep, mean_net, net_of
from sixmax.evaluation.aivat.playout import play_out
from sixmax.game.tree import DECISION, FOLDED, kind_of
from sixmax.jit import njit


@njit
def set_table(bucket, rank, times, d, hero, s):
    """Fill the observer ``s`` for deal ``d`` of a list.

    ``bucket`` is int32[n, seats, rounds], ``rank`` int32[n, boards, seats], ``times`` float64[n]
    the number of each. The others' buckets are seen round by round, their ranks with the last
    cards.
    """
    n, seats, rounds = bucket.shape
    for k in range(n):
        same = True
        for r in range(rounds):
            for p in range(seats):
                if p != hero:
                    same &= bucket[k, p, r] == bucket[d, p, r]
                    same &= r + 1 < rounds or rank[k, 0, p] == rank[d, 0, p]
            s.own[r, k] = bucket[k, hero, r] if same else -1
        s.mine[k] = rank[k, 0, hero]
        s.weight[k] = times[k]
    for p in range(seats):
        s.rank[p] = rank[d, 0, p]
        for r in range(rounds):
            s.other[p, r] = bucket[d, p, r]


@njit
def table_hand(m, bucket, rank, times, d, steps, hero, s, out):
    """Fill the columns ``out`` float64[5] of the hand of deal ``d`` along ``s.path[:steps]``."""
    tree, last = m.ground.tree, bucket.shape[2] - 1
    set_table(bucket, rank, times, d, hero, s)
    begin(m, s, hero, out)
    step = r = np.int64(0)  # as in holdem_hand
    while True:
        step = actions(m, hero, step, steps, r, s, out)
        if step < 0:
            value = -np.float64(tree.node[s.path[-1 - step], 3])
            result = value
            break
        x = s.path[step]
        if kind_of(tree.node[x, 0]) != DECISION:
            result = net_of(tree, x, hero, s.rank, rank[d, 0, hero], s.net)
            if r < last and kind_of(tree.node[x, 0]) != FOLDED:
                out[CHANCE] += _run_out(tree, x, hero, rank, s)
                keep(s, last)
                out[CHANCE] -= mean_net(tree, x, hero, s)
            value = mean_net(tree, x, hero, s)
            break
        r += 1
        out[CHANCE] += _dealt(m, x, r, hero, bucket, rank, s)
        out[CHANCE] -= came(m, x, r, hero, s)
    finish(value, result, out)


@njit
def _dealt(m, x, r, hero, bucket, rank, s):
    """The expectation of the values over the cards of round ``r``, the others' among them."""
    n, seats, rounds = bucket.shape
    done, own = np.zeros(n, np.bool_), np.empty(n, np.int32)
    expected, every = 0.0, 0.0
    for k in range(n):
        if s.weight[k] == 0.0 or done[k]:
            continue
        own[:] = -1
        share = 0.0
        for j in range(k, n):
            if s.weight[j] == 0.0 or done[j]:
                continue
            same = True
            for p in range(seats):
                if p != hero:
                    same &= bucket[j, p, r] == bucket[k, p, r]
                    same &= r + 1 < rounds or rank[j, 0, p] == rank[k, 0, p]
            if same:
                done[j] = True
                own[j] = bucket[j, hero, r]
                share += s.weight[j]
        v = play_out(m, x, r, hero, s.every, own, s.weight, rank[k, 0], bucket[k], s)
        expected += share * v
        every += share
    return expected / every


@njit
def _run_out(tree, x, hero, rank, s):
    """The hero's mean chips at the showdown ``x`` over the cards to come."""
    total, others = 0.0, np.empty(rank.shape[2], np.int64)
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            others[:] = rank[k, 0]
            total += s.weight[k] * net_of(tree, x, hero, others, s.mine[k], s.net)
    return total
