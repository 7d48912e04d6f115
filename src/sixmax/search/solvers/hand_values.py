"""The value of each hand in a subgame of any number of players, estimated by playing it."""

import numpy as np

from sixmax.base.jit import njit
from sixmax.base.rng import child, step, stream, unit
from sixmax.betting.rules import contenders
from sixmax.betting.tree import (
    DECISION,
    LEAF,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.cfr.layout import infoset
from sixmax.cfr.sampled.leaves import Leaves, units_of, value_of_leaf
from sixmax.cfr.terminal import terminal_value
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import Subgame

DEALS = 1 << 18  # played for an estimate: about 200 for each of 1,326 hands that are alike
_AT_ONCE = 1 << 14  # deals in memory


def sampled_values(
    subgame: Subgame,
    strategy: np.ndarray,
    dealer: SubgameDealer,
    beyond: Leaves | None,
    seed: int,
    deals: int = DEALS,
) -> np.ndarray:
    """Net chips of each seat with each hand when all play ``strategy``: float64[seats, holes].

    The mean over ``deals`` deals of ``dealer``, each played once by all seats: an estimate with the
    standard error of that many hands of poker. NaN for a hand that was never dealt, so for all
    hands that the beliefs rule out, and for seats that folded before the root.
    """
    seats, state = subgame.tree.columns.shape[1], subgame.state
    total, count = np.zeros((2, seats, dealer.buckets[0]))
    mask = contenders(state.root)
    deal_seed, play_seed = child(seed, "values deal"), child(seed, "values play")
    for first in range(0, deals, _AT_ONCE):
        dealt = dealer.deal(deal_seed, first, min(_AT_ONCE, deals - first))
        _play_kernel(
            subgame.tree, subgame.layout, strategy, dealt, beyond, mask, play_seed, first, total,
            count,
        )  # fmt: skip
    with np.errstate(invalid="ignore"):
        return total / count


@njit
def _play_kernel(tree, layout, strategy, deals, beyond, mask, seed, first, total, count):
    """Play each of ``deals`` once, and add to ``total`` and ``count`` float64[seats, holes]: the
    net chips of the seats of ``mask``, and 1."""
    seats = total.shape[0]
    won, net = np.empty(seats), np.empty(seats)
    units = np.empty((2, units_of(beyond)), np.float32)
    for i in range(len(deals.rank)):
        state = stream(seed, np.uint64(first + i))
        _play_out(
            tree, layout, strategy, deals.bucket[i], deals.rank[i], deals.future[i], beyond, mask,
            state, net, won, units,
        )  # fmt: skip
        for p in range(seats):
            if mask >> p & 1:
                total[p, deals.bucket[i, p, 0]] += won[p]
                count[p, deals.bucket[i, p, 0]] += 1


@njit
def _play_out(tree, layout, strategy, bucket, rank, future, beyond, mask, state, net, won, units):
    """One hand from the root by ``strategy``: net chips of the seats of ``mask`` into ``won``."""
    node, left, x = tree.node, mask, np.int64(0)
    while kind_of(node[x, 0]) == DECISION:
        head = node[x, 0]
        seat, r, n = seat_of(head), round_of(head), n_actions(head)
        at = infoset(layout, r, seat, bucket[seat, r], node[x, 2])
        state = step(state)
        u, a = unit(state), 0
        while a < n - 1 and u >= strategy[at + a]:
            u -= strategy[at + a]
            a += 1
        if a == 0 and offers_fold(head):
            won[seat] = -np.float64(node[x, 3])
            left &= ~(1 << seat)
        x = np.int64(node[x, 1] + a)
    head = node[x, 0]
    for p in range(won.size):
        if not left >> p & 1:
            continue
        if beyond is None:  # decided when the kernel is compiled
            won[p] = terminal_value(node, tree.contributed, rank, head, x, p, net)
        elif kind_of(head) == LEAF:
            won[p] = value_of_leaf(
                beyond, node, tree.contributed, x, rank, future, p, net, units
            )  # fmt: skip
        else:
            won[p] = terminal_value(node, tree.contributed, rank, head, x, p, net)
