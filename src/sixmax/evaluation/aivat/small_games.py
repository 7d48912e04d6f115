"""AIVAT of the small games, whose deals are listed: a particle is a deal."""

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import DECISION, FOLDED, kind_of
from sixmax.evaluation.aivat.corrections import CHANCE, actions, begin, finish, value_of_cards
from sixmax.evaluation.aivat.observer import keep, mean_net, net_of
from sixmax.evaluation.aivat.playout import play_out


@njit
def set_table(bucket, rank, times, d, hero, s):
    """Fill the observer ``s`` for deal ``d`` of a list.

    ``bucket`` is int32[K, seats, rounds], ``rank`` int32[K, boards, seats], ``times`` float64[K]
    the number of each. The observer sees the others' buckets round by round, and their ranks with
    the last cards.
    """
    n, seats, rounds = bucket.shape
    for k in range(n):
        same = True
        for r in range(rounds):
            same = same and _alike(bucket, rank, k, d, r, hero)
            s.own[r, k] = bucket[k, hero, r] if same else -1
        s.mine[k] = rank[k, 0, hero]
        s.weight[k] = times[k]
    s.rank[:] = rank[d, 0]
    s.other[:] = bucket[d]


@njit
def _alike(bucket, rank, j, k, r, hero):
    """Whether the others see the same in deals ``j`` and ``k`` in round ``r``."""
    _, seats, rounds = bucket.shape
    for p in range(seats):
        if p != hero and bucket[j, p, r] != bucket[k, p, r]:
            return False
        if p != hero and r == rounds - 1 and rank[j, 0, p] != rank[k, 0, p]:
            return False
    return True


@njit
def table_hand(m, bucket, rank, times, d, steps, hero, s, out):
    """Fill the columns ``out`` float64[5] of the hand of deal ``d`` along ``s.path[:steps]``."""
    tree, last = m.game.tree, bucket.shape[2] - 1
    set_table(bucket, rank, times, d, hero, s)
    begin(m, s, hero, out)
    at = r = np.int64(0)  # as in holdem_hand
    while True:
        at = actions(m, hero, at, steps, r, s, out)
        if at < 0:
            return
        x = s.path[at]
        if kind_of(tree.node[x, 0]) != DECISION:
            break
        r += 1
        out[CHANCE] += _dealt(m, x, r, hero, bucket, rank, s)
        out[CHANCE] -= value_of_cards(m, x, r, hero, s)
    result = net_of(tree, x, hero, s.rank, rank[d, 0, hero], s.net)
    if r < last and kind_of(tree.node[x, 0]) != FOLDED:
        out[CHANCE] += _run_out(tree, x, hero, rank, s)
        keep(s, last)
        out[CHANCE] -= mean_net(tree, x, hero, s)
    finish(result, mean_net(tree, x, hero, s), out)


@njit
def _dealt(m, x, r, hero, bucket, rank, s):
    """The expectation of the values over the cards of round ``r``, the others' among them."""
    n, others = len(bucket), np.empty(rank.shape[2], np.int32)  # scratch of net_of
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
            if _alike(bucket, rank, j, k, r, hero):
                done[j] = True
                own[j] = bucket[j, hero, r]
                share += s.weight[j]
        others[:] = rank[k, 0]
        v = play_out(m, x, r, hero, s.every, own, s.weight, others, bucket[k], s)
        expected += share * v
        every += share
    return expected / every


@njit
def _run_out(tree, x, hero, rank, s):
    """The hero's mean chips at the showdown ``x`` over the cards to come."""
    total, others = 0.0, np.empty(rank.shape[2], np.int32)
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            others[:] = rank[k, 0]
            total += s.weight[k] * net_of(tree, x, hero, others, s.mine[k], s.net)
    return total
