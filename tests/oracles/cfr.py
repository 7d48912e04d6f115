"""Slow twins of the CFR kernels: the recursions as the paper writes them, in plain Python."""

import itertools

import numpy as np

from sixmax.base.rng import step, stream, unit
from sixmax.betting.tree import DECISION, FOLDED, SHOWDOWN, kind_of, n_actions, round_of, seat_of
from sixmax.cfr.full.sweep import field
from sixmax.cfr.policy import uniform
from sixmax.cfr.sampled.log import COUNT


def path_to(tree, x):
    """The nodes from the start to ``x``."""
    return [*path_to(tree, int(tree.parent[x])), x] if x > 0 else [0]


def head(tree, x):
    """kind, player, round, number of actions of node x."""
    h = int(tree.node[x, 0])
    return kind_of(h), seat_of(h), round_of(h), n_actions(h)


def row_of(tree, layout, x, bucket):
    """The entries of the infoset of ``bucket`` at the decision node x."""
    _, p, r, n = head(tree, x)
    at = int(layout.base[r, p] + bucket * layout.columns[r, p] + tree.node[x, 2])
    return slice(at, at + n)


def net_chips(tree, x, rank):
    """Net chips of every seat at a terminal node, from the record and, for those who folded,
    from the path that leads there."""
    kind, winner, _, _ = head(tree, x)
    seats = tree.columns.shape[1]
    put_in = chips_put_in(tree, x)
    mask = 1 << winner if kind == FOLDED else int(tree.node[x, 3])
    left = [p for p in range(seats) if mask >> p & 1]
    if kind == FOLDED:
        return [put_in.sum() - put_in[p] if p == winner else -put_in[p] for p in range(seats)]
    if kind == SHOWDOWN:  # uncalled chips have come back
        put_in[left] = tree.node[x, 2]
        assert put_in.sum() == tree.node[x, 1]
    else:
        put_in = tree.contributed[tree.node[x, 1]].astype(float)
    return shared(put_in, left, rank, put_in.sum())


def shared(put, left, rank, pot):
    """Net chips where ``left`` share ``pot`` level by level; the last level has all the rest."""
    net, below = -np.array(put, float), 0
    levels = sorted({put[p] for p in left})
    for level in levels:
        able = [p for p in left if put[p] >= level]
        best = [p for p in able if rank[p] == max(rank[q] for q in able)]
        last = level == levels[-1]
        part = pot if last else sum(min(c, level) - min(c, below) for c in put)
        net[best] += part / len(best)
        pot, below = pot - part, level
    return net


def chips_put_in(tree, x):
    """The chips that each seat has put in at a node, from the actions on the way to it."""
    path, seats = path_to(tree, x), tree.columns.shape[1]
    put_in = np.full(seats, -1)
    last = np.zeros(seats)
    for x, child in itertools.pairwise(path):
        _, player, _, _ = head(tree, x)
        last[player] = tree.node[x, 3]
        put_in[player] = last[player]
        action = tree.action[child]
        if action > 0:
            put_in[player] = action
        elif action == 0:  # a call: up to the largest amount in, or to the player's stack
            put_in[player] = max(put_in.max(), last[player], _first_bets(tree).max())
    return np.where(put_in < 0, _first_bets(tree), put_in).astype(float)


def _first_bets(tree):
    """Blinds and antes: the chips that a seat has in at its first decision."""
    seats = tree.columns.shape[1]
    heads, put_in = tree.node[:, 0], tree.node[:, 3]
    acts = np.where(kind_of(heads) == DECISION, seat_of(heads), -1)
    return np.array([put_in[acts == p].min() for p in range(seats)], float)


