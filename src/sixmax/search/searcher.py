"""Search as the agent asks for it: build the subgame, choose a solver, say what every hand does."""

import time
from collections.abc import Callable

import numpy as np

from sixmax.abstraction.flop.store import FlopBuckets, of_board
from sixmax.blueprint.run import Run
from sixmax.cfr.full.solve import DCFR, LINEAR
from sixmax.cfr.layout import Layout
from sixmax.errors import UserError
from sixmax.game.rules import LEFT
from sixmax.game.tree import CHOICE, DECISION, Tree, find
from sixmax.play.locate import Places, places
from sixmax.play.lookup import actions
from sixmax.search.config import SearchConfig
from sixmax.search.hand import FrozenAction, Play, Position, SearchResult
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.later_buckets import later_buckets
from sixmax.search.solvers.ranges.solver import Solver
from sixmax.search.solvers.sampled import Effort, FrozenRow, ground, solve, strategy_at
from sixmax.search.subgame import Subgame, build
from sixmax.search.warm_start import warm_start

Told = Callable[[int], None]  # how many iterations more are done
Begin = Callable[[int], Told]  # a search of so many iterations begins


class SolvedSubgame(SearchResult):
    """A solved subgame: ``last`` is played, beliefs are updated with ``average``."""

    def __init__(self, tree: Tree, layout: Layout, last: np.ndarray, average: np.ndarray):
        self.tree, self.layout, self.last, self.average = tree, layout, last, average

    def covers(self, done: tuple[int, ...]) -> bool:
        try:
            node = find(self.tree, done)
        except UserError:
            return False
        head, first = (int(k) for k in self.tree.node[node, :2])
        if head & 15 != DECISION or head >> 8 & 15:
            return False
        return int(self.tree.action[first]) > CHOICE

    def play(self, done: tuple[int, ...]) -> Play:
        node = find(self.tree, done)
        rows = (strategy_at(self.tree, self.layout, t, node) for t in (self.last, self.average))
        return Play(actions(self.tree, node), *rows)


class Searcher:
    """Searches for the hands of one run. Opened once; holds the blueprint and its continuations."""

    def __init__(
        self,
        run: Run,
        policy: np.ndarray,
        config: SearchConfig,
        begin: Begin = lambda iterations: lambda n: None,
        packed: np.ndarray | None = None,
    ):
        """``policy`` is the blueprint's, uint8[layout.size]; ``packed`` are the run's continuations
        where they are not to be read from its folder."""
        self.run, self.policy, self.config, self.begin = run, policy, config, begin
        self.places: Places = places(run.game, run.tree)
        self.ground = ground(run, packed)

    def __call__(
        self, position: Position, frozen: tuple[FrozenAction, ...], seed: int
    ) -> SolvedSubgame:
        """Search ``position``; ``frozen`` are own decisions in it that stay as they were."""
        state, config = position.state, self.config
        rounds = config.rounds or self.run.game.rounds
        buckets = config.buckets or int(self.run.buckets.counts.max())
        subgame = build(state, rounds, self.places, self.run.ranks, buckets)
        held = [_held(subgame, one) for one in frozen]
        if two_to_the_end(subgame) and subgame.tree.decisions.sum() <= config.vector_nodes:
            return self._all_hands(subgame, position.beliefs, held, seed)
        solution = solve(
            subgame, position.beliefs, self.ground, self.effort(), seed, held,
            self._later(subgame), self.begin(config.iterations),
            warm_start(self.run, self.policy, self.places, subgame),
        )  # fmt: skip
        last, average = solution.last, solution.average
        if config.average:
            last = average
        return SolvedSubgame(subgame.tree, subgame.layout, last, average)

    def effort(self) -> Effort:
        """How long Monte Carlo CFR searches."""
        config = self.config
        return Effort(config.iterations, config.seconds, config.batch)

    def _later(self, subgame: Subgame) -> FlopBuckets | None:
        """Buckets of the later rounds, made first where they are missing; None: the blueprint's."""
        if len(subgame.tree.columns) == 1 or not self.config.buckets:
            return None
        return of_board(self.run.folder, subgame.state.board, self.config.buckets)

    def _all_hands(
        self, subgame: Subgame, beliefs: np.ndarray, held: list[FrozenRow], seed: int
    ) -> SolvedSubgame:
        """Two players to the end of the hand: all hands at once, boards drawn before the river."""
        tree, state, config, run = subgame.tree, subgame.state, self.config, self.run
        left = [p for p in range(len(beliefs)) if tree.columns[:, p].any()]
        river = len(tree.columns) == 1
        later = () if river else later_buckets(
            state.board, run.buckets, run.ranks, self._later(subgame)
        )  # fmt: skip
        game = endgame(tree, state.board, beliefs[left], later, run.ranks)
        frozen = {(one.node, one.hole): one.row for one in held}
        sample = (config.vector_boards,) * (len(tree.columns) - 1)
        # ASSUME the paper has Linear CFR. We play the last iterate, and on the river, where nothing
        # is sampled, Linear CFR's is 5 to 50 % of the pot exploitable, that of DCFR as its average.
        method = DCFR if river else LINEAR
        solver = Solver(game, method, sample, seed, frozen)
        iterations = config.vector_iterations if river else config.board_iterations
        told, until = self.begin(iterations), time.monotonic() + (config.seconds or np.inf)
        while solver.iterations < iterations and time.monotonic() < until:
            step = min(10, iterations - solver.iterations)
            solver.run(step)
            told(step)
        average = solver.strategy()
        last = average if config.average else solver.strategy(last=True)
        return SolvedSubgame(tree, game.layout, last, average)


def two_to_the_end(subgame: Subgame) -> bool:
    """Whether the solver of all hands at once has an answer: from the flop on, where two players
    are left (who is all-in is one of them), nobody leaves the tree, and five cards are dealt."""
    board, rounds = len(subgame.state.board), len(subgame.tree.columns)
    two = int(subgame.state.root[LEFT]) == 2
    return two and board >= 3 and board + rounds == 6 and subgame.to_the_end


def _held(subgame: Subgame, one: FrozenAction) -> FrozenRow:
    """A frozen decision at its node. What the node offers beyond it has probability zero."""
    node = find(subgame.tree, one.before)
    offered = actions(subgame.tree, node)
    row = np.zeros(len(offered))
    for action, p in zip(one.offered, one.row, strict=True):
        row[offered.index(action)] += p
    return FrozenRow(node, one.hole, row)
