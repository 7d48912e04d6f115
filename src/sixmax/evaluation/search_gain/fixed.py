"""A policy in the place of a search, so that its gain is measured in the same way."""

import numpy as np

from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.ongoing.hand import Play, blueprint_buckets, blueprint_rows
from sixmax.search.result import FrozenAction, Position, SearchFunction, SearchResult


class FixedStrategy(SearchResult):
    """The strategy of a ``policy`` uint8[layout.size] of ``run`` in a round.

    The round begins with ``board`` int8[cards], after the actions ``before`` of the run's tree.
    """

    def __init__(self, run: Run, policy: np.ndarray, board: np.ndarray, before: tuple[int, ...]):
        self._run, self._policy, self._before = run, policy, before
        self._bucket = blueprint_buckets(run, board)

    def covers(self, done: tuple[int, ...]) -> bool:
        try:
            self._run.tree.find(self._before + done)
        except UserError:
            return False
        return True

    def play(self, done: tuple[int, ...]) -> Play:
        node = self._run.tree.find(self._before + done)
        rows = blueprint_rows(self._run, self._policy, node, self._bucket)
        return Play(self._run.tree.offered(node), rows, rows)


def fixed(run: Run, policy: np.ndarray) -> SearchFunction:
    """A search function whose every answer is ``policy`` uint8[layout.size].

    Nobody leaves the run's tree.
    """

    def answer(position: Position, frozen: tuple[FrozenAction, ...], seed: int) -> FixedStrategy:
        return FixedStrategy(run, policy, position.state.board, position.state.before)

    return answer
