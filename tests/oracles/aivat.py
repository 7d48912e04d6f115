"""AIVAT by its definition, deal by deal and without haste; and its exact expectation.

Every term is written out as a mean over the deals that an observer who knows all but the hero's
cards holds possible, each weighed by the probability that the hero would have played so far.
"""

import functools

import numpy as np

from oracles.cfr import path_to
from oracles.evaluation import fields, nets
from sixmax.base.jit import njit
from sixmax.betting.tree import DECISION, FOLDED, is_decision, kind_of, round_of, seat_of
from sixmax.evaluation.aivat.corrections import around
from sixmax.evaluation.aivat.observer import MatchConstants, Observed, observer, trace
from sixmax.evaluation.aivat.small_games import table_hand
from sixmax.evaluation.aivat.values import Asked, first_round, worth
from sixmax.ongoing.policies import chances

CLASSIC = ("opponent by our strategy", "action judged after the flop", "flop without expectation")


def outcomes(tree, deals, agents, hero, known):
    """The hero's winnings in each deal: of a terminal node, and of any node when all play on.

    Two functions of the node, which keep what they computed.
    """
    bucket, rank = deals.bucket, deals.rank[:, 0]
    won = functools.cache(lambda x: nets(tree, x, rank)[:, hero])

    @functools.cache
    def play_out(x):
        """From x on; unknown players are taken to play as the hero does."""
        if not is_decision(tree.node[x, 0]):
            return won(x)
        seat, at, n, first, _, chips = fields(tree, x)
        plays = agents[1] if seat != hero and known[seat] else agents[0]
        share, total = plays(x, bucket[:, seat, at]), np.zeros(len(rank))
        for a in range(n):
            folds = seat == hero and tree.action[first + a] == -1
            total += share[a] * (-chips if folds else play_out(first + a))
        return total

    return won, play_out


def columns(tree, values, deals, d, end, agents, hero, known, mean, bug=None, winnings=None):
    """(result, all hands, chance, action, AIVAT) of deal ``d`` that ended at ``end``.

    ``agents`` are functions as in oracles.evaluation: the hero's and the others'. ``bug`` plants
    one of CLASSIC. ``winnings`` are those of :func:`outcomes`, for calls that share them.
    """
    bucket, rank = deals.bucket, deals.rank[:, 0]
    rounds, others = bucket.shape[2], [p for p in range(bucket.shape[1]) if p != hero]
    weight = deals.times.copy()  # that the hero holds this, and has played so far
    won, play_out = winnings or outcomes(tree, deals, agents, hero, known)

    @functools.cache
    def alike(k, r):
        """The deals that nobody but the hero can tell from deal k in round r."""
        same = (bucket[:, others, : r + 1] == bucket[k][others, : r + 1]).all(axis=(1, 2))
        return same & (rank[:, others] == rank[k, others]).all(axis=1) if r == rounds - 1 else same

    def judge(x, phase, r, k, share):
        """The value of x in round r, where the others hold the cards of deal k."""
        among = weight * share * alike(k, r)
        kind, last = tree.kind(x), tree.round(x)
        if kind == FOLDED or (kind != DECISION and last == rounds - 1):
            return (among * won(x)).sum() / among.sum()
        if 0 < r == rounds - 1:
            return (among * play_out(x)).sum() / among.sum()
        spread = np.bincount(bucket[:, hero, r], among, values.equity.shape[1]) / among.sum()
        seat, at, *_ = fields(tree, x)
        acts = kind == DECISION and seat == hero and at == r
        return worth(values, Asked(x, hero, r, acts), spread, bucket[k])

    def expect(judged, r, share):
        """The mean of ``judged(k)`` over what others may hold in the round after r."""
        among, total, done = weight * share * alike(d, r), 0.0, np.zeros(len(rank), bool)
        for k in np.flatnonzero(among):
            if not done[k]:
                total += (among * alike(k, r + 1)).sum() * judged(k)
                done |= alike(k, r + 1)
        return total / among.sum()

    every, action, r = np.ones(len(rank)), 0.0, 0
    spread = np.bincount(bucket[:, hero, 0], weight * alike(d, 0), values.equity.shape[1])
    chance = mean[hero] - first_round(values, 0, hero, spread / spread.sum(), bucket[d])
    path = path_to(tree, end)
    folded = is_decision(tree.node[end, 0])
    for i, x in enumerate(path):
        if not is_decision(tree.node[x, 0]):
            break
        seat, at, n, first, _, chips = fields(tree, x)
        if at > r:
            if bug != CLASSIC[2]:
                chance += expect(lambda k, x=x, at=at: judge(x, 1, at, k, every), r, every)
            r = at
            chance -= judge(x, 1, r, d, every)
        taken = 0 if folded and x == end else path[i + 1] - first
        plays = agents[0] if seat == hero or bug == CLASSIC[0] else agents[1]
        share = plays(x, bucket[:, seat, r])
        if seat != hero:
            share = np.tile(share[:, d : d + 1], len(rank))
        if seat == hero or known[seat]:
            here = weight * alike(d, r)
            for a in range(n):
                p = (here * share[a]).sum() / here.sum()
                if p == 0.0 and a != taken:
                    continue
                y = first + a
                opens = is_decision(tree.node[y, 0]) and fields(tree, y)[1] > r
                if seat == hero and tree.action[y] == -1:
                    v = -float(chips)
                elif seat != hero and p == 0.0:
                    v = judge(y, 0, r, d, every)
                else:
                    v = judge(y, 0, r, d, share[a])
                action += p * v
                if a == taken:
                    late = bug == CLASSIC[1] and opens
                    action -= judge(y, 1, r + 1, d, share[a]) if late else v
        if seat == hero:
            weight = weight * share[taken]
    if folded:
        result = value = -float(tree.node[end, 3])
    else:
        here = weight * alike(d, r)
        result, value = won(end)[d], (here * won(end)).sum() / here.sum()
        if r < rounds - 1 and kind_of(tree.node[end, 0]) != FOLDED:
            last = weight * alike(d, rounds - 1)
            chance += value
            value = (last * won(end)).sum() / last.sum()
            chance -= value
    return np.array([result, value, chance, action, value + chance + action])


