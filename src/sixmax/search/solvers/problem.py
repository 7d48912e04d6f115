"""What every subgame solver takes and gives: ``Problem`` → ``Solution``.

A solver is a module with the two functions of :class:`Solver`. The table of solvers is in
:mod:`sixmax.search.searcher`: a new solver is one file, and one row there.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import Bits
from sixmax.continuation.compress import bit_layout
from sixmax.continuation.stage import load
from sixmax.game.tree import DECISION, Tree, kind_of, n_actions, round_of, seat_of
from sixmax.search.warm_start import WarmStart

Progress = Callable[[int], None]  # is told how many more iterations are done
Begin = Callable[[int], Progress]  # is called with the iterations of a search that begins
S = TypeVar("S")  # the subgame: search.subgame.Subgame, or solvers.exact_small.SmallSubgame


def quiet(iterations: int) -> Progress:
    """A :data:`Begin` that reports nothing."""
    return lambda n: None


class FrozenRow(NamedTuple):
    """An own action that was taken already: the row of the hand held at one node stays as it is.

    node: of the subgame's tree, in its round 0; hole: hole_id of the hand held; row: float[actions]
    """

    node: int
    hole: int
    row: np.ndarray


class Cards(NamedTuple):
    """The deck, and the buckets of the rounds after the current one."""

    ranks: int
    buckets: Buckets  # the blueprint's
    later: FlopBuckets | None = None  # the search's own, from one flop on; None: the blueprint's


class LeafGame(NamedTuple):
    """The game that goes on beyond the leaves: the blueprint's tree and the continuations on it."""

    tree: Tree
    bits: Bits  # where the actions of a continuation lie
    packed: np.ndarray  # uint8[continuations, bytes]


def leaf_game(run: Run, packed: np.ndarray | None = None) -> LeafGame:
    """That of ``run``; ``packed`` are its continuations where they are not read from its folder."""
    packed = load(run) if packed is None else packed
    return LeafGame(run.tree, bit_layout(run.tree, run.layout)[0], packed)


class Problem(NamedTuple, Generic[S]):
    """A subgame to solve, and all that shapes its solution.

    subgame: the tree, its layout and its leaves
    beliefs: float64[seats, holes] at the root; those of folded seats count for card removal, and a
        row of zeros means uniform. In small games float64[deals], joint, unnormalised.
    seed: of all that the solver draws
    cards: deck and buckets; None in small games
    frozen: own actions that stay as they were
    warm_start: gives the first strategies of decisions of round 0 when a solver asks for them
    opponent_values: float64[holes], chips: what the opponent has by not entering the subgame (safe
        solving); None: unsafe solving
    leaf_values: what the leaves are worth; None where the subgame has none
    """

    subgame: S
    beliefs: np.ndarray
    seed: int = 0
    cards: Cards | None = None
    frozen: Sequence[FrozenRow] = ()
    warm_start: Callable[[], Iterable[WarmStart]] = tuple
    opponent_values: np.ndarray | None = None
    leaf_values: Any = None  # LeafGame; in small games by choices of the seats, see exact_small


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved subgame. Strategies are float64[layout.size], as cfr.policy.shares gives them.

    last: of the last iterate; average: over all iterations, by the weights of the method.
    ``layout`` covers round 0 at least; its buckets there are the holes.
    """

    layout: Layout
    last: np.ndarray
    average: np.ndarray
    iterations: int
    evaluate: Callable[[], np.ndarray]  # computes ``values``

    @functools.cached_property
    def values(self) -> np.ndarray:
        """Net chips of each seat with each hand when all play ``average``: float64[seats, holes].

        Chips are net of the whole hand, at the root; the others hold what the beliefs say of them,
        no card twice. Computed when first asked for. NaN for hands that the board blocks, for seats
        that folded before the root, and where a solver documents that it cannot tell.
        """
        return self.evaluate()


class Solver(Protocol):
    """A module that solves subgames; ``config`` is a SearchConfig, or a Plan in small games."""

    def takes(self, subgame: Any, config: Any) -> bool:
        """Whether it can solve ``subgame``, and is the one to solve it under ``config``."""

    def solve(self, problem: Problem, config: Any, begin: Begin = quiet) -> Solution:
        """The solution. The same problem gives the same bits, unless ``config`` limits seconds."""


def refuse_opponent_values(problem: Problem, solver: str) -> None:
    """Raise ValueError where ``problem`` asks a ``solver`` of unsafe solving for a safe one."""
    if problem.opponent_values is not None:
        raise ValueError(f"solver {solver}: found opponent_values, wanted None: it is not safe")


def strategy_at(tree: Tree, layout: Layout, strategy: np.ndarray, node: int) -> np.ndarray:
    """The rows of all buckets at a decision node: float64[buckets, actions] of a Solution's
    strategy. In the subgame's round 0 buckets are holes (hole_id)."""
    return strategy[entries(tree, layout, node)]


def entries(tree: Tree, layout: Layout, node: int) -> np.ndarray:
    """Where the rows of all buckets at a decision lie: int64[buckets, actions].

    Raises ValueError where ``node`` is no decision.
    """
    head = int(tree.node[node, 0])
    if kind_of(head) != DECISION:
        raise ValueError(f"node {node}: no decision")
    in_round, seat, n = round_of(head), seat_of(head), n_actions(head)
    bucket = np.arange(layout.buckets[in_round])[:, None]
    return infoset(layout, in_round, seat, bucket, tree.node[node, 2]) + np.arange(n)
