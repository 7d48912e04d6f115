"""Search in small games, exactly: leaf values in full, every subgame solved.

It validates search without sampling noise. Full-width CFR solves a subgame like any other game. A
leaf is worth the exact expectation under the continuations that the players choose.
"""

import itertools
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import LEAF, Tree, is_decision, kind_of, n_actions, round_of, seat_of
from sixmax.betting.tree_cut import Cut, cut
from sixmax.cfr.full.solve import Strategies, solve_field
from sixmax.cfr.full.sweep import Field, down
from sixmax.cfr.layout import Layout, infoset, layout, section, slabs
from sixmax.cfr.methods import LINEAR, Method
from sixmax.continuation.generate import biased, probabilities

FACTOR = 5.0  # of the biased continuations, as in the supplement


class Plan(NamedTuple):
    """The settings of a search. A subgame ends with ``rounds`` rounds or ``actions`` actions."""

    iterations: int
    choices: int = 4  # continuations at a leaf: the first ``choices`` of the four
    rounds: int = 1  # betting rounds of a subgame at most
    actions: int = 1000  # actions of a subgame at most
    first: int = 0  # the round in which search begins; before it the blueprint plays
    method: Method = LINEAR
    # By round, the bucket of each lossless bucket, int64[buckets], in subgames whose root is in an
    # earlier round; empty: lossless everywhere.
    buckets: tuple[np.ndarray, ...] = ()


class ExactSearch(NamedTuple):
    """A solved subgame: ``strategies`` lie on ``layout``, that of ``cut.tree``."""

    cut: Cut
    layout: Layout
    game: Field
    strategies: Strategies