def matched(regret):
    """Regret matching of one row."""
    positive = np.maximum(np.asarray(regret, float), 0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.full(len(positive), 1 / len(positive))


class Twin:
    """TRAVERSE-MCCFR(-P) and UPDATE-STRATEGY of Algorithm 1, on frozen regrets."""

    def __init__(self, tree, layout, regret, pruning=None, scale=1.0, counted=1):
        self.tree, self.layout, self.regret = tree, layout, regret
        self.pruning, self.scale, self.counted = pruning, scale, counted
        self.gain, self.count = np.zeros(regret.size, np.int64), np.zeros(regret.size, np.int64)
        self.visits = 0

    def row(self, x, bucket):
        _, p, r, _ = head(self.tree, x)
        return row_of(self.tree, self.layout, x, bucket[p, r])

    def draw(self, strategy_row):
        self.state = np.uint64(step(self.state))
        return self.pick(strategy_row, unit(self.state))

    def pick(self, strategy_row, u):
        total = np.maximum(self.regret[strategy_row].astype(np.int64), 0)
        if total.sum() == 0:
            return int(u * len(total))
        left = int(u * float(total.sum()))
        return int(np.searchsorted(np.cumsum(total), left, side="right"))

    def traverse(self, x, me, bucket, rank, prune):
        tree = self.tree
        kind, p, r, n = head(tree, x)
        if kind != DECISION:
            boards = rank if r == 0 else rank[:1]  # a player who was all-in saw none
            return np.mean([net_chips(tree, x, board)[me] for board in boards])
        self.visits += 1
        row, first = self.row(x, bucket), int(tree.node[x, 1])
        if p != me:
            return self.traverse(first + self.draw(row), me, bucket, rank, prune)
        strategy, value, explored = matched(self.regret[row]), np.zeros(n), np.ones(n, bool)
        for a in range(n):
            ends = tree.action[first + a] == -1 or head(tree, first + a)[0] != DECISION
            last_round = r == tree.columns.shape[0] - 1
            if prune and not last_round and not ends:
                explored[a] = self.regret[row][a] > self.pruning.threshold
        if not explored.any():
            explored[int(np.argmax(self.regret[row]))] = True
        if not (self.regret[row] > 0).any():
            strategy = explored / explored.sum()
        for a in np.flatnonzero(explored):
            if tree.action[first + a] == -1:
                value[a] = -tree.node[x, 3]
            else:
                value[a] = self.traverse(first + a, me, bucket, rank, prune)
        mean = (strategy * value)[explored].sum()
        gain = np.where(explored, np.rint((value - mean) * self.scale), 0)
        self.gain[row] += gain.astype(np.int64)
        return mean

    def update_strategy(self, x, me, bucket):
        kind, p, r, n = head(self.tree, x)
        if kind != DECISION or r >= self.counted:
            return
        row, first = self.row(x, bucket), int(self.tree.node[x, 1])
        if p == me:
            state = np.uint64(stream(np.uint64(self.state), np.uint64(row.start)))
            a = self.pick(row, unit(np.uint64(step(state))))
            self.count[row.start + a] += COUNT
            if self.tree.action[first + a] != -1:
                self.update_strategy(first + a, me, bucket)
        else:
            for a in range(n):
                self.update_strategy(first + a, me, bucket)


def nash_conv(tree, layout, deals, strategy):
    """Sum over players of what a best response gains, and each player's value.

    ``strategy(x, bucket)`` is a probability row; ``deals`` are equally likely.
    """
    n_deals, _, seats = deals.rank.shape
    rank = deals.rank[:, 0]
    beaten = (rank[:, :, None] > rank[:, None, :]).sum(axis=2)  # only the order counts
    orders, order = np.unique(beaten, axis=0, return_inverse=True)
    payoff = {
        x: np.array([net_chips(tree, x, each) for each in orders])[order.ravel()]
        for x in range(len(tree.node))
        if head(tree, x)[0] != DECISION
    }

    def row(x):
        _, p, r, _ = head(tree, x)
        each = {b: strategy(x, b) for b in np.unique(deals.bucket[:, p, r]).tolist()}
        return np.array([each[b] for b in deals.bucket[:, p, r].tolist()])

    def walk(x, me, reach, best):
        kind, p, r, n = head(tree, x)
        if kind != DECISION:
            return reach * payoff[x][:, me]
        first = int(tree.node[x, 1])
        if p == me and best:
            values = np.array([walk(first + a, me, reach, best) for a in range(n)])
            bucket = deals.bucket[:, p, r]
            out = np.zeros(n_deals)
            for b in np.unique(bucket):
                mine = bucket == b
                out[mine] = values[values[:, mine].sum(axis=1).argmax(), mine]
            return out
        weight = row(x)
        return sum(walk(first + a, me, reach * weight[:, a], best) for a in range(n))

    start = np.full(n_deals, 1 / n_deals)
    value = [walk(0, p, start, False).sum() for p in range(seats)]
    best = [walk(0, p, start, True).sum() for p in range(seats)]
    return sum(best) - sum(value), value


def counterfactual(tree, layout, deals, strategy, me):
    """The counterfactual value of every action of ``me``: float64[layout.size], chips, others 0.

    Each deal and node of the infoset weighs by the probability that chance and the others bring
    the game there (Zinkevich et al. 2007, section 3.1).
    """
    game, worth = field(tree, layout, deals), np.zeros(layout.size)

    def walk(x, reach):
        kind, p, r, n = head(tree, x)
        if kind != DECISION:
            return reach * game.payoff[me, x]
        first, at = int(tree.node[x, 1]), game.offset[p, r] + tree.node[x, 2]
        if p != me:
            return sum(walk(first + a, reach * strategy[at + a]) for a in range(n))
        below = [walk(first + a, reach) for a in range(n)]
        for a in range(n):
            np.add.at(worth, at + a, below[a])
        return sum(strategy[at + a] * below[a] for a in range(n))

    walk(0, game.chance)
    return worth


def _fades(t, power):
    return t**power / (t**power + 1)


# By method, after iteration t of T: the factors of positive and of negative regrets, the power of
# the average, and how often the regrets of the iteration are expected again.
EQUATIONS = {
    "cfr": lambda t, T: (1, 1, 0, 0),
    "cfr+": lambda t, T: (1, 0, 1, 0),
    "linear": lambda t, T: (t / (t + 1), t / (t + 1), 1, 0),
    "dcfr": lambda t, T: (_fades(t, 1.5), 1 / 2, 2, 0),
    "pcfr+": lambda t, T: (1, 0, 2, 1),
    "pdcfr+": lambda t, T: (_fades(t, 2.3), 0, 5, 1),
    "hs-dcfr": lambda t, T: (
        _fades(t, 1 + 3 * t / T), _fades(t, -1 - 2 * t / T), 30 - 5 * t / T, 0,
    ),
    "hs-dcfr-10": lambda t, T: (
        _fades(t, 1 + 3 * t / T), _fades(t, -1 - 2 * t / T), 10 - 5 * t / T, 0,
    ),
    "hs-pdcfr+": lambda t, T: (_fades(t, 1 + 3 * t / T), 0, 30 - 5 * t / T, 1),
}  # fmt: skip


def full_width(tree, layout, deals, method, iterations):
    """The average and the last strategy after each of ``iterations`` of ``method``.

    z is added to and discounted, z + m is matched: m are the regrets of the iteration, or nothing.
    """
    strategy, seats = uniform(tree, layout), tree.columns.shape[1]
    z, total = np.zeros((2, layout.size))
    rows = [list(_ways(tree, layout, deals, me)) for me in range(seats)]
    for t in range(1, iterations + 1):
        positive, negative, power, ahead = EQUATIONS[method](t, iterations)
        for me in range(seats):
            worth = counterfactual(tree, layout, deals, strategy, me)
            reach = [np.prod(strategy[way]) for _, way in rows[me]]
            for (row, _), came in zip(rows[me], reach, strict=True):
                r = worth[row] - strategy[row] @ worth[row]
                total[row] = total[row] * ((t - 1) / t) ** power + came * strategy[row]
                z[row] = (z[row] + r) * np.where(z[row] + r > 0, positive, negative)
                strategy[row] = matched(z[row] + ahead * r)
        average = uniform(tree, layout)
        for row, _ in (each for mine in rows for each in mine):
            average[row] = matched(total[row])
        yield average, strategy.copy()


def _ways(tree, layout, deals, me):
    """Each infoset of ``me``: its entries, and those of its own actions on the way there."""
    result = {}
    for bucket in deals.bucket[:, me]:
        for x in map(int, tree.decision_nodes()):
            if tree.seat(x) != me:
                continue
            way = [
                row_of(tree, layout, y, bucket[tree.round(y)]).start + z - int(tree.node[y, 1])
                for y, z in tree.steps(x) if tree.seat(y) == me
            ]  # fmt: skip
            row = row_of(tree, layout, x, bucket[tree.round(x)])
            result[row.start] = row, way
    return result.values()
