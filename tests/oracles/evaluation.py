"""Slow twins of ``sixmax.evaluation``: hands played one by one, expectations by enumeration.

An agent is a function (node, buckets) -> probabilities [actions, …], which sees the tree only.
"""

import itertools

import numpy as np

from oracles.cfr import head, path_to, shared
from sixmax.agents import rule
from sixmax.base.rng import stream, unit
from sixmax.betting.tree import FOLDED, SHOWDOWN, is_decision, kind_of, offers_fold, seat_of


def fields(tree, x):
    """(seat, round, number of actions, first child, slot, chips put in) of a decision node."""
    return *head(tree, x)[1:], *map(int, tree.node[x, 1:])


def uniform(tree):
    return lambda x, bucket: np.full(
        (fields(tree, x)[2], *np.shape(bucket)), 1 / fields(tree, x)[2]
    )


def certain(tree, choose):
    """The agent that takes action ``choose(node, bucket)``."""

    def agent(x, bucket):
        taken = np.vectorize(lambda b: choose(x, int(b)))(bucket)
        n = fields(tree, x)[2]
        return (np.arange(n).reshape(-1, *([1] * taken.ndim)) == taken).astype(float)

    return agent


def caller(tree):
    return certain(tree, lambda x, _: [int(a) for a in actions(tree, x)].index(0))


def actions(tree, x):
    _, _, n, first, _, _ = fields(tree, x)
    return tree.action[first : first + n]


def policy_agent(tree, layout, policy):
    def agent(x, bucket):
        seat, r, n, _, slot, _ = fields(tree, x)
        at = layout.base[r, seat] + np.asarray(bucket) * layout.columns[r, seat] + slot
        row = np.stack([policy[at + a].astype(float) for a in range(n)])
        total = row.sum(axis=0)
        return np.where(total > 0, row / np.maximum(total, 1), 1 / n)

    return agent


def net(tree, x, rank):
    """Net chips of every seat that has not folded, at terminal ``x``; NaN for the others."""
    kind, a, b, mask = (int(v) for v in tree.node[x])
    won = np.full(len(rank), np.nan)
    if kind_of(kind) == FOLDED:
        won[seat_of(kind)] = a - b
        return won
    stay = [p for p in range(len(rank)) if mask >> p & 1]
    even = kind_of(kind) == SHOWDOWN
    paid = [b] * len(rank) if even else tree.contributed[a].tolist()
    won[stay] = shared(paid, stay, rank, a if even else sum(paid))[stay]
    return won


def nets(tree, x, rank):
    """The same for many rows of ranks: float64[rows, seats]."""
    if kind_of(tree.node[x, 0]) == FOLDED:
        return np.tile(net(tree, x, rank[0]), (len(rank), 1))  # whatever the cards
    beaten = (rank[:, :, None] > rank[:, None, :]).sum(axis=2)  # only the order counts
    different, row = np.unique(beaten, axis=0, return_inverse=True)
    return np.array([net(tree, x, each) for each in different])[row.ravel()]


def play_hand(tree, agents, hero, bucket, rank, draws):
    """The winnings of ``agents[0]`` in seat ``hero`` against copies of ``agents[1]``."""
    seated = [agents[seat != hero] for seat in range(len(rank))]
    return play_table(tree, seated, bucket, rank, draws)[0][hero]


def expectation(tree, agents, hero, bucket, rank):
    """The mean winnings of ``agents[0]`` in seat ``hero``, over deals and all actions."""
    rows = np.concatenate([bucket.reshape(len(bucket), -1), rank], axis=1)
    _, kept, times = np.unique(rows, axis=0, return_index=True, return_counts=True)
    bucket, rank = bucket[kept], rank[kept]

    def value(x):
        if not is_decision(tree.node[x, 0]):
            return nets(tree, x, rank)[:, hero]
        seat, r, n, first, _, chips = fields(tree, x)
        p = agents[0 if seat == hero else 1](x, bucket[:, seat, r])
        total = np.zeros(len(rank))
        for a in range(n):
            folds = seat == hero and tree.action[first + a] == -1
            total += p[a] * (-chips if folds else value(first + a))
        return total

    return float(np.average(value(0), weights=times))