class Search:
    """Search from any public state of a small game.

    ``game`` lies on ``tree`` and ``layout`` with lossless buckets
    (:func:`sixmax.cfr.full.sweep.field`); ``blueprint`` is float64[layout.size].
    """

    def __init__(self, tree: Tree, layout: Layout, game: Field, blueprint: np.ndarray, plan: Plan):
        self.tree, self.layout, self.game = tree, layout, game
        self.blueprint, self.plan = blueprint, plan
        self.bucket = _buckets(self.game, self.layout)
        self.worth = self._continuation_values()

    def nested(self) -> Strategies:
        """The strategies of the whole game when every root is searched.

        A new search begins with each round, and at the end of a subgame within its round. The
        average gives the beliefs at its root. Impossible hands keep the blueprint's strategy.
        """
        strategies = Strategies(self.blueprint.copy(), self.blueprint.copy())
        tree, first, roots = self.tree, self.plan.first, [0]
        if first:
            roots = list(cut(tree, 0, lambda x: tree.round(x) >= first, 1).leaves)
        while roots:
            root = roots.pop(0)
            reach = self.reach(strategies.average, root)
            if reach.sum() > 0:
                self._adopt(self.search(root, reach), root, strategies)
            roots += self._next(root)
        return strategies

    def reach(self, strategy: np.ndarray, node: int) -> np.ndarray:
        """The probability of each deal together with the play to ``node``: float64[deals]."""
        others, own = np.empty((2, len(self.game.node), len(self.game.chance)))
        down(self.game, strategy, 0, others, own)
        return others[node] * own[node]

    def search(self, root: int, reach: np.ndarray) -> ExactSearch:
        """Solve the subgame at ``root`` with deals weighted by ``reach`` float64[deals]."""
        part = cut(self.tree, root, lambda node: self._ends(root, node), self.plan.choices)
        here, bucket = self.tree.round(root), self.bucket.copy()
        for r in range(here + 1, len(self.plan.buckets)):
            bucket[:, r] = self.plan.buckets[r][bucket[:, r]]
        part_layout = layout(part.tree, [int(n) + 1 for n in bucket.max(axis=(0, 2))])
        game = self._field(part, slabs(part_layout, bucket), reach)
        method, t = self.plan.method, self.plan.iterations
        solved = solve_field(game, part.tree, part_layout, t, method)[t]
        return ExactSearch(part, part_layout, game, solved)

    def _field(self, part: Cut, offset: np.ndarray, reach: np.ndarray) -> Field:
        """The subgame ``part`` with the values of its leaves, for the deals that reach it."""
        tree, live = part.tree, np.flatnonzero(reach > 0)
        payoff = np.take(self.game.payoff[:, part.origin], live, axis=2)
        for leaf in np.flatnonzero(kind_of(tree.node[:, 0]) == LEAF):
            worth = self.worth[tuple(np.maximum(part.chosen[leaf], 0).tolist())]
            payoff[:, leaf] = worth[:, part.origin[leaf]][:, live]
        chance = reach[live] / reach[live].sum()
        return Field(tree.node, np.take(offset, live, axis=2), payoff, chance)

    def _continuation_values(self) -> dict[tuple[int, ...], np.ndarray]:
        """By the continuation of each seat: float64[seats, nodes, deals], chips."""
        chosen_from = biased(self.blueprint, FACTOR)[: self.plan.choices]
        plans = probabilities(self.tree, self.layout, chosen_from)
        seats, worth = self.tree.columns.shape[1], {}
        for chosen in itertools.product(range(self.plan.choices), repeat=seats):
            together = plans[0].copy()
            for seat, choice in enumerate(chosen):
                for r in range(len(self.layout.buckets)):
                    own = section(self.layout, r, seat)
                    together[own] = plans[choice, own]
            worth[chosen] = expected(self.game, together)
        return worth

    def _ends(self, root: int, node: int) -> bool:
        rounds = self.tree.round(node) - self.tree.round(root)
        return rounds >= self.plan.rounds or len(self.tree.steps(node, root)) >= self.plan.actions

    def _next(self, root: int) -> list[int]:
        """The roots of the next searches: ends of the round, or of the subgame within it."""
        here = self.tree.round(root)
        ends = cut(self.tree, root, lambda x: self.tree.round(x) > here or self._ends(root, x), 1)
        return list(ends.leaves)

    def _adopt(self, searched: ExactSearch, root: int, strategies: Strategies) -> None:
        """Copy the solution to the infosets of the root's round, for all possible hands."""
        part, here, solved = searched.cut, self.tree.round(root), searched.strategies
        bucket, head = _buckets(searched.game, searched.layout)[:, here], part.tree.node[:, 0]
        decisions = np.flatnonzero(is_decision(head) & (round_of(head) == here))
        for x in decisions[~np.isin(part.origin[decisions], part.leaves)]:  # no choices at leaves
            slot, whole_slot = int(part.tree.node[x, 2]), int(self.tree.node[part.origin[x], 2])
            seat, n = seat_of(int(head[x])), n_actions(int(head[x]))
            for hand in np.unique(bucket[seat]):
                to = int(infoset(self.layout, here, seat, hand, whole_slot))
                at = int(infoset(searched.layout, here, seat, hand, slot))
                strategies.average[to : to + n] = solved.average[at : at + n]
                strategies.last[to : to + n] = solved.last[at : at + n]


def _buckets(game: Field, layout: Layout) -> np.ndarray:
    """int64[seats, rounds, deals]; 0 if a seat never acts in the round."""
    columns = layout.columns.T[:, :, None]
    return (game.offset - layout.base.T[:, :, None]) // np.maximum(columns, 1)


def expected(game: Field, strategy: np.ndarray) -> np.ndarray:
    """The value of every node to every seat in every deal: float64[seats, nodes, deals], chips."""
    value = game.payoff.copy()
    _expected_kernel(game.node, game.offset, strategy, value)
    return value


@njit
def _expected_kernel(node, offset, strategy, value):
    for x in range(len(node) - 1, -1, -1):
        head = node[x, 0]
        if not is_decision(head):
            continue
        slab = offset[seat_of(head), round_of(head)]
        for me in range(value.shape[0]):
            for d in range(value.shape[2]):
                total = 0.0
                for a in range(n_actions(head)):
                    total += strategy[slab[d] + node[x, 2] + a] * value[me, node[x, 1] + a, d]
                value[me, x, d] = total
