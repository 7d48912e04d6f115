"""AIVAT of the small games, whose deals are listed: a particle is a deal."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import FOLDED, is_decision, kind_of
from sixmax.evaluation.aivat.corrections import CHANCE, actions, begin, finish, value_of_cards
from sixmax.evaluation.aivat.observer import Others, keep, mean_net, net_of
from sixmax.evaluation.aivat.playout import play_out


class ListedDeals(NamedTuple):
    """The distinct deals of a game."""

    bucket: np.ndarray  # int32[K, seats, rounds]
    rank: np.ndarray  # int32[K, boards, seats]
    times: np.ndarray  # float64[K]: the number of each


@njit
def set_table(listed, d, hero, s):
    """Fill the observer ``s`` for deal ``d`` of a list.

    The observer sees the others' buckets round by round, and their ranks with
    the last cards.
    """
    bucket, rank, times = listed
    n, seats, rounds = bucket.shape
    for k in range(n):
        same = True
        for r in range(rounds):
            same = same and _alike(listed, k, d, r, hero)
            s.own[r, k] = bucket[k, hero, r] if same else -1
        s.mine[k] = rank[k, 0, hero]
        s.weight[k] = times[k]
    s.rank[:] = rank[d, 0]
    s.other[:] = bucket[d]


@njit
def _alike(listed, j, k, r, hero):
    """Whether the others see the same in deals ``j`` and ``k`` in round ``r``."""
    bucket, rank, _ = listed
    _, seats, rounds = bucket.shape
    for p in range(seats):
        if p != hero and bucket[j, p, r] != bucket[k, p, r]:
            return False
        if p != hero and r == rounds - 1 and rank[j, 0, p] != rank[k, 0, p]:
            return False
    return True


@njit
def table_hand(v, listed, d, steps, out):
    """Fill the columns ``out`` float64[5] of the hand of deal ``d`` along ``v.s.path[:steps]``.

    ``v`` is an Observed, ``listed`` are ListedDeals.
    """
    hero, s, rank = v.hero, v.s, listed.rank
    tree, last = v.m.game.tree, listed.bucket.shape[2] - 1
    set_table(listed, d, hero, s)
    begin(v, out)
    at = r = np.int64(0)  # as in holdem_hand
    while True:
        at = actions(v, at, steps, r, out)
        if at < 0:
            return
        x = s.path[at]
        if not is_decision(tree.node[x, 0]):
            break
        r += 1
        out[CHANCE] += _dealt(v, listed, x, r)
        out[CHANCE] -= value_of_cards(v, x, r)
    result = net_of(tree, x, hero, s.rank, rank[d, 0, hero], s.net)
    if r < last and kind_of(tree.node[x, 0]) != FOLDED:
        out[CHANCE] += _run_out(tree, x, hero, rank, s)
        keep(s, last)
        out[CHANCE] -= mean_net(tree, x, hero, s)
    finish(result, mean_net(tree, x, hero, s), out)


@njit
def _dealt(v, listed, x, r):
    """The expectation of the values over the cards of round ``r``, the others' among them."""
    (bucket, rank, _), hero, s = listed, v.hero, v.s
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
            if _alike(listed, j, k, r, hero):
                done[j] = True
                own[j] = bucket[j, hero, r]
                share += s.weight[j]
        others[:] = rank[k, 0]
        value = play_out(v, x, r, s.every, own, Others(others, bucket[k]))
        expected += share * value
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
