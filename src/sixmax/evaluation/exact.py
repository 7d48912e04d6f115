"""Exact value and exploitability of two-player hold'em strategies of one or two rounds.

The opponent's whole range goes down the public tree at once, and the values of all hands come back
(Johanson, Waugh, Bowling and Zinkevich, "Accelerating Best Response Calculation in Large Extensive
Games", IJCAI 2011): by class before the flop, where :mod:`sixmax.cards.matchups` has all runouts,
and by hole on each canonical flop, weighted by the flops that it stands for. The best response is
that of the game itself: it tells all situations apart, whatever buckets the strategy has, so that
the exploitability of an abstraction is measured too, and not just that of training in it.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.cards.deck import classes, hole_cards, n_cards, n_holes
from sixmax.cards.equity import scratch, sort_river
from sixmax.cards.isomorphism import boards
from sixmax.cards.matchups import matchups
from sixmax.cfr.layout import Layout
from sixmax.cfr.response import NashConv
from sixmax.errors import UserError
from sixmax.evaluation.exact_kernels import lead_kernel, live_kernel
from sixmax.game.config import GameConfig
from sixmax.game.tree import DECISION, FOLDED, SIDEPOTS, Tree, children
from sixmax.jit import njit

_FLOPS_AT_ONCE = 32  # their arrays stay in the processor's cache


class Flops(NamedTuple):
    """The canonical flops, F of them, and the holes on each."""

    weight: np.ndarray  # float64[F]: probability of a flop and a pair of holes, times flops alike
    bucket: np.ndarray  # int64[F, H]: what a strategy sees; 0 where blocked
    value: np.ndarray  # int32[F, H]: of the five cards, -1 where blocked
    order: np.ndarray  # int16[F, H]: first the ``size`` holes not blocked, by ascending value
    size: int
    pair: np.ndarray  # int8[H, 2]: the cards of each hole


class Cards(NamedTuple):
    """What the cards of a game come to, for C preflop classes and H holes."""

    of_hole: np.ndarray  # uint8[H]: the class of each hole
    share: np.ndarray  # float64[C, C]: probability that the two players hold these classes
    lead: np.ndarray  # float64[C, C]: that the row's wins when all is in, less that it loses
    flops: Flops | None  # of games of two rounds


def cards(game: GameConfig, buckets: Buckets, ranks: int = 13) -> Cards:
    """The cards of ``game`` for strategies of these ``buckets``; seconds for the full deck.

    Raises UserError for games that are not two-player hold'em of one round, or of two with the
    showdown on the flop.
    """
    rounds = len(game.rounds)
    if game.cards != "holdem" or game.seats != 2 or rounds > 2:
        raise UserError(
            f"exact values: found {game.cards} of {game.seats} seats and {rounds} rounds, wanted "
            "hold'em of two seats and at most two rounds"
        )
    if rounds == 2 and game.board_cards != 3:
        raise UserError(
            f"exact values of two rounds: found game.board_cards {game.board_cards}, wanted 3: "
            "the showdown on the flop"
        )
    table = matchups(ranks, game.board_cards)
    total = table.deals.sum()
    flops = _flops(buckets.flop, ranks) if rounds == 2 else None
    lead = (table.wins - table.wins.T.astype(np.int64)) / total
    return Cards(classes(ranks), table.deals / total, lead, flops)


def _flops(bucket: np.ndarray, ranks: int) -> Flops:
    table, n = boards(ranks, 3), n_cards(ranks)
    value = np.empty((len(table.count), n_holes(ranks)), np.int32)
    order = np.empty(value.shape, np.int16)
    size = _sort_kernel(table.cards, ranks, scratch(ranks), value, order)
    deals = comb(n, 2) * comb(n - 2, 2) * comb(n - 4, 3)
    seen = np.where(value < 0, 0, bucket).astype(np.int64)
    return Flops(table.count / deals, seen, value, order, size, hole_cards(ranks))


@njit
def _sort_kernel(cards, ranks, s, value, order):
    size = 0
    for board in range(len(cards)):
        size = sort_river(cards[board], ranks, s)
        value[board] = s.value
        order[board] = s.order
    return size


def values(tree: Tree, layout: Layout, cards: Cards, strategy: np.ndarray) -> np.ndarray:
    """What each seat wins when both play ``strategy`` float64[layout.size]: float64[2], chips."""
    first = _Walk(tree, layout, cards, strategy, 0, best=False).total()
    return np.array([first, -first])


def best_response(tree: Tree, layout: Layout, cards: Cards, strategy: np.ndarray, me: int) -> float:
    """What the seat ``me`` wins by the best response to ``strategy``, in chips a hand."""
    return _Walk(tree, layout, cards, strategy, me, best=True).total()


def nash_conv(tree: Tree, layout: Layout, cards: Cards, strategy: np.ndarray) -> NashConv:
    """What each seat wins, and would win more by its best response, in chips a hand."""
    now = values(tree, layout, cards, strategy)
    best = np.array([best_response(tree, layout, cards, strategy, me) for me in (0, 1)])
    return NashConv(float((best - now).sum()), best - now, now)


class _Walk:
    """One walk of the tree for the seat ``me``: the opponent's range down, my values up.

    ``reach`` is the opponent's probability of playing to a node, by class float64[C] before the
    flop, by hole float64[F, H] on it. A value of mine is weighted by it and by the cards.
    """

    def __init__(
        self,
        tree: Tree,
        layout: Layout,
        cards: Cards,
        strategy: np.ndarray,
        me: int,
        best: bool,
    ):
        if strategy.shape != (layout.size,):
            raise ValueError(f"strategy: found {strategy.shape}, wanted ({layout.size},)")
        most = int(cards.flops.bucket.max()) + 1 if cards.flops else len(cards.share)
        if most > layout.buckets[-1]:
            raise ValueError(f"layout: found {layout.buckets[-1]} buckets, the cards have {most}")
        if (tree.node[:, 0] & 15 == SIDEPOTS).any():
            raise ValueError("tree: found side pots, wanted stacks that two players have none with")
        self.tree, self.layout, self.cards, self.strategy = tree, layout, cards, strategy
        self.me, self.best = me, best

    def total(self) -> float:
        """My value of the game in chips."""
        return float(self._preflop(0, np.ones(len(self.cards.share))).sum())

    def _stake(self, x: int) -> tuple[int, bool]:
        """Chips that a terminal is about, mine where I win, and whether there is a showdown."""
        head, pot, put = (int(v) for v in self.tree.node[x, :3])
        if head & 15 != FOLDED:
            return put, True
        return (pot - put if head >> 4 & 15 == self.me else put - pot), False

    def _choices(self, x: int, bucket: np.ndarray) -> np.ndarray:
        """The strategy at ``x``: float64[..., actions] for an array of buckets."""
        head, slot = int(self.tree.node[x, 0]), int(self.tree.node[x, 2])
        in_round, seat, n = head >> 8 & 15, head >> 4 & 15, head >> 12 & 255
        at = bucket * self.layout.columns[in_round, seat] + self.layout.base[in_round, seat] + slot
        return self.strategy[at[..., None] + np.arange(n)]

    def _decide(self, x: int, bucket: np.ndarray, reach: np.ndarray, walk) -> np.ndarray:
        """The value of the decision node ``x``; ``walk(child, reach)`` is that of a child."""
        mine = int(self.tree.node[x, 0]) >> 4 & 15 == self.me
        if mine and self.best:
            found = [walk(child, reach) for child in children(self.tree, x)]
            return np.maximum.reduce(found)
        value, choices = np.zeros(reach.shape), self._choices(x, bucket)
        for a, child in enumerate(children(self.tree, x)):
            if mine:
                value += choices[..., a] * walk(child, reach)
            else:
                value += walk(child, reach * choices[..., a])
        return value

    def _preflop(self, x: int, reach: np.ndarray) -> np.ndarray:
        """My value of node ``x`` by class, float64[C]: summed over my holes of the class."""
        head = int(self.tree.node[x, 0])
        if head & 15 != DECISION:
            chips, shown = self._stake(x)
            return chips * ((self.cards.lead if shown else self.cards.share) @ reach)
        if head >> 8 & 15 > 0:
            return self._see_flop(x, reach)
        return self._decide(x, np.arange(len(reach)), reach, self._preflop)

    def _see_flop(self, x: int, reach: np.ndarray) -> np.ndarray:
        """The mean over flops: their values by hole, gathered by class."""
        flops, of_hole = self.cards.flops, self.cards.of_hole
        value = np.zeros(len(of_hole))
        for first in range(0, len(flops.weight), _FLOPS_AT_ONCE):
            some = slice(first, first + _FLOPS_AT_ONCE)
            dealt = flops._replace(
                bucket=flops.bucket[some], value=flops.value[some], order=flops.order[some]
            )
            held = np.broadcast_to(reach[of_hole], dealt.bucket.shape).copy()
            value += flops.weight[some] @ self._flop(x, held, dealt)
        return np.bincount(of_hole, value, minlength=len(reach))

    def _flop(self, x: int, reach: np.ndarray, flops: Flops) -> np.ndarray:
        """My value of node ``x`` by hole on each of some flops, float64[F, H]."""
        if int(self.tree.node[x, 0]) & 15 == DECISION:
            return self._decide(x, flops.bucket, reach, lambda y, r: self._flop(y, r, flops))
        chips, shown = self._stake(x)
        out = np.empty(reach.shape)
        if shown:
            lead_kernel(reach, flops.value, flops.order, flops.size, flops.pair, out)
        else:
            live_kernel(reach, flops.value, flops.pair, out)
        return chips * out
