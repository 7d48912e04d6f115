"""Slow twin of ``exploitability.exact_holdem``: every flop, every pair of holes."""

import functools
import itertools

import numpy as np

from oracles.cards import best_hand, holes
from sixmax.betting.tree import DECISION, FOLDED, kind_of, n_actions, round_of, seat_of


@functools.cache
def signs(ranks, board_cards):
    """By board, who wins, and which pairs of holes are possible: two int[H, H]."""
    boards = itertools.combinations(range(4 * ranks), board_cards)
    return {frozenset(board): _signs(ranks, set(board)) for board in boards}


def _signs(ranks, board):
    hole = holes(ranks)
    free = [i for i in range(len(hole)) if not set(hole[i]) & board]
    hand = {i: best_hand((*hole[i], *board), ranks) for i in free}
    sign = np.zeros((2, len(hole), len(hole)), int)
    for i, j in itertools.product(free, free):
        if not set(hole[i]) & set(hole[j]):
            sign[:, i, j] = (hand[i] > hand[j]) - (hand[i] < hand[j]), 1
    return sign


class Game:
    """Two-player hold'em on a small deck; ``bucket(hole, board)`` is what a strategy sees."""

    def __init__(self, tree, layout, strategy, bucket, ranks, board_cards):
        self.tree, self.layout, self.strategy = tree, layout, strategy
        self.holes = holes(ranks)
        self.buckets = functools.cache(lambda f: np.array([bucket(h, f) for h in self.holes]))
        rounds = len(layout.buckets)
        flops = itertools.combinations(range(4 * ranks), 3) if rounds == 2 else [()]
        self.flops = [set(flop) for flop in flops]
        self.sign = signs(ranks, board_cards)
        self.deals = sum(int(np.abs(possible).sum()) for _, possible in self.sign.values())
        if rounds == 1:
            total = [sum(m) for m in zip(*self.sign.values(), strict=True)]
            self.sign = {frozenset(): total}

    def rows(self, x, board):
        """The strategy at x with each hole: float64[H, actions]."""
        head, slot = int(self.tree.node[x, 0]), int(self.tree.node[x, 2])
        seat, in_round, n = seat_of(head), round_of(head), n_actions(head)
        columns, base = self.layout.columns[in_round, seat], self.layout.base[in_round, seat]
        at = base + self.buckets(board if in_round else frozenset()) * columns + slot
        return self.strategy[at[:, None] + np.arange(n)]

    def value(self, me, best):
        """The winnings of ``me`` a hand, by the strategy or by the best response to it."""
        ones = {frozenset(flop): np.ones(len(self.holes)) for flop in self.flops}
        return sum(v.sum() for v in self._value(0, ones, me, best).values()) / self.deals

    def _value(self, x, reach, me, best):
        """{flop: value of each hole of mine, weighted by the opponent's reach on that flop}."""
        head = int(self.tree.node[x, 0])
        kind, seat, in_round, n = kind_of(head), seat_of(head), round_of(head), n_actions(head)
        if kind != DECISION:
            pot, put = int(self.tree.node[x, 1]), int(self.tree.node[x, 2])
            if kind == FOLDED:
                chips = pot - put if seat == me else put - pot
                return {f: chips * (self.sign[f][1] @ r) for f, r in reach.items()}
            return {f: put * (self.sign[f][0] @ r) for f, r in reach.items()}
        first = int(self.tree.node[x, 1])
        rows = {f: self.rows(x, f) for f in reach}
        branches = []
        for a in range(n):
            below = reach if seat == me else {f: r * rows[f][:, a] for f, r in reach.items()}
            branches.append(self._value(first + a, below, me, best))
        if seat != me:
            return {f: sum(v[f] for v in branches) for f in reach}
        if not best:
            return {f: sum(rows[f][:, a] * v[f] for a, v in enumerate(branches)) for f in reach}
        if in_round == 1:
            return {f: np.max([v[f] for v in branches], axis=0) for f in reach}
        # Before the flop one action for all flops: the best in total, put down flop by flop.
        total = np.array([sum(v.values()) for v in branches])
        choice = total.argmax(axis=0)
        return {f: np.choose(choice, [v[f] for v in branches]) for f in reach}
