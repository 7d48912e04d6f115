"""AIVAT by its definition, deal by deal and without haste; and its exact expectation.

Every term is written out as a mean over the deals that an observer who knows all but the hero's
cards holds possible, each weighed by the probability that the hero would have played so far.
"""

import numpy as np

from oracles.evaluation import fields, net
from sixmax.evaluation.aivat_kernels import chances, scene, trace
from sixmax.evaluation.aivat_table import table_hand
from sixmax.evaluation.values import worth_of
from sixmax.game.tree import DECISION, FOLDED
from sixmax.jit import njit

CLASSIC = ("opponent by our strategy", "after the flop", "mean of the same data")


def path_to(tree, x):
    found = [x]
    while tree.parent[found[0]] >= 0:
        found.insert(0, int(tree.parent[found[0]]))
    return found


def columns(tree, values, deals, times, d, end, agents, hero, known, mean, bug=None):
    """(result, all hands, chance, action, AIVAT) of deal ``d`` that ended at ``end``.

    ``agents`` are functions as in oracles.evaluation: the hero's and the others'. ``bug`` plants
    one of CLASSIC.
    """
    bucket, rank = deals.bucket, deals.rank[:, 0]
    rounds, others = bucket.shape[2], [p for p in range(bucket.shape[1]) if p != hero]
    weight = times.astype(float)

    def possible(r):
        same = (bucket[:, others, : r + 1] == bucket[d][others, : r + 1]).all(axis=(1, 2))
        return same & (rank[:, others] == rank[d, others]).all(axis=1) if r == rounds - 1 else same

    def mean_over(what, among):
        return float((weight * among * what).sum() / (weight * among).sum())

    def worth(x, phase, r):
        """What every deal says that the hero wins from x on, with the cards of round r."""
        kind, last = int(tree.node[x, 0]) & 15, int(tree.node[x, 0]) >> 8 & 15
        if kind == FOLDED or (kind != DECISION and last == rounds - 1):
            return np.array([net(tree, x, each)[hero] for each in rank])
        block = values.at[x, phase]
        groups = [values.group[r, b] for b in bucket[:, :, r].T]
        return np.array([worth_of(values, block, hero, np.array(g)) for g in np.transpose(groups)])

    chance = mean[hero] - mean_over(worth(0, 1, 0), possible(0))
    action, r = 0.0, 0
    path = path_to(tree, end)
    folded = tree.node[end, 0] & 15 == DECISION
    for i, x in enumerate(path):
        if tree.node[x, 0] & 15 != DECISION:
            break
        seat, at, n, first, _, chips = fields(tree, x)
        if at > r:
            r = at
            expected = mean_over(worth(x, 1, r), possible(r - 1))
            chance += expected - mean_over(worth(x, 1, r), possible(r))
        taken = 0 if folded and x == end else path[i + 1] - first
        plays = agents[0] if seat == hero or bug == CLASSIC[0] else agents[1]
        if seat == hero:
            share = plays(x, np.maximum(bucket[:, seat, r], 0))
        else:
            share = np.tile(plays(x, bucket[d, seat, r])[:, None], len(rank))
        if seat == hero or known[seat]:
            expected = came = 0.0
            for a in range(n):
                folds = seat == hero and tree.action[first + a] == -1
                v = np.full(len(rank), -float(chips)) if folds else worth(first + a, 0, r)
                if share[a][possible(r) & (weight > 0)].sum() > 0:
                    expected += mean_over(share[a] * v, possible(r))
                if a == taken:
                    came = mean_over(share[a] * v, possible(r)) / mean_over(share[a], possible(r))
                    y = first + a
                    later = tree.node[y, 0] & 15 == DECISION and fields(tree, y)[1] > r
                    if bug == CLASSIC[1] and later and not folds:  # as if it had been known then
                        kept, weight = weight, weight * share[a]
                        came = mean_over(worth(y, 1, r + 1), possible(r + 1))
                        weight = kept
            action += expected - came
        if seat == hero:
            weight = weight * share[taken]
    if folded:
        result = value = -float(tree.node[end, 3])
    else:
        won = np.array([net(tree, end, each)[hero] for each in rank])
        result, value = won[d], mean_over(won, possible(r))
        if r < rounds - 1 and tree.node[end, 0] & 15 != FOLDED:
            value = mean_over(won, possible(rounds - 1))
            chance += mean_over(won, possible(r)) - value
    return np.array([result, value, chance, action, value + chance + action])


def ends(tree, hero):
    """Where a hand of the hero may end: terminals before which he has not folded, and his folds."""
    found = []

    def walk(x):
        if tree.node[x, 0] & 15 != DECISION:
            found.append(x)
            return
        seat, _, n, first, _, _ = fields(tree, x)
        for a in range(n):
            if seat == hero and tree.action[first + a] == -1:
                found.append(x)
            else:
                walk(first + a)

    walk(0)
    return np.array(found)


@njit
def _enumerate(ground, values, mean, bucket, rank, times, found, hero, ours, theirs, known, s, out):
    """Probability-weighed mean and mean square of the columns over all deals and actions."""
    node, row, chance = ground.tree.node, np.empty(64), np.empty(5)
    total = 0.0
    for d in range(len(bucket)):
        for end in found:
            steps = trace(ground.tree, end, s.path)
            p = times[d] / times.sum()
            for i in range(steps):
                x = s.path[i]
                head = node[x, 0]
                if head & 15 != DECISION:
                    break
                seat = head >> 4 & 15
                taken = s.path[i + 1] - node[x, 1] if i + 1 < steps else 0
                plays = ours if seat == hero else theirs
                chances(plays, ground, x, bucket[d, seat, head >> 8 & 15], row)
                p *= row[taken]
            if p > 0.0:
                table_hand(
                    ground,
                    values,
                    mean,
                    bucket,
                    rank,
                    times,
                    d,
                    steps,
                    hero,
                    ours,
                    theirs,
                    known,
                    s,
                    chance,
                )
                total += p
                for i in range(5):
                    out[0, i] += p * chance[i]
                    out[1, i] += p * chance[i] ** 2
    return total


def expectation(ground, values, mean, deals, times, hero, ours, theirs, known):
    """Exact means and variances of the five columns: float64[2, 5]."""
    seats, rounds = deals.bucket.shape[1:]
    s = scene(200, seats, rounds, len(deals.bucket), int(ground.layout.buckets.max()))
    out = np.zeros((2, 5))
    total = _enumerate(
        ground, values, mean, deals.bucket, deals.rank, times, ends(ground.tree, hero), hero, ours,
        theirs, known, s, out,
    )  # fmt: skip
    assert abs(total - 1) < 1e-9
    out[1] -= out[0] ** 2
    return out
