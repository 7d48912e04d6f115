"""Slow twins of the part ``search``: plain lists and Fractions."""

import math
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from oracles import abstraction, cards
from oracles.game import CALL, FOLD, table, tree
from sixmax.betting.rules import ACTOR, BIG_BLIND, CHIPS, FOLDERS, HIGH, POT, STACKS
from sixmax.betting.tree import kind_of, n_actions, seat_of
from sixmax.cfr.full.sweep import down, up


def fraction(state, raise_to):
    return Fraction(raise_to - state.high, sum(state.put) + state.to_call)


def translated(sizes, x):
    """Indices of ``sizes`` in the order in which they stand for x: the likelier by the
    pseudo-harmonic mapping, then its neighbours, the smaller first."""
    below = [k for k, a in enumerate(sizes) if a < x]
    if not below:
        at = 0
    elif len(below) == len(sizes):
        at = len(sizes) - 1
    else:
        a, b = sizes[below[-1]], sizes[below[-1] + 1]
        share = (b - x) * (1 + a) / ((b - a) * (1 + x))
        at = below[-1] + (share <= Fraction(1, 2))
    return sorted(range(len(sizes)), key=lambda k: (abs(k - at), k))


class Finder:
    """Finds the place of a real hand in the tree of ``game``."""

    def __init__(self, game):
        self.game, self.nodes = game, tree(game)

    def state(self, x):
        history = []
        while self.nodes[x]["parent"] >= 0:
            history.append(self.nodes[x]["action"])
            x = self.nodes[x]["parent"]
        return table(self.game, history[::-1])

    def locate(self, real, actions):
        """``(node, how)`` for ``actions`` of the hand ``real``, a Table; how is 0, 1 or 2."""
        x, lost, kind = 0, None, 0
        for action in actions:
            of_pot = fraction(real, action) if action > CALL else None
            before = real.round
            real.act(action)
            if lost is None:
                y = self._child(x, action, of_pot, real)
                if y is None:
                    lost = x
                else:
                    kind = max(kind, int(self.nodes[y]["action"] != action))
                    x = y
            if lost is not None and not real.over and real.round != before:
                y = self.nearest(real, lost)
                if y >= 0:
                    x, lost, kind = y, None, 2
        return (x, kind) if lost is None else (self.nearest(real, lost), 2)

    def _child(self, x, action, of_pot, real):
        state = self.state(x)
        hit = {self.nodes[y]["action"]: y for y in self.nodes[x]["children"]}
        if action in (FOLD, CALL):
            order = [action] if action in hit else []
        else:
            raises = sorted(a for a in hit if a > CALL)
            sizes = [fraction(state, a) for a in raises]
            order = [raises[k] for k in translated(sizes, of_pot)] if raises else []
        for candidate in order:
            mine = self.state(hit[candidate])
            if alike(mine, real):
                return hit[candidate]
        return None

    def path(self, x):
        return [*self.path(self.nodes[x]["parent"]), x] if x > 0 else [0]

    def nearest(self, real, near):
        pot = Fraction(sum(real.put) * table(self.game).big_blind, real.big_blind)
        hit = []
        for x, node in enumerate(self.nodes):
            if node["kind"] != "decision":
                continue
            mine = self.state(x)
            if mine.round == real.round and mine.left == real.left:
                away = (mine.actor - real.actor) % real.seats
                other = (mine.to_call > 0) != (real.to_call > 0)
                hit.append(((away, other), Fraction(sum(mine.put)) / pot, x))
        if not hit:
            return -1
        best = min(kind for kind, _, _ in hit)
        hit = [(ratio, x) for kind, ratio, x in hit if kind == best]
        alike = [(ratio, x) for ratio, x in hit if Fraction(2, 3) <= ratio <= Fraction(3, 2)]
        if not alike:
            wanted = min((max(r, 1 / r), -r) for r, _ in hit)
            alike = [(r, x) for r, x in hit if (max(r, 1 / r), -r) == wanted]

        def key(entry):
            ratio, x = entry
            common = len(set(self.path(x)[:-1]) & set(self.path(near)))
            return -common, max(ratio, 1 / ratio), -ratio, x

        return min(alike, key=key)[1]


def alike(mine, real):
    """Whether the same happens next in both hands."""
    if mine.over or real.over:
        return mine.over == real.over and mine.left == real.left
    same = (mine.round, mine.actor, mine.left) == (real.round, real.actor, real.left)
    return same and (mine.to_call > 0) == (real.to_call > 0)


def transport(a, b, distance):
    """The exact earth mover's distance between distributions a and b: a linear programme."""
    rows, columns = len(a), len(b)
    leaves = np.kron(np.eye(rows), np.ones(columns))
    arrives = np.kron(np.ones(rows), np.eye(columns))
    cost, sums = np.asarray(distance, float).ravel(), np.concatenate([leaves, arrives])
    hit = linprog(cost, A_eq=sums[:-1], b_eq=np.concatenate([a, b])[:-1], method="highs")
    assert hit.status == 0
    return hit.fun


def greedy_transport(a, b, distance):
    """Every heap of a takes from the nearest of b, then every heap from its second nearest, …"""
    a, b, cost = list(a), list(b), 0
    for step in range(len(b)):
        for i in range(len(a)):
            j = sorted(range(len(b)), key=lambda j: (distance[i][j], j))[step]
            moved = min(a[i], b[j])
            a[i], b[j], cost = a[i] - moved, b[j] - moved, cost + moved * distance[i][j]
    return cost


