"""The interface of subgame solvers: ``Problem`` → ``Solution``.

A solver is a module with the names of :class:`Solver`, and a row of
:data:`sixmax.search.searcher.SOLVERS`.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sixmax.base.jit import read_only
from sixmax.base.progress import Done
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run
from sixmax.cfr.packed_actions import Bits, bit_layout
from sixmax.continuation.mixed import MixedPlay
from sixmax.continuation.store import load
from sixmax.leaf_function.network import LeafFunction
from sixmax.ongoing.locate import Places
from sixmax.search.config import SearchConfig
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.result import Solution
from sixmax.search.solvers.first_round import FirstRound
from sixmax.search.subgame import Subgame, SubgameCards

Begin = Callable[[int], Done]  # called with the iterations of a search at its start


class EnoughError(Exception):
    """Raised by a :data:`Done`: the solver ends with the strategies that it has so far."""


ends_early = contextlib.suppress(EnoughError)  # around the iterations of a solver


def quiet(iterations: int) -> Done:
    """A :data:`Begin` that reports nothing."""
    return lambda n: None


def deadline(seconds: float) -> float:
    """The moment that lies so many ``seconds`` ahead, by the monotonic clock; 0: none ever."""
    return time.monotonic() + seconds if seconds else math.inf


class Iterative(Protocol):
    """A solver that goes on from where it is."""

    iterations: int  # done

    def run(self, iterations: int) -> None:
        """So many more."""


def run_until(solver: Iterative, iterations: int, until: float, progress: Done) -> None:
    """Run ``solver`` up to ``iterations``, or to the moment ``until``; ten, or one, at a time."""
    most = 10 if math.isinf(until) else 1
    with ends_early:
        while (step := min(most, iterations - solver.iterations)) > 0 and time.monotonic() < until:
            solver.run(step)
            progress(step)


class LeafGame(NamedTuple):
    """The game after the leaves: the blueprint's tree and the continuations on it."""

    tree: Tree
    bits: Bits  # the layout of a packed continuation
    packed: np.ndarray  # uint8[continuations, bytes]
    function: LeafFunction | None = None  # in the place of roll-outs
    places: Places | None = None  # of the tree, for the function and for the first round
    mixed: MixedPlay | None = None  # the continuations as ``limited`` rounds want them
    first_round: FirstRound | None = None  # values that are kept for searches before the flop


def leaf_game(run: Run, packed: np.ndarray | None = None) -> LeafGame:
    """The leaf game of ``run``, with the continuations ``packed`` or those in its folder."""
    packed = load(run)[1] if packed is None else packed
    return LeafGame(run.tree, bit_layout(run.tree, run.layout)[0], read_only(packed))


class Problem(NamedTuple):
    """A subgame to solve, with all the data that its solution depends on."""

    subgame: Subgame
    beliefs: np.ndarray  # float64[seats, holes] at the root, of folded seats too; zeros: uniform
    seed: int  # of all that the solver draws
    cards: SubgameCards
    frozen: Sequence[FrozenRow] = ()  # own earlier decisions, which stay as they were
    # Makes the first strategies of decisions of round 0: node and float64[holes, actions].
    warm_start: Callable[[], Iterable[tuple[int, np.ndarray]]] = tuple
    alternative: Alternative | None = None  # for safe solving, where its beliefs do not count
    leaf_values: LeafGame | None = None  # None for a subgame without leaves


class Solver(Protocol):
    """A module that solves subgames under a SearchConfig."""

    SAFE: bool  # whether it knows safe solving: others are given no alternative

    def takes(self, subgame: Subgame, config: SearchConfig) -> bool:
        """Whether this solver can solve ``subgame`` and is chosen for it under ``config``."""

    def solve(self, problem: Problem, config: SearchConfig, begin: Begin = quiet) -> Solution:
        """The solution. The same problem gives the same bits, unless ``config`` limits seconds."""
