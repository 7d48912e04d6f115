"""The values of nodes by listing deals: every node with every deal, one after the other."""

import numpy as np

from sixmax.betting.rules import CHIPS
from sixmax.betting.tree import fields, n_actions, round_of, seat_of
from sixmax.cfr.layout import infoset


def node_values(game, tree, layout, policy, deals):
    """Counterfactual values and reach of two players, summed over ``deals`` by bucket.

    {(node, round): float64[2, 2, buckets]}, by [value or reach, player]: a decision by the buckets
    of its round, and every node by those of the decision before it.
    """
    chips, sums = fields(game, tree, (CHIPS, CHIPS + 1)), {}
    better = np.sign(deals.rank[:, 0, 0] - deals.rank[:, 0, 1])

    def strategy(x):
        head = int(tree.node[x, 0])
        seat, r, n = seat_of(head), round_of(head), n_actions(head)
        at = infoset(layout, r, seat, deals.bucket[:, seat, r].astype(np.int64), tree.node[x, 2])
        row = policy[at[:, None] + np.arange(n)].astype(float)
        total = row.sum(axis=1, keepdims=True)
        return np.where(total > 0, row / np.maximum(total, 1), 1 / n).T

    def net(x):
        winner = {(0,): 1, (1,): -1, (0, 1): better}[tuple(tree.players_left(x))]
        first = winner * min(chips[x]) * np.ones(len(better))
        return np.stack([first, -first])

    def walk(x, reach, before):
        below, rounds = tree.children(x), {before}
        if not below:
            won = net(x)
        else:
            head, won = int(tree.node[x, 0]), 0.0
            rounds.add(round_of(head))
            for p, child in zip(strategy(x), below, strict=True):
                after = reach.copy()
                after[seat_of(head)] *= p
                won = won + p * walk(child, after, round_of(head))
        for r in rounds:
            cell = sums.setdefault((x, r), np.zeros((2, 2, layout.buckets[r])))
            for k in (0, 1):
                np.add.at(cell[0, k], deals.bucket[:, k, r], reach[1 - k] * won[k])
                np.add.at(cell[1, k], deals.bucket[:, k, r], reach[1 - k])
        return won

    walk(0, np.ones((2, len(better))), 0)
    return sums
