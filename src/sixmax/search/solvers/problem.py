"""The interface of subgame solvers: ``Problem`` → ``Solution``.

A solver is a module with the names of :class:`Solver`. The table of solvers is
:mod:`sixmax.search.solvers.registry`; a new solver is one file and one row there.
"""

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from sixmax.base.jit import read_only
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout, entries
from sixmax.cfr.packed_actions import Bits, bit_layout
from sixmax.continuation.mixed import MixedPlay
from sixmax.continuation.stage import load
from sixmax.leaf_function.network import LeafFunction
from sixmax.ongoing.locate import Places
from sixmax.search.solvers.first_round import FirstRound
from sixmax.search.subgame import SubgameCards
from sixmax.search.warm_start import WarmStart

Progress = Callable[[int], None]  # called with the number of iterations done since
Begin = Callable[[int], Progress]  # called with the iterations of a search at its start
S = TypeVar("S")  # the subgame: search.subgame.Subgame, or solvers.exact_small.SmallSubgame


class EnoughError(Exception):
    """Raised by a :data:`Progress`: the solver ends with the strategies that it has so far.

    As a limit of seconds does, but from outside.
    """


class Iterative(Protocol):
    """A solver that goes on from where it is."""

    iterations: int  # done

    def run(self, iterations: int) -> None:
        """So many more."""


def deadline(seconds: float) -> float:
    """The moment that lies so many ``seconds`` ahead, by the monotonic clock; 0: none ever."""
    return time.monotonic() + seconds if seconds else math.inf


def run_until(solver: Iterative, iterations: int, until: float, progress: Progress) -> None:
    """Run ``solver`` up to ``iterations``, or to the moment ``until``; ten, or one, at a time."""
    most = 10 if math.isinf(until) else 1
    with ends_early:
        while (step := min(most, iterations - solver.iterations)) > 0 and time.monotonic() < until:
            solver.run(step)
            progress(step)


ends_early = contextlib.suppress(EnoughError)  # around the iterations of a solver


def quiet(iterations: int) -> Progress:
    """A :data:`Begin` that reports nothing."""
    return lambda n: None


class FrozenRow(NamedTuple):
    """A row that a solver may not change: an own earlier decision, for the hand held.

    node: of the subgame's tree, in its round 0; hole: hole_id of the hand held; row: float[actions]
    """

    node: int
    hole: int
    row: np.ndarray


class LeafGame(NamedTuple):
    """The game after the leaves: the blueprint's tree and the continuations on it.

    A ``function`` takes the place of roll-outs; it wants the ``places`` of the tree. Searches of
    ``limited`` rounds want the continuations as they are ``mixed``, and those before the flop the
    values that are kept of the ``first_round``.
    """

    tree: Tree
    bits: Bits  # the layout of a packed continuation
    packed: np.ndarray  # uint8[continuations, bytes]
    function: LeafFunction | None = None
    places: Places | None = None
    mixed: MixedPlay | None = None
    first_round: FirstRound | None = None


def leaf_game(run: Run, packed: np.ndarray | None = None) -> LeafGame:
    """The leaf game of ``run``.

    ``packed`` uint8[continuations, bytes] replaces the continuations in its folder.
    """
    packed = load(run) if packed is None else packed
    return LeafGame(run.tree, bit_layout(run.tree, run.layout)[0], read_only(packed))


class Alternative(NamedTuple):
    """The opponent's alternative to the subgame, for safe solving (:mod:`sixmax.cfr.gadget`).

    seat: the opponent's
    values: float64[holes], net chips of each of its hands outside of the subgame, gifts included
    gadget: a name of cfr.gadget.GADGETS
    """

    seat: int
    values: np.ndarray
    gadget: str = "resolve"


