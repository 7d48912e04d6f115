"""A search: build the subgame, choose a solver, return the strategy."""

import functools

import numpy as np

from sixmax.abstraction.flop.store import FlopBuckets, of_board
from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.game.config import RoundSizes
from sixmax.game.tree import CHOICE, DECISION, Tree, find, kind_of, round_of
from sixmax.play.locate import Places, places
from sixmax.play.lookup import actions
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import FrozenAction, Play, Position, SearchResult
from sixmax.search.solvers import sampled
from sixmax.search.solvers.problem import (
    Begin,
    Cards,
    FrozenRow,
    Problem,
    Solution,
    Solver,
    leaf_game,
    quiet,
    strategy_at,
)
from sixmax.search.solvers.ranges import solver as ranges
from sixmax.search.subgame import Subgame, build
from sixmax.search.warm_start import warm_start

# The first solver that takes a subgame solves it.
SOLVERS: dict[str, Solver] = {"ranges": ranges, "sampled": sampled}


class SolvedSubgame(SearchResult):
    """A solution on its ``tree``.

    Agents play the last iterate, or with ``average`` the average strategy. Beliefs use the average
    strategy.
    """

    def __init__(self, tree: Tree, solution: Solution, average: bool = False):
        self.tree, self.solution, self.average = tree, solution, average

    def reaches(self, done: tuple[int, ...]) -> bool:
        try:
            find(self.tree, done)
        except UserError:
            return False
        return True

    def covers(self, done: tuple[int, ...]) -> bool:
        if not self.reaches(done):
            return False
        node = find(self.tree, done)
        head, first = (int(k) for k in self.tree.node[node, :2])
        if kind_of(head) != DECISION or round_of(head):
            return False
        return int(self.tree.action[first]) > CHOICE

    def play(self, done: tuple[int, ...]) -> Play:
        node, solution = find(self.tree, done), self.solution
        tables = solution.average if self.average else solution.last, solution.average
        rows = (strategy_at(self.tree, solution.layout, table, node) for table in tables)
        return Play(actions(self.tree, node), *rows)


class Searcher:
    """A search function for the hands of one run; holds the blueprint and its continuations."""

    def __init__(
        self,
        run: Run,
        policy: np.ndarray,
        config: SearchConfig,
        begin: Begin = quiet,
        packed: np.ndarray | None = None,
    ):
        """``policy`` is the blueprint's, uint8[layout.size]; ``packed`` replaces the continuations
        in the folder of the run."""
        self.run, self.policy, self.config, self.begin = run, policy, config, begin
        self.places: Places = places(run.game, run.tree)
        self.leaf_game = leaf_game(run, packed)

    def __call__(
        self, position: Position, frozen: tuple[FrozenAction, ...], seed: int
    ) -> SolvedSubgame:
        """Search ``position``; own decisions in ``frozen`` stay as they were."""
        run, config = self.run, self.config
        rounds = self._raises(position.state.round)
        buckets = config.buckets or int(run.buckets.counts.max())
        choices = len(self.leaf_game.packed)
        subgame = build(position.state, rounds, self.places, run.ranks, buckets, choices=choices)
        problem = Problem(
            subgame, position.beliefs, seed,
            Cards(run.ranks, run.buckets, self._later(subgame)),
            [_frozen_row(subgame, action) for action in frozen],
            functools.partial(warm_start, run, self.policy, self.places, subgame),
            leaf_values=self.leaf_game,
        )  # fmt: skip
        solver = next(s for s in SOLVERS.values() if s.takes(subgame, config))
        solution = solver.solve(problem, config, self.begin)
        return SolvedSubgame(subgame.tree, solution, config.average)

    def _raises(self, searched: int) -> list[RoundSizes]:
        """The raises of a subgame by round; ``searched`` has ``bets`` beside its first ones."""
        rounds, bets = list(self.config.rounds or self.run.game.rounds), self.config.bets
        if searched < len(bets) and bets[searched]:
            first, *others = rounds[searched].sizes
            more = {"sizes": [[*first, *bets[searched]], *(others or [first])]}
            rounds[searched] = rounds[searched].model_copy(update=more)
        return rounds

    def _later(self, subgame: Subgame) -> FlopBuckets | None:
        """The search's buckets of later rounds, made on first use; None: the blueprint's."""
        if len(subgame.tree.columns) == 1 or not self.config.buckets:
            return None
        return of_board(self.run.folder, subgame.state.board, self.config.buckets)


def _frozen_row(subgame: Subgame, frozen: FrozenAction) -> FrozenRow:
    """A frozen action at its node. Actions that were not offered have probability zero."""
    node = find(subgame.tree, frozen.before)
    offered = actions(subgame.tree, node)
    row = np.zeros(len(offered))
    for action, p in zip(frozen.offered, frozen.row, strict=True):
        row[offered.index(action)] += p
    return FrozenRow(node, frozen.hole, row)
