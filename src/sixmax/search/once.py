"""Searches that several players of one table ask for, made once.

A search knows no private hand, so all who search find the same at a position, until one of them
has something frozen there. Five searchers cost little more than one, and a deal that is played
again from other seats little more than once.
"""

import time

from sixmax.search.hand import Frozen, Position, Searched, Searcher


class Once:
    """A searcher that solves a position once; ``searches`` and ``seconds`` count what it solved."""

    def __init__(self, searcher: Searcher):
        self._searcher, self._found = searcher, {}
        self._seed: int | None = None
        self.searches, self.seconds = 0, 0.0

    def begin(self, seed: int) -> None:
        """A hand begins whose players draw from ``seed``: drop what was found with another."""
        if seed != self._seed:
            self.forget()
        self._seed = seed

    def forget(self) -> None:
        """Drop what was found: the next hand has other positions."""
        self._found.clear()

    def __call__(self, position: Position, frozen: tuple[Frozen, ...], seed: int) -> Searched:
        state = position.state
        key = (state.root.tobytes(), state.board.tobytes(), state.before, state.taken, seed)
        key += (position.beliefs.tobytes(), *((*one[:3], one.row.tobytes()) for one in frozen))
        if key not in self._found:
            begun = time.perf_counter()
            self._found[key] = self._searcher(position, frozen, seed)
            self.seconds += time.perf_counter() - begun
            self.searches += 1
        return self._found[key]
