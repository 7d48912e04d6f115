"""CFR of a flop game in whole arrays of holes on all boards; the players learn in turn."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.betting.tree import is_decision, n_actions, round_of
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import DCFR, Method
from sixmax.cfr.regret import matched
from sixmax.evaluation.exploitability.boards import gathered, spread, summed
from sixmax.studies.flop_games.game import FlopGame, ratio
from sixmax.studies.libratus.blueprint import Blueprint


class _Means:
    """Sums of values, and of the weight of the other's hands that they are against."""

    def __init__(self, *shape: int):
        self.value, self.left = np.zeros(shape), np.zeros(shape)

    def add(self, at: tuple[int, int], weight: float, value: np.ndarray, left: np.ndarray) -> None:
        self.value[at] += weight * value
        self.left[at] += weight * left

    def mean(self) -> np.ndarray:
        return ratio(self.value, self.left)


class _Node(NamedTuple):
    """The tables of a decision, by class or by bucket: float64[buckets, actions]."""

    regret: np.ndarray
    total: np.ndarray


class Learner:
    """Regrets and sums of strategies of both seats, and the walks that learn."""

    def __init__(self, game: FlopGame, bucket: np.ndarray, method: Method):
        self.game, self.method, tree = game, method, game.tree
        own = [b.bucket for b in game.cards.boards[:-1]]  # every hand has its own
        self.bucket = [*own, bucket]
        self.number = [int(b.max()) + 1 for b in self.bucket]
        self.apart = [bool((b.ravel() == np.arange(b.size)).all()) for b in self.bucket]
        # By round the probability of each board and a pair of holes.
        self.weight = [game.cards.boards[0].weight]
        for later in game.cards.boards[1:]:
            follow = len(later.weight) // len(self.weight[-1])
            self.weight.append(np.repeat(self.weight[-1], follow) * later.weight)
        free = (summed(np.ones(b.bucket.shape), b, False) > 0 for b in game.cards.boards)
        self.free, self.nodes = list(free), {}
        classes, roots = len(game.cards.share), len(game.roots)
        for x in tree.decision_nodes():
            head = int(tree.node[x, 0])
            shape = (classes, *self.number)[round_of(head)], n_actions(head)
            self.nodes[int(x)] = _Node(np.zeros(shape), np.zeros(shape))
        self.root = {x: i for i, x in enumerate(game.roots)}
        self.by_class = _Means(2, len(tree.node), classes)
        flops = len(tree.node) if game.last > 1 else 0
        self.by_flop = _Means(2, flops, *self.bucket[0].shape)
        self.by_hole = _Means(2, roots, *bucket.shape)
        # A walk of exact values reads no strategy at terminals: they are all that it is used for.
        self.ends = game.walk(np.zeros(0), 0)

    def run(self, t: int) -> None:
        """Iteration ``t``, counted from 1."""
        for me in (0, 1):
            self.me, self.keep, self.share = me, self.method.keeps(t), self.method.weight(t)
            self.ends = self.ends._replace(me=me)
            ones = np.ones(len(self.game.cards.share))
            self._preflop(0, ones, ones)

    def _preflop(self, x: int, reach: np.ndarray, own: np.ndarray) -> np.ndarray:
        """My values of a node by class, where the other comes with ``reach``: float64[classes]."""
        head = int(self.game.tree.node[x, 0])
        if not is_decision(head):
            value = self.ends.preflop(x, reach)[0]
        elif round_of(head) == 0:
            value = self._decide(x, reach, own, self._preflop, 0)
        else:
            value = self._see_flop(x, reach, own)
        self.by_class.add((self.me, x), self.share, value, self.game.cards.share @ reach)
        return value

    def _see_flop(self, x: int, reach: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The same of a root: the means over flops, gathered by class."""
        of_hole, flops = self.game.cards.of_hole, self.game.cards.boards[0]
        held = np.tile(reach[of_hole], (len(flops.weight), 1))
        value = self._board(x, held, np.where(self.free[0], own[of_hole], 0.0), 1)
        return np.bincount(of_hole, flops.weight @ value, len(reach))

    def _board(self, x: int, reach: np.ndarray, own: np.ndarray, at: int) -> np.ndarray:
        """The same by hole on each board of round ``at``: float64[B, H]."""
        head, dealt = int(self.game.tree.node[x, 0]), self.game.cards.boards[at - 1 :]
        if not is_decision(head):
            value = self.ends.board(x, reach, dealt)[0]
        elif round_of(head) > at:
            held, mine = (spread(each, dealt[1]) for each in (reach, own))
            value = self._board(x, held, np.where(self.free[at], mine, 0.0), at + 1)
            value = gathered(value, dealt[1], len(reach))
        else:
            value = self._decide(x, reach, own, lambda y, r, o: self._board(y, r, o, at), at)
            if at == self.game.last and x in self.root:
                left = summed(reach, dealt[0], False)
                self.by_hole.add((self.me, self.root[x]), self.share, value, left)
        if at < self.game.last:
            left = summed(reach, dealt[0], False)
            self.by_flop.add((self.me, x), self.share, value, left)
        return value

    def _decide(
        self, x: int, reach: np.ndarray, own: np.ndarray, walk: Callable, at: int
    ) -> np.ndarray:
        node = self.nodes[x]
        shares, below = matched(node.regret), self.game.tree.children(x)
        rows = shares[self.bucket[at - 1]] if at else shares
        if self.game.tree.seat(x) != self.me:
            return sum(walk(y, reach * rows[..., a], own) for a, y in enumerate(below))
        each = [walk(y, reach, own * rows[..., a]) for a, y in enumerate(below)]
        values = np.stack(each, axis=-1)
        mean = (rows * values).sum(axis=-1)
        gain, reached = values - mean[..., None], own
        if at:
            gain, reached = self._by_bucket(gain, at), self._by_bucket(own[..., None], at)[:, 0]
        new = node.regret + gain
        node.regret[:] = new * np.where(new > 0, *self.keep)
        node.total[:] += self.share * reached[:, None] * shares
        return mean

    def _by_bucket(self, values: np.ndarray, at: int) -> np.ndarray:
        """``values`` float64[B, H, n] added up over the hands of each bucket, boards weighed."""
        bucket, number = self.bucket[at - 1].ravel(), self.number[at - 1]
        weighed = (values * self.weight[at - 1][:, None, None]).reshape(len(bucket), -1)
        if self.apart[at - 1]:
            return weighed
        columns = [np.bincount(bucket, column, number) for column in weighed.T]
        return np.stack(columns, axis=-1)

    def blueprint(self) -> Blueprint:
        """The average strategy in the whole game, and the mean values."""
        game, whole = self.game, np.empty(self.game.layout.size)
        for x, node in self.nodes.items():
            rows, in_round = matched(node.total), game.tree.round(x)
            rows = rows[self.bucket[in_round - 1].ravel()] if in_round else rows
            whole[entries(game.tree, game.layout, x)] = rows
        means = (each.mean() for each in (self.by_class, self.by_flop, self.by_hole))
        return Blueprint(whole, *means)


def solve(
    game: FlopGame, bucket: np.ndarray | None, iterations: int, method: Method = DCFR
) -> Blueprint:
    """The blueprint with ``bucket`` int[B, H] on the last boards; None: each hand has its own."""
    if bucket is None:
        bucket = np.arange(len(game.board) * len(game.cards.of_hole)).reshape(len(game.board), -1)
    learner = Learner(game, bucket, method)
    for t in range(1, iterations + 1):
        learner.run(t)
    return learner.blueprint()
