"""Search in games small enough to be exact: leaf values in full, every subgame solved.

The proof of the search without samples. A subgame is a tree, a layout and payoffs, which the
full-width solver of :mod:`sixmax.cfr.full.solve` solves like any other game; at a leaf, what
follows is worth its exact expectation under the continuations that the players chose.
"""

import itertools
from typing import NamedTuple

import numpy as np

from sixmax.cfr.full.solve import LINEAR, Method, Solution, solve_field
from sixmax.cfr.full.sweep import Field, down
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.policy import rows
from sixmax.continuation.generate import bias, has_fold
from sixmax.game.tree import DECISION, LEAF, Tree
from sixmax.game.tree_cut import Cut, cut
from sixmax.jit import njit


class Plan(NamedTuple):
    """How to search. A subgame ends where a later round begins, or after so many actions."""

    iterations: int
    choices: int = 4  # continuation strategies at a leaf: the first so many of the four
    rounds: int = 1  # betting rounds of a subgame; as many as the game has: to its end
    actions: int = 1000  # actions of a subgame at most
    first: int = 0  # the round in which search begins; before it the blueprint plays
    method: Method = LINEAR
    # By round, the bucket of each lossless bucket in subgames whose root is in an earlier round;
    # empty: lossless everywhere.
    buckets: tuple[np.ndarray, ...] = ()


class ExactSearch(NamedTuple):
    """A subgame solved: ``solution`` lies on ``layout``, that of ``cut.tree``."""

    cut: Cut
    layout: Layout
    game: Field
    solution: Solution


