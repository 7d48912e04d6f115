"""The values of nodes by listing deals: every node with every deal, one after the other."""

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.game.rules import CHIPS
from sixmax.game.tree import children, fields, n_actions, players_left, round_of, seat_of


def node_values(game, tree, layout, policy, deals):
    """Counterfactual values and reach, summed over ``deals`` by the bucket of each node's round and
    of the round before: {(node, round): float64[2, 2, buckets]}, by [value or reach, player]."""
    chips, sums = fields(game, tree, (CHIPS, CHIPS + 1)), {}
    rank = deals.rank[:, 0]
    sign = np.sign(rank[:, 0] - rank[:, 1])

    def strategy(x):
        head, n = int(tree.node[x, 0]), n_actions(int(tree.node[x, 0]))
        seat, r = seat_of(head), round_of(head)
        at = infoset(layout, r, seat, deals.bucket[:, seat, r].astype(np.int64), tree.node[x, 2])
        row = policy[at[:, None] + np.arange(n)].astype(float)
        total = row.sum(axis=1, keepdims=True)
        return np.where(total > 0, row / np.maximum(total, 1), 1 / n).T

    def net(x):
        left, lost = players_left(tree, x), min(chips[x])
        first = (
            sign * lost if len(left) == 2 else np.full(len(rank), lost if left == [0] else -lost)
        )
        return np.stack([first, -first]).astype(float)

    def walk(x, reach, before):
        head, won = int(tree.node[x, 0]), np.zeros((2, len(rank)))
        if not children(tree, x):
            won = net(x)
        for p, below in zip(
            strategy(x) if children(tree, x) else (), children(tree, x), strict=True
        ):
            after = reach.copy()
            after[seat_of(head)] *= p
            won += p * walk(below, after, round_of(head))
        for r in {before, round_of(head)} if children(tree, x) else {before}:
            cell = sums.setdefault((x, r), np.zeros((2, 2, layout.buckets[r])))
            for k in (0, 1):
                np.add.at(cell[0, k], deals.bucket[:, k, r], reach[1 - k] * won[k])
                np.add.at(cell[1, k], deals.bucket[:, k, r], reach[1 - k])
        return won

    walk(0, np.ones((2, len(rank))), 0)
    return sums