def ends(tree, hero):
    """Where a hand of the hero may end: terminals before which he has not folded, and his folds."""
    nodes = []

    def walk(x):
        if not is_decision(tree.node[x, 0]):
            nodes.append(x)
            return
        seat, _, n, first, _, _ = fields(tree, x)
        for a in range(n):
            if seat == hero and tree.action[first + a] == -1:
                nodes.append(x)
            else:
                walk(first + a)

    walk(0)
    return np.array(nodes)


@njit
def _enumerate(m, deals, nodes, hero, copies, s, out):
    """Probability-weighed mean and mean square of the columns over all deals and actions."""
    node, row, one, chance = m.game.tree.node, np.empty(64), np.empty(5), np.empty(5)
    (bucket, _, times), total = deals, 0.0
    for d in range(len(bucket)):
        for end in nodes:
            steps = trace(m.game.tree, end, s.path)
            p = times[d] / times.sum()
            for i in range(steps):
                x = s.path[i]
                head = node[x, 0]
                if not is_decision(head):
                    break
                seat = seat_of(head)
                taken = s.path[i + 1] - node[x, 1] if i + 1 < steps else 0
                plays = m.ours if seat == hero else m.theirs
                chances(plays, m.game, x, bucket[d, seat, round_of(head)], row)
                p *= row[taken]
            if p > 0.0:
                chance[:] = 0.0
                for me in range(bucket.shape[1]):
                    if (me == hero) != copies:
                        match = around(m, hero) if copies else m
                        table_hand(Observed(match, me, s), deals, d, steps, one)
                        chance += -one if copies else one
                total += p
                for i in range(5):
                    out[0, i] += p * chance[i]
                    out[1, i] += p * chance[i] ** 2
    return total


def expectation(game, values, mean, deals, hero, ours, theirs, known, copies=False):
    """Exact means and variances of the five columns, hero or copies: float64[2, 5]."""
    m = MatchConstants(game, values, ours, theirs, known, mean)
    s, out = observer(m, 40, len(deals.bucket), 0), np.zeros((2, 5))
    nodes = ends(game.tree, -1 if copies else hero)
    total = _enumerate(m, deals, nodes, hero, copies, s, out)
    assert abs(total - 1) < 1e-9
    out[1] -= out[0] ** 2
    return out
