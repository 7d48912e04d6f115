"""Search in small games, exactly: leaf values in full, every subgame solved.

It validates search without sampling noise. A subgame is a tree, a layout and payoffs, which the
full-width solver of :mod:`sixmax.cfr.full.solve` solves like any other game. A leaf is worth the
exact expectation under the continuations that the players choose.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.leaf_choices import ALL_SEATS
from sixmax.betting.tree import LEAF, Tree, is_decision, kind_of, n_actions, round_of, seat_of
from sixmax.betting.tree_cut import Cut, cut
from sixmax.cfr.full.solve import Entry, Strategies, solve_field
from sixmax.cfr.full.sweep import Field, down, up
from sixmax.cfr.gadget import gadget
from sixmax.cfr.layout import Layout, infoset, layout, section, slabs
from sixmax.cfr.methods import LINEAR, Method
from sixmax.continuation.generate import biased, probabilities
from sixmax.search.solvers.problem import Begin, Problem, Solution, quiet

FACTOR = 5.0  # of the biased continuations, as in the supplement


class Plan(NamedTuple):
    """The settings of a search. A subgame ends with ``rounds`` rounds or ``actions`` actions."""

    iterations: int
    choices: int = 4  # continuations at a leaf: the first ``choices`` of the four
    choosers: int = ALL_SEATS  # bit mask of the seats that choose; others play the first
    rounds: int = 1  # betting rounds of a subgame at most
    actions: int = 1000  # actions of a subgame at most
    first: int = 0  # the round in which search begins; before it the blueprint plays
    method: Method = LINEAR
    # By round, the bucket of each lossless bucket, int64[buckets], in subgames whose root is in an
    # earlier round; empty: lossless everywhere.
    buckets: tuple[np.ndarray, ...] = ()


class SmallSubgame(NamedTuple):
    """A subgame of a small game. A hand is the lossless bucket of the round in which it begins.

    layout: that of ``cut.tree``, by the plan's buckets
    offset: int64[seats, rounds, deals] where the slab of the seat's bucket begins
    payoff: float64[seats, nodes, deals] of the whole game, at the nodes of ``cut.tree``
    hand: int64[seats, deals] the hand of each seat
    """

    cut: Cut
    layout: Layout
    offset: np.ndarray
    payoff: np.ndarray
    hand: np.ndarray


class ExactSearch(NamedTuple):
    """A solved subgame: ``solution`` lies on ``layout``, that of ``cut.tree``."""

    cut: Cut
    layout: Layout
    game: Field
    solution: Solution


def takes(subgame: object, plan: Plan) -> bool:
    """Subgames of small games, and no others."""
    return isinstance(subgame, SmallSubgame)


def solve(problem: Problem[SmallSubgame], plan: Plan, begin: Begin = quiet) -> Solution:
    """Solve by the full-width ``plan.method``; ``values`` are exact, NaN for hands of no deal.

    ``problem.leaf_values`` has the values of leaves by the continuation of each seat:
    {(choice, …): float64[seats, nodes of the whole tree, deals]}, chips.
    """
    subgame, game = problem.subgame, field_of(problem)
    hand = subgame.hand[:, problem.beliefs > 0]
    tree, progress = subgame.cut.tree, begin(plan.iterations)
    entry, safe = None, problem.alternative
    if safe is not None:
        left = np.bincount(hand[safe.seat], game.chance, len(safe.values))
        entry = Entry(gadget(safe.gadget, safe.seat, safe.values, left), hand[safe.seat])
    result = solve_field(game, tree, subgame.layout, plan.iterations, plan.method, entry=entry)[
        plan.iterations
    ]
    progress(plan.iterations)
    seats = range(len(hand)) if safe is None else [safe.seat]
    evaluate = functools.partial(_hand_values, game, hand, seats, result.average)
    return Solution(subgame.layout, result.last, result.average, plan.iterations, evaluate)


def field_of(problem: Problem[SmallSubgame]) -> Field:
    """The subgame with the values of its leaves, for the deals that its beliefs allow."""
    subgame, reach = problem.subgame, problem.beliefs
    tree, origin, live = subgame.cut.tree, subgame.cut.origin, np.flatnonzero(reach > 0)
    payoff = np.take(subgame.payoff, live, axis=2)
    for leaf in np.flatnonzero(kind_of(tree.node[:, 0]) == LEAF):
        worth = problem.leaf_values[tuple(np.maximum(subgame.cut.chosen[leaf], 0).tolist())]
        payoff[:, leaf] = worth[:, origin[leaf]][:, live]
    chance = reach[live] / reach[live].sum()
    return Field(tree.node, np.take(subgame.offset, live, axis=2), payoff, chance)


def _hand_values(
    game: Field, hand: np.ndarray, seats: Sequence[int], strategy: np.ndarray, node: int, best: bool
) -> np.ndarray:
    """``values_at`` of a Solution for ``seats``, NaN for the others: float64[seats, hands]."""
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    values = np.full((len(hand), int(hand.max()) + 1), np.nan)
    for p in seats:
        played = strategy.copy()  # a best response overwrites it
        down(game, played, p, others, own)
        up(game, played, p, best, others, value, np.zeros(strategy.size))
        weight = np.bincount(hand[p], others[node], values.shape[1])
        with np.errstate(invalid="ignore"):
            values[p] = np.bincount(hand[p], value[node], values.shape[1]) / weight
    return values


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
        average strategy gives the beliefs at its root. Agents play ``last`` or ``average``.
        Impossible hands keep the blueprint's strategy.
        """
        strategies = Strategies(self.blueprint.copy(), self.blueprint.copy())
        roots = [0] if self.plan.first == 0 else self._starts(self.plan.first)
        while roots:
            root = roots.pop(0)
            reach = self.reach(strategies.average, root)
            if reach.sum() > 0:
                self._adopt(self.search(root, reach), root, strategies)
            roots += self._next(root)
        return strategies

    def reach(self, strategy: np.ndarray, node: int) -> np.ndarray:
        """The probability of each deal together with the play to ``node``: float64[deals].

        ``strategy`` is float64[layout.size].
        """
        shape = len(self.game.node), len(self.game.chance)
        others, own = np.empty(shape), np.empty(shape)
        down(self.game, strategy, 0, others, own)
        return others[node] * own[node]

    def search(self, root: int, reach: np.ndarray) -> ExactSearch:
        """Solve the subgame at ``root`` with deals weighted by ``reach`` float64[deals]."""
        part = cut(self.tree, root, lambda node: self._ends(root, node), *self._choices())
        here, bucket = _round(self.tree, root), self.bucket.copy()
        for r in range(here + 1, len(self.plan.buckets)):
            bucket[:, r] = self.plan.buckets[r][bucket[:, r]]
        part_layout = layout(part.tree, [int(n) + 1 for n in bucket.max(axis=(0, 2))])
        offset = slabs(part_layout, bucket)
        payoff = self.game.payoff[:, part.origin]
        subgame = SmallSubgame(part, part_layout, offset, payoff, self.bucket[:, here])
        problem = Problem(subgame, reach, leaf_values=self.worth)
        return ExactSearch(part, part_layout, field_of(problem), solve(problem, self.plan))

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

    def _choices(self) -> tuple[int, int]:
        return self.plan.choices, self.plan.choosers

    def _ends(self, root: int, node: int) -> bool:
        rounds = _round(self.tree, node) - _round(self.tree, root)
        return rounds >= self.plan.rounds or _actions(self.tree, root, node) >= self.plan.actions

    def _next(self, root: int) -> list[int]:
        """The roots of the next searches: ends of the round, or of the subgame within it."""
        here = _round(self.tree, root)
        ends = cut(self.tree, root, lambda x: _round(self.tree, x) > here or self._ends(root, x), 1)
        return list(ends.leaves)

    def _starts(self, first: int) -> list[int]:
        return list(cut(self.tree, 0, lambda x: _round(self.tree, x) >= first, 1).leaves)

    def _adopt(self, searched: ExactSearch, root: int, strategies: Strategies) -> None:
        """Copy the solution to the infosets of the root's round, for all possible hands."""
        part, here, solution = searched.cut, _round(self.tree, root), searched.solution
        possible = self._possible(searched, here)
        for x in _own_nodes(part, self.tree, here):
            head, _, slot, _ = (int(n) for n in part.tree.node[x])
            seat, n = seat_of(head), n_actions(head)
            whole_slot = int(self.tree.node[part.origin[x], 2])
            for bucket in possible[seat]:
                to = int(infoset(self.layout, here, seat, bucket, whole_slot))
                at = int(infoset(searched.layout, here, seat, bucket, slot))
                for whole, solved in zip(
                    strategies, (solution.average, solution.last), strict=True
                ):
                    whole[to : to + n] = solved[at : at + n]

    def _possible(self, searched: ExactSearch, here: int) -> list[Sequence[int]]:
        """Buckets of round ``here`` that a seat may have, by seat."""
        bucket = _buckets(searched.game, searched.layout)[:, here]
        acts = searched.layout.columns[here] > 0
        return [np.unique(bucket[seat]) if acts[seat] else [] for seat in range(len(bucket))]


def _own_nodes(part: Cut, tree: Tree, here: int) -> list[int]:
    """Decision nodes of round ``here`` that are no choice of a continuation."""
    head = part.tree.node[:, 0]
    decision = is_decision(head) & (round_of(head) == here)
    leaves = set(part.leaves)
    return [int(x) for x in np.flatnonzero(decision) if int(part.origin[x]) not in leaves]


def _round(tree: Tree, node: int) -> int:
    return tree.round(node)


def _actions(tree: Tree, root: int, node: int) -> int:
    n = 0
    while node != root:
        node, n = int(tree.parent[node]), n + 1
    return n


def _buckets(game: Field, layout: Layout) -> np.ndarray:
    """int64[seats, rounds, deals]; 0 if a seat never acts in the round."""
    columns = layout.columns.T[:, :, None]
    return (game.offset - layout.base.T[:, :, None]) // np.maximum(columns, 1)


def expected(game: Field, strategy: np.ndarray) -> np.ndarray:
    """The value of every node to every seat in every deal: float64[seats, nodes, deals], chips.

    ``strategy`` is float64[layout.size].
    """
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
