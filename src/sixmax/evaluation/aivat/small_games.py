"""AIVAT of the small games, whose deals are listed: a particle is a deal."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import FOLDED, is_decision, kind_of
from sixmax.cfr.deals import Deals
from sixmax.evaluation.aivat import corrections
from sixmax.evaluation.aivat.corrections import CHANCE
from sixmax.evaluation.aivat.observer import Observed, keep, mean_net, net_of, observer, trace
from sixmax.evaluation.aivat.playout import play_out


class ListedDeals(NamedTuple):
    """The distinct deals of a game."""

    bucket: np.ndarray  # int32[K, seats, rounds]
    rank: np.ndarray  # int32[K, boards, seats]
    times: np.ndarray  # float64[K]: the number of each


def listed(deals: Deals) -> tuple[ListedDeals, np.ndarray]:
    """The distinct deals, and the number of each of ``deals`` among them: int64[deals]."""
    n = len(deals.rank)
    flat = np.concatenate([deals.bucket.reshape(n, -1), deals.rank.reshape(n, -1)], axis=1)
    _, first, number, times = np.unique(
        flat, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    distinct = (np.ascontiguousarray(array[first]) for array in deals)
    return ListedDeals(*distinct, times.astype(np.float64)), number.ravel()


@njit
def score_listed(m, played, listed, deal, start, stop):
    """Score hands ``start`` to ``stop`` of ``played``, of the deals ``deal`` int64[n]."""
    out, row = played.out, np.empty(played.out.shape[2])
    s = observer(m, played.steps, len(listed.times), 0)
    for i in range(start, stop):
        for hero in range(out.shape[1]):
            size = trace(m.game.tree, played.ends[i, hero], s.path)
            seen = corrections.around(m, hero) if played.copies else m
            for p in range(out.shape[1]):
                if (p == hero) != played.copies:
                    table_hand(Observed(seen, p, s), listed, deal[i], size, row)
                    out[i, hero] += -row if played.copies else row


@njit
def table_hand(v, listed, d, steps, out):
    """Fill the columns ``out`` float64[5] of the hand of deal ``d`` along ``v.s.path[:steps]``."""
    hero, s, tree, last = v.hero, v.s, v.m.game.tree, listed.bucket.shape[2] - 1
    _see(listed, d, hero, s)
    corrections.begin(v, out)
    at = r = np.int64(0)  # as in holdem_hand
    while True:
        at = corrections.actions(v, at, steps, r, out)
        if at < 0:
            return
        x = s.path[at]
        if not is_decision(tree.node[x, 0]):
            break
        r += 1
        out[CHANCE] += _dealt(v, listed, d, x, r)
        out[CHANCE] -= corrections.value_of_cards(v, x, r)
    result = net_of(tree, x, hero, s.rank, listed.rank[d, 0, hero], s.net)
    if r < last and kind_of(tree.node[x, 0]) != FOLDED:
        out[CHANCE] += _run_out(v, listed, d, x)
        r = last
        keep(s, r)
        out[CHANCE] -= mean_net(v, x, r, s.every)
    corrections.finish(result, mean_net(v, x, r, s.every), out)


@njit
def _see(listed, d, hero, s):
    """Fill the observer ``s`` for deal ``d``.

    It sees the others' buckets round by round, and their ranks with the last cards.
    """
    bucket, rank, times = listed
    for k in range(len(times)):
        same = True
        for r in range(bucket.shape[2]):
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
def _dealt(v, listed, d, x, r):
    """The expectation of the values over the cards of round ``r``, the others' among them."""
    (bucket, rank, _), hero, s, n = listed, v.hero, v.s, len(listed.times)
    done, own = np.zeros(n, np.bool_), s.own[r].copy()
    expected, every = 0.0, 0.0
    for k in range(n):
        if s.weight[k] == 0.0 or done[k]:
            continue
        s.own[r] = -1
        share = 0.0
        for j in range(k, n):
            if s.weight[j] == 0.0 or done[j]:
                continue
            if _alike(listed, j, k, r, hero):
                done[j] = True
                s.own[r, j] = bucket[j, hero, r]
                share += s.weight[j]
        s.rank[:], s.other[:] = rank[k, 0], bucket[k]
        expected += share * play_out(v, x, r, s.every)
        every += share
    s.own[r], s.rank[:], s.other[:] = own, rank[d, 0], bucket[d]
    return expected / every


@njit
def _run_out(v, listed, d, x):
    """The hero's mean chips at the showdown ``x`` over the cards to come."""
    hero, s, total = v.hero, v.s, 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.rank[:] = listed.rank[k, 0]
            total += s.weight[k] * net_of(v.m.game.tree, x, hero, s.rank, s.mine[k], s.net)
    s.rank[:] = listed.rank[d, 0]
    return total
