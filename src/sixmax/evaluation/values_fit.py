"""What self-play makes of an equity and a hand: the part of the values that is fitted.

A cell of ``Values.share`` is a mean over the hands that came to such a situation, weighed by the
square of the pot, of what a seat won more than the rest of the values say, in pots. Cells that few
hands met are drawn towards the mean over all strengths of their equity, and that towards nothing.
"""

from collections.abc import Callable

import numpy as np

from sixmax.cfr.deal import Dealer
from sixmax.evaluation.agents import Agent, Ground
from sixmax.evaluation.values import KNOTS, Values, equity_of, first_round, self_play
from sixmax.game.tree import DECISION
from sixmax.jit import njit, parallel, prange

FEW = 20.0  # hands that a prior counts for
_PARTS = 16


def fit(
    values: Values,
    where: Ground,
    dealer: Dealer,
    player: Agent,
    hands: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Values:
    """``values`` with the ``share`` that ``hands`` hands of ``player`` in all seats make of them.

    The same whatever the threads.
    """
    sums = np.zeros((_PARTS, *values.share.shape, 3))
    for dealt, end, net in self_play(where, dealer, player, hands, seed, progress):
        _learn_kernel(*values, where.tree.node, where.tree.parent, dealt.bucket, end, net, sums)
    gained, pots, met = np.moveaxis(sums.sum(axis=0), -1, 0)
    few = FEW * pots.sum(axis=(2, 3)) / np.maximum(met.sum(axis=(2, 3)), 1)
    few = np.maximum(few, 1e-9)[:, :, None, None]
    usual = gained.sum(axis=3, keepdims=True) / (pots.sum(axis=3, keepdims=True) + few)
    return values._replace(share=((gained + few * usual) / (pots + few)).astype(np.float32))


@parallel
def _learn_kernel(
    block, at, value, inside, chips, pot, situation, equity, strength, share, node, parent, bucket,
    end, net, sums,
):  # fmt: skip
    n, seats = net.shape
    for part in prange(_PARTS):
        values = Values(
            block, at, value, inside, chips, pot, situation, equity, strength, share
        )  # parallel loops take no tuples in tuples
        mine = np.zeros(equity.shape[1])
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            x = end[i]
            while x > 0:
                for p in range(seats):
                    if inside[x] >> p & 1:
                        _learn(values, node, parent, x, p, bucket[i], net[i, p], mine, sums[part])
                x = parent[x]


@njit
def _learn(values, node, parent, x, p, bucket, won, mine, sums):
    """A hand that came to ``x``: by an action of the round before, and with cards of its own."""
    head, last = node[x, 0], node[parent[x], 0] >> 8 & 15
    if head & 15 != DECISION:
        return
    r, to_act = head >> 8 & 15, head >> 4 & 15 == p
    rounds = bucket.shape[1]
    if last == 0 or last + 1 < rounds:
        _add(values, x, 0, r == last and to_act, last, p, bucket, won, mine, sums)
    if last < r < rounds - 1:
        _add(values, x, 1, to_act, r, p, bucket, won, mine, sums)


@njit
def _add(values, x, now, acts, r, p, bucket, won, mine, sums):
    situation, b, pot = values.situation[x, now], bucket[p, r], np.float64(values.pot[x])
    if situation < 0:
        return
    e = equity_of(values, values.seats[x], r, p, b, bucket)
    h = values.strength[r, b]
    says = pot * e - values.chips[x, p]
    if r == 0 and values.block[x] >= 0:
        mine[b] = 1.0
        says = first_round(values, values.block[x], p, mine, bucket)
        mine[b] = 0.0
    role = 2 * acts + (values.seats[x] >> (p + 1) == 0)
    n = KNOTS - 1
    at, by = min(max(e, 0.0), 1.0) * n, min(max(h, 0.0), 1.0) * n
    low, left = min(np.int64(at), n - 1), min(np.int64(by), n - 1)
    for i in range(low, low + 2):
        for j in range(left, left + 2):
            weight = (1.0 - abs(at - i)) * (1.0 - abs(by - j))
            cell = sums[situation, role, i, j]
            cell[0] += weight * pot * (won - says)
            cell[1] += weight * pot * pot
            cell[2] += weight