def river_bucket(hole, board, ranks, cluster_of_hole, clusters, centroid):
    """The nearest centroid to the hand's win probabilities against the clusters; the first."""
    row = abstraction.river_ochs(hole, board, ranks, cluster_of_hole, clusters)
    return abstraction.nearest(row, centroid, "l2")[0]


def river_buckets(hole, flop, turn, ranks, bucket):
    """Counts of the buckets that a turn hand comes to; ``bucket(turn, river, hole id)``."""
    seen = {*map(int, hole), *map(int, flop), int(turn)}
    rest = [c for c in range(4 * ranks) if c not in seen]
    number = cards.holes(ranks).index(tuple(sorted(int(c) for c in hole)))
    return np.bincount([bucket(turn, river, number) for river in rest])


def hand_values(tree, layout, deals, beliefs, strategy):
    """Of two players in a tree of one round: the mean winnings of each hole over the other's
    holes, when both play ``strategy``. NaN where the other can hold nothing."""

    def play(x, bucket, rank, me):
        head, first, slot, chips = (int(k) for k in tree.node[x])
        kind, seat, n = kind_of(head), seat_of(head), n_actions(head)
        if kind == 0:
            at = int(layout.base[0, seat] + bucket[seat] * layout.columns[0, seat]) + slot
            row = strategy[at : at + n]
            return sum(p * play(first + a, bucket, rank, me) for a, p in enumerate(row))
        if kind == 1:  # all but one have folded: pot, chips of the winner
            if seat == me:
                return first - slot
            return -int(tree.node[tree.parent[x], 3])
        return slot * np.sign(rank[me] - rank[1 - me])

    total, chance = np.zeros((2, *beliefs.shape))
    for bucket, rank in zip(deals.bucket[:, :, 0], deals.rank[:, 0], strict=True):
        for me in (0, 1):
            weight = beliefs[1 - me, bucket[1 - me]]
            if weight > 0:
                total[me, bucket[me]] += weight * play(0, bucket, rank.astype(int), me)
                chance[me, bucket[me]] += weight
    with np.errstate(invalid="ignore"):
        return total / chance


def values_of_hands(game, hand, strategy, node, best=False):
    """Values at ``node`` of a listed game by seat and hand: all play ``strategy``, or one best.

    ``hand`` int[seats, deals] are the hands of the first seats. NaN for hands of no deal.
    """
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    values = np.full((len(hand), int(hand.max()) + 1), np.nan)
    for p, held in enumerate(hand):
        played = strategy.copy()  # a best response overwrites it
        down(game, played, p, others, own)
        up(game, played, p, best, others, value, np.zeros(strategy.size))
        weight = np.bincount(held, others[node], values.shape[1])
        with np.errstate(invalid="ignore"):
            values[p] = np.bincount(held, value[node], values.shape[1]) / weight
    return values


def leaf_features(hand, me, choices, strength, texture, flop, n, seats):
    """The features of ``me`` at ``hand`` int64[LENGTH]: a list of floats.

    ``choices`` by seat, ``strength`` [seats, 2], ``texture`` and whether the ``flop`` is known;
    ``n`` continuations.
    """
    folded = {p for p in range(seats) if hand[FOLDERS] >> p & 1}
    chips = {p: int(hand[CHIPS + p]) for p in range(seats)}
    stack = {p: int(hand[STACKS + p]) for p in range(seats)}
    pot, others = int(hand[POT]), [p for p in range(seats) if p != me and p not in folded]
    order = [(int(hand[ACTOR]) + k) % seats for k in range(seats)]
    before = order[: order.index(me)]
    call = {p: min(int(hand[HIGH]), stack[p]) - chips[p] for p in [me, *others]}
    behind = min(stack[me], max(stack[p] for p in others)) - chips[me]
    out = [
        math.log2(pot / int(hand[BIG_BLIND])) / 8,
        math.log(1 + max(behind, 0) / pot) / 4,
        (call[me] or -max((call[p] for p in others if chips[p] < stack[p]), default=0)) / pot,
        sum(p in others and chips[p] < stack[p] for p in before) / seats,
        len(others) / (seats - 1),
        float(flop),
        4 * texture,
        *strength[me],
    ]
    for p in sorted(others, key=lambda p: (p - me) % seats):
        out += [*strength[p], *(float(choices[p] == k) for k in range(1, n))]
    return out + [0.0] * ((seats - 1 - len(others)) * (n + 1))


def network_values(network, x):
    """Values by own choice, unit by unit: a list of floats."""
    units = [float(v) for v in x]
    layers = [(network.first, network.first_bias), *zip(network.weight, network.bias, strict=True)]
    for weight, bias in layers:
        units = [
            max(sum(u * float(w) for u, w in zip(units, column, strict=True)) + float(b), 0.0)
            for column, b in zip(weight.T, bias, strict=True)
        ]
    return [
        sum(u * float(w) for u, w in zip(units, column, strict=True)) + float(b)
        for column, b in zip(network.last.T, network.last_bias, strict=True)
    ]


def hand_strength(hole, flop, deck, value):
    """Strength and spread of ``hole`` on ``flop``: every runout, every other hand.

    ``deck`` are all cards, ``value`` ranks seven of them.
    """
    seen = {*hole, *flop}
    left = [c for c in deck if c not in seen]
    shares = []
    for i, turn in enumerate(left):
        for river in left[:i]:
            board = [*flop, turn, river]
            rest = [c for c in left if c not in (turn, river)]
            mine = value([*hole, *board])
            won = met = 0.0
            for j, high in enumerate(rest):
                for low in rest[:j]:
                    theirs = value([high, low, *board])
                    won += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    met += 1
            shares.append(won / met)
    return float(np.mean(shares)), 2 * float(np.std(shares))