def context(game, tree, nodes=None):
    """(pot, to call, opponents, raises of the round) at every decision, from each path anew.

    At those of ``nodes`` alone where they are given.
    """
    hit = {}
    for x in range(len(tree.node)) if nodes is None else nodes:
        if not is_decision(tree.node[x, 0]):
            continue
        put = [min(s, a + b) for s, a, b in zip(game.stacks, game.antes, game.blinds, strict=True)]
        folded, raises, this_round = set(), 0, 0
        for parent, child in itertools.pairwise(path_to(tree, x)):
            seat, r, *_ = fields(tree, parent)
            if r != this_round:
                this_round, raises = r, 0
            action = int(tree.action[child])
            if action < 0:
                folded.add(seat)
            elif action == 0:
                put[seat] = min(max(put), game.stacks[seat])
            else:
                put[seat], raises = action, raises + 1
        seat, r, *_ = fields(tree, x)
        raises = raises if r == this_round else 0
        hit[x] = (sum(put), max(put) - put[seat], game.seats - len(folded) - 1, raises)
    return hit


def rule_action(game, tree, strength, better, x, bucket, context):
    """The action of the rules at x, from the row of :func:`context` there.

    ``better`` is the share of hands that are better in the first round, ``strength`` [rounds,
    buckets].
    """
    seat, r, n, first, *_ = fields(tree, x)
    fold = int(offers_fold(tree.node[x, 0]))
    pot, to_call, opponents, raises = context
    if r == 0:
        behind = game.seats - 1 - (seat - game.first[0]) % game.seats
        opened = rule.OPEN[min(behind, len(rule.OPEN) - 1)]
        flat = rule.BIG_BLIND_FLAT if seat == 1 else rule.FLAT
        attack = better[bucket] < (rule.RERAISE / raises if raises else opened)
        stay = better[bucket] < (flat / raises if raises else opened)
    else:
        win = strength[r, bucket] ** opponents
        clear = rule.RAISE_ABOVE**raises if raises else rule.BET_ABOVE
        attack = win > clear / (opponents + 1)
        stay = win > to_call / (pot + to_call) + rule.CAUTION * raises
    if attack and n > fold + 1:
        wanted = to_call + tree.node[x, 3] + rule.SIZE * (pot + to_call)
        return min(range(fold + 1, n), key=lambda a: abs(tree.action[first + a] - wanted))
    return fold if stay or attack else 0


def preflop_totals(tree, agent, weight):
    """VPIP and PFR by seat, three-bets, defence of seat 1: every deal of independent classes."""
    seats = tree.columns.shape[1]
    vpip, pfr, faced = np.zeros(seats), np.zeros(seats), np.zeros((seats, 3))

    def walk(x, cards, chance, raises, put_in, raised):
        if not is_decision(tree.node[x, 0]) or fields(tree, x)[1] > 0:
            for p in put_in:
                vpip[p] += chance
            for p in raised:
                pfr[p] += chance
            return
        seat, _, n, first, _, _ = fields(tree, x)
        p = agent(x, cards[seat])
        kinds = np.sign(tree.action[first : first + n])
        if raises == 1:
            faced[seat] += chance * np.array([1, p[kinds > 0].sum(), p[kinds >= 0].sum()])
        for a in range(n):
            if p[a] > 0:
                up = kinds[a] > 0
                paid = put_in | {seat} if up or (kinds[a] == 0 and -1 in kinds) else put_in
                others = raised | {seat} if up else raised
                walk(first + a, cards, chance * p[a], raises + up, paid, others)

    share = np.asarray(weight) / np.sum(weight)
    for cards in itertools.product(range(len(weight)), repeat=seats):
        walk(0, cards, float(np.prod(share[list(cards)])), 0, frozenset(), frozenset())
    return vpip, pfr, faced[:, 1].sum() / faced[:, 0].sum(), faced[1, 2] / faced[1, 0]


def play_table(tree, agents, bucket, rank, draws):
    """The net of each seat s by ``agents[s]``, and the node of its fold in round 0 or -1."""
    x, paid, folds = 0, {}, np.full(len(agents), -1)
    while is_decision(tree.node[x, 0]):
        seat, r, _, first, _, chips = fields(tree, x)
        p = agents[seat](x, bucket[seat, r])
        u = unit(np.uint64(stream(np.uint64(draws), np.uint64(x))))
        a = int(np.searchsorted(np.cumsum(p), u, side="right"))
        if tree.action[first + a] == -1:
            paid[seat] = -chips
            folds[seat] = x if r == 0 else -1
        x = first + a
    won = net(tree, x, rank)
    return np.array([paid.get(s, won[s]) for s in range(len(agents))]), folds