class Problem(NamedTuple, Generic[S]):
    """A subgame to solve, with all the data that its solution depends on.

    subgame: the tree, its layout and its leaves
    beliefs: float64[seats, holes] at the root; those of folded seats count for card removal, and a
        row of zeros means uniform. In small games float64[deals], joint, unnormalised.
    seed: of all that the solver draws
    cards: deck and buckets; None in small games
    frozen: own earlier decisions, which stay as they were
    warm_start: makes the first strategies of decisions of round 0
    alternative: the opponent's, for safe solving, where its beliefs do not count (in small games
        the joint ones must be without its reach); None: unsafe solving
    leaf_values: the values of leaves; None for a subgame without leaves
    """

    subgame: S
    beliefs: np.ndarray
    seed: int = 0
    cards: SubgameCards | None = None
    frozen: Sequence[FrozenRow] = ()
    warm_start: Callable[[], Iterable[WarmStart]] = tuple
    alternative: Alternative | None = None
    leaf_values: Any = None  # LeafGame; in small games by choices of the seats, see exact_small


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved subgame. Strategies are float64[layout.size], as cfr.policy.shares gives them.

    last: of the last iterate; average: over all iterations, by the weights of the method.
    ``layout`` covers round 0 at least; its buckets there are the holes. ``next_round`` computes
    :meth:`after`, where the solver has it.
    """

    layout: Layout
    last: np.ndarray
    average: np.ndarray
    iterations: int
    evaluate: Callable[[int, bool], np.ndarray]  # computes ``values_at``
    next_round: Callable[[int, int], tuple[Tree, "Solution"]] | None = None

    @functools.cached_property
    def values(self) -> np.ndarray:
        """``values_at`` the root, computed on first use: float64[seats, holes]."""
        return self.evaluate(0, False)

    def values_at(self, node: int, best: bool = False) -> np.ndarray:
        """Net chips of each seat with each hand at a decision of round 0: float64[seats, holes].

        All play ``average`` from there on; with ``best`` the seat responds best to it. Chips are
        net of the whole hand; the others hold hands by their beliefs and the way to ``node``, no
        card twice. NaN for hands that the board blocks or that cannot come there, for seats that
        folded before the root, for our own seat after safe solving, and for cases that a solver
        documents. A solver without these values raises ValueError.
        """
        return self.evaluate(node, best)

    def after(self, node: int, card: int) -> tuple[Tree, "Solution"]:
        """The same strategies from ``node`` on, where ``card`` is dealt and round 1 begins.

        Returns the tree from there, that round as 0, and the solution on it. Raises ValueError
        where the solver keeps no strategies of later rounds.
        """
        if self.next_round is None:
            raise ValueError("this solver keeps no strategies of later rounds")
        return self.next_round(node, card)


class Solver(Protocol):
    """A module that solves subgames; ``config`` is a SearchConfig, or a Plan in small games."""

    SAFE: bool  # whether it knows safe solving: others are given no alternative

    def takes(self, subgame: Any, config: Any) -> bool:
        """Whether this solver can solve ``subgame`` and is chosen for it under ``config``."""

    def solve(self, problem: Problem, config: Any, begin: Begin = quiet) -> Solution:
        """The solution. The same problem gives the same bits, unless ``config`` limits seconds."""


def refuse_alternative(problem: Problem, solver: str) -> None:
    """Raise ValueError if ``problem`` asks an unsafe ``solver`` for safe solving."""
    if problem.alternative is not None:
        raise ValueError(f"solver {solver}: found an alternative, wanted None: it is not safe")


def at_root(values: Callable[[], np.ndarray]) -> Callable[[int, bool], np.ndarray]:
    """``Solution.evaluate`` of a solver that has the values at the root alone, of all playing.

    ``values`` gives float64[seats, holes], as does the result. That raises ValueError for another
    node, and for a best response.
    """

    def evaluate(node: int, best: bool) -> np.ndarray:
        if node or best:
            raise ValueError(f"node {node}, best {best}: this solver has the root's values alone")
        return values()

    return evaluate


def strategy_at(tree: Tree, layout: Layout, strategy: np.ndarray, node: int) -> np.ndarray:
    """The rows of a Solution's ``strategy`` at a decision node: float64[buckets, actions].

    In the subgame's round 0 buckets are holes (hole_id). Raises ValueError for another node.
    """
    return strategy[entries(tree, layout, node)]