class Search:
    """Search from any public state of a small game, which lies in ``game`` on ``tree``, ``where``.

    Its buckets are lossless (:func:`sixmax.cfr.full.sweep.field`), and ``blueprint`` is
    float64[where.size].
    """

    def __init__(self, tree: Tree, where: Layout, game: Field, blueprint: np.ndarray, plan: Plan):
        self.tree, self.layout, self.game = tree, where, game
        self.blueprint, self.plan = blueprint, plan
        self.bucket = _buckets(self.game, self.layout)
        self.worth = self._continuation_values()

    def nested(self) -> Solution:
        """What play is that searches at every root: strategies of the whole game.

        A new search begins where a round does, and where a subgame ended within its round.
        Beliefs at its root are those of the average strategy; ``last`` is what is played, or
        ``average``. Hands that cannot be there keep the blueprint's strategy.
        """
        found = Solution(self.blueprint.copy(), self.blueprint.copy())
        roots = [0] if self.plan.first == 0 else self._starts(self.plan.first)
        while roots:
            root = roots.pop(0)
            reach = self.reach(found.average, root)
            if reach.sum() > 0:
                self._adopt(self.search(root, reach), root, found)
            roots += self._next(root)
        return found

    def reach(self, strategy: np.ndarray, node: int) -> np.ndarray:
        """The probability of each deal together with the play to ``node``: float64[deals]."""
        shape = len(self.game.node), len(self.game.chance)
        others, own = np.empty(shape), np.empty(shape)
        down(self.game, strategy, 0, others, own)
        return others[node] * own[node]

    def search(self, root: int, reach: np.ndarray) -> ExactSearch:
        """Solve the subgame at ``root`` where deals are as likely as ``reach``, unnormalised."""
        made = cut(self.tree, root, lambda node: self._ends(root, node), self.plan.choices)
        live = np.flatnonzero(reach > 0)
        bucket = self.bucket.copy()
        for r in range(_round(self.tree, root) + 1, len(self.plan.buckets)):
            bucket[:, r] = self.plan.buckets[r][bucket[:, r]]
        where = layout(made.tree, [int(n) + 1 for n in bucket.max(axis=(0, 2))])
        offset = where.base.T[:, :, None] + bucket[:, :, live] * where.columns.T[:, :, None]
        chance = reach[live] / reach[live].sum()
        game = Field(made.tree.node, offset, self._payoffs(made, live), chance)
        plan = self.plan
        solved = solve_field(game, made.tree, where, plan.iterations, plan.method)
        return ExactSearch(made, where, game, solved[plan.iterations])

    def _payoffs(self, made: Cut, live: np.ndarray) -> np.ndarray:
        payoff = self.game.payoff[:, made.origin][:, :, live]
        for leaf in np.flatnonzero(made.tree.node[:, 0] & 15 == LEAF):
            worth = self.worth[tuple(np.maximum(made.chosen[leaf], 0).tolist())]
            payoff[:, leaf] = worth[:, made.origin[leaf]][:, live]
        return payoff

    def _continuation_values(self) -> dict[tuple[int, ...], np.ndarray]:
        """By the continuation of each seat: float64[seats, nodes, deals], chips."""
        plans = continuations(self.tree, self.layout, self.blueprint)
        seats, worth = self.tree.columns.shape[1], {}
        for chosen in itertools.product(range(self.plan.choices), repeat=seats):
            together = plans[0].copy()
            for seat, choice in enumerate(chosen):
                for r in range(len(self.layout.buckets)):
                    begin = self.layout.base[r, seat]
                    end = begin + self.layout.columns[r, seat] * self.layout.buckets[r]
                    together[begin:end] = plans[choice, begin:end]
            worth[chosen] = expected(self.game, together)
        return worth

    def _ends(self, root: int, node: int) -> bool:
        rounds = _round(self.tree, node) - _round(self.tree, root)
        return rounds >= self.plan.rounds or _actions(self.tree, root, node) >= self.plan.actions

    def _next(self, root: int) -> list[int]:
        """Where the next searches begin: as soon as the round ends, or the subgame within it."""
        here = _round(self.tree, root)
        ends = cut(self.tree, root, lambda x: _round(self.tree, x) > here or self._ends(root, x), 1)
        return list(ends.leaves)

    def _starts(self, first: int) -> list[int]:
        return list(cut(self.tree, 0, lambda x: _round(self.tree, x) >= first, 1).leaves)

    def _adopt(self, searched: ExactSearch, root: int, found: Solution) -> None:
        """Write the solution to the infosets of the root's round, of hands that may be there."""
        made, where, here = searched.cut, searched.layout, _round(self.tree, root)
        likely = self._possible(searched, here)
        for x in _own_nodes(made, self.tree, here):
            head, _, slot, _ = (int(n) for n in made.tree.node[x])
            seat, n = head >> 4 & 15, head >> 12 & 255
            old = int(self.tree.node[made.origin[x], 2])
            for b in likely[seat]:
                at = int(self.layout.base[here, seat] + b * self.layout.columns[here, seat]) + old
                new = int(where.base[here, seat] + b * where.columns[here, seat]) + slot
                for whole, part in zip(found, searched.solution, strict=True):
                    whole[at : at + n] = part[new : new + n]

    def _possible(self, searched: ExactSearch, here: int) -> list[np.ndarray]:
        """Buckets of round ``here`` that a seat may have, by seat."""
        offset, where = searched.game.offset[:, here], searched.layout
        width = np.maximum(where.columns[here], 1)
        return [
            np.unique((offset[seat] - where.base[here, seat]) // width[seat])
            if where.columns[here, seat]
            else np.empty(0, np.int64)
            for seat in range(len(offset))
        ]


def _own_nodes(made: Cut, tree: Tree, here: int) -> list[int]:
    """Decision nodes of round ``here`` that are no choice of a continuation."""
    head = made.tree.node[:, 0]
    decision = (head & 15 == DECISION) & (head >> 8 & 15 == here)
    leaves = set(made.leaves)
    return [int(x) for x in np.flatnonzero(decision) if int(made.origin[x]) not in leaves]


def _round(tree: Tree, node: int) -> int:
    return int(tree.node[node, 0]) >> 8 & 15


def _actions(tree: Tree, root: int, node: int) -> int:
    n = 0
    while node != root:
        node, n = int(tree.parent[node]), n + 1
    return n


def _buckets(game: Field, where: Layout) -> np.ndarray:
    """int64[seats, rounds, deals]; 0 where a seat never acts in the round."""
    columns = where.columns.T[:, :, None]
    return (game.offset - where.base.T[:, :, None]) // np.maximum(columns, 1)


def continuations(
    tree: Tree, layout: Layout, strategy: np.ndarray, factor: float = 5.0
) -> np.ndarray:
    """The blueprint ``strategy`` and its three biased forms: float64[4, layout.size]."""
    table = rows(tree)
    fold = has_fold(tree, table)
    rounds, seats = tree.columns.shape
    found = np.empty((4, layout.size))
    for r in range(rounds):
        for p in range(seats):
            here = slice(*table.start[r * seats + p : r * seats + p + 2])
            slabs = layout.base[r, p] + np.arange(layout.buckets[r]) * layout.columns[r, p]
            _bias_kernel(
                slabs, table.slot[here], table.n[here], fold[here], strategy, factor, found
            )
    return found


@njit
def _bias_kernel(slabs, slot, count, fold, strategy, factor, found):
    for c in range(found.shape[0]):
        for slab in slabs:
            for i in range(slot.size):
                at, n = slab + slot[i], np.int64(count[i])
                total = bias(strategy, at, n, True, fold[i], c, factor, found[c, at : at + n])
                for a in range(n):
                    found[c, at + a] /= total


def expected(game: Field, strategy: np.ndarray) -> np.ndarray:
    """What every node is worth to every seat in every deal: float64[seats, nodes, deals], chips."""
    value = game.payoff.copy()
    _expected_kernel(game.node, game.offset, strategy, value)
    return value


@njit
def _expected_kernel(node, offset, strategy, value):
    for x in range(len(node) - 1, -1, -1):
        head = node[x, 0]
        if head & 15 != DECISION:
            continue
        slab = offset[head >> 4 & 15, head >> 8 & 15]
        for me in range(value.shape[0]):
            for d in range(value.shape[2]):
                total = 0.0
                for a in range(head >> 12 & 255):
                    total += strategy[slab[d] + node[x, 2] + a] * value[me, node[x, 1] + a, d]
                value[me, x, d] = total
