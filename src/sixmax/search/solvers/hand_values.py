"""The value of each hand in a subgame of any number of players, estimated by playing it."""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import inlined, njit, uncounted
from sixmax.base.rng import child, step, stream, unit
from sixmax.betting.rules import contenders
from sixmax.betting.tree import Tree, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.advance import advance
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.sampled.leaves import Leaves, end_scratch, value_of_end
from sixmax.search.solvers.deal import SearchDeals, SubgameDealer
from sixmax.search.subgame import Subgame

DEALS = 1 << 18  # played for an estimate: about 200 for each of 1,326 hands that are alike
_AT_ONCE = 1 << 14  # deals in memory


class PlayedGame(NamedTuple):
    """A subgame, the strategy float64[layout.size] of all seats, and the stream of their play."""

    tree: Tree
    layout: Layout
    strategy: np.ndarray
    leaves: Any  # Leaves | None
    seed: np.uint64


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
    mask, deal_seed = contenders(state.root), child(seed, "values deal")
    played = PlayedGame(subgame.tree, subgame.layout, strategy, beyond, child(seed, "values play"))
    for first in range(0, deals, _AT_ONCE):
        dealt = dealer.deal(deal_seed, first, min(_AT_ONCE, deals - first))
        _play_kernel(played, dealt, first, mask, total, count)
    with np.errstate(invalid="ignore"):
        return total / count


@njit
def _play_kernel(played, deals, first, mask, total, count):
    """Play each of ``deals`` once, and add to ``total`` and ``count`` float64[seats, holes]: the
    net chips of the seats of ``mask``, and 1. The number of the first deal is ``first``."""
    seats = total.shape[0]
    won, scratch = np.empty(seats), end_scratch(seats, played.leaves)
    for i in range(len(deals.rank)):
        deal = SearchDeals(deals.bucket[i], deals.rank[i], deals.future[i])
        state = stream(played.seed, np.uint64(first + i))
        _play_out(played, deal, mask, state, scratch, won)
        for p in range(seats):
            if mask >> p & 1:
                total[p, deal.bucket[p, 0]] += won[p]
                count[p, deal.bucket[p, 0]] += 1


@uncounted
def _play_out(played, deal, mask, state, scratch, won):
    """One hand from the root: net chips of the seats of ``mask`` into ``won`` float64[seats]."""
    tree, start = played.tree, (state, np.int64(mask))
    players = tree, played.layout, played.strategy, deal.bucket, won
    x, (_, left) = advance(tree.node, np.int64(0), -1, _turn, players, start)
    for p in range(won.size):
        if left >> p & 1:
            won[p] = value_of_end(played.leaves, tree, x, p, deal, scratch)


@inlined
def _turn(players, x, state):
    """The action at ``x`` by the next draw; ``state`` also has the mask of the seats left."""
    (tree, layout, strategy, bucket, won), (draws, left) = players, state
    head = tree.node[x, 0]
    seat, r, n = seat_of(head), round_of(head), n_actions(head)
    at = infoset(layout, r, seat, bucket[seat, r], tree.node[x, 2])
    draws = step(draws)
    u, a = unit(draws), np.int64(0)
    while a < n - 1 and u >= strategy[at + a]:
        u -= strategy[at + a]
        a += 1
    if a == 0 and offers_fold(head):
        won[seat] = -np.float64(tree.node[x, 3])
        left &= ~(np.int64(1) << seat)
    return a, (draws, left)
