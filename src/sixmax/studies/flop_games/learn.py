"""A flop game, or a subgame of it from before the flop on, on the engine of ranges.

Before the flop hands of a class share rows; the flops are those of the game. Every deal counts in
each iteration.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.betting.tree_cut import Cut, cut
from sixmax.cards.deck import classes, hole_cards, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.ranges.boards import SAME, Flops, Suits, renamed_holes, walked
from sixmax.search.solvers.ranges.game import endgame, rows_on
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.tree_parts import NODE
from sixmax.studies.flop_games.game import FlopGame


class FlopLearner(NamedTuple):
    """A flop game from a node before the flop on, and its solver."""

    game: FlopGame
    part: Cut  # from that node on
    solver: RangeSolver

    def run(self, iterations: int, spread: float = 0.0, progress: Done = quiet) -> "FlopLearner":
        """So many more, by :meth:`RangeSolver.run`. Calls ``progress`` with iterations done."""
        for _ in range(iterations):
            self.solver.run(1, spread)
            progress(1)
        return self

    def write(self, strategy: np.ndarray) -> None:
        """Write the average to ``strategy`` float64[layout.size] of the game."""
        game, of, total = self.game, self.solver.game, self.solver.total
        holes = game.cards.of_hole
        for row in of.public.decisions:
            local = int(row[NODE])
            node, r = int(self.part.origin[local]), self.part.tree.round(local)
            at = entries(game.tree, game.layout, node)
            strategy[at] = 1 / at.shape[1]
            if r == 0:
                hole, rows = rows_on(of, total, row, 0)
                strategy[at[holes[hole]]] = rows
                continue
            for b, (place, suits) in enumerate(self.places(r)):
                hole, rows = rows_on(of, total, row, place)
                hole = renamed_holes(hole_cards(game.ranks)[hole], suits)
                strategy[at[game.cards.boards[r - 1].bucket[b, hole]]] = rows

    def places(self, r: int) -> list[tuple[int, Suits]]:
        """The place of each board of round ``r``, and the suits that lead from it to the board."""
        of, game = self.solver.game, self.game
        first, flops = int(of.boards.first[r]), len(game.flops)
        if r == 1:
            return [(first + f, SAME) for f in range(flops)]
        result, turns = [], len(game.board) // flops
        for b, board in enumerate(game.board):
            place, suits = walked(of.dealt[r], b // turns, int(board[-1]))
            result.append((first + place, tuple(suits.index(s) for s in range(4))))
        return result


def learner(
    game: FlopGame, method: Method = CFR_PLUS, root: int = 0, bucket: np.ndarray | None = None,
    alternative: Alternative | None = None, ranges: np.ndarray | None = None,
) -> FlopLearner:  # fmt: skip
    """The solver of ``game`` from ``root`` on, before the flop or the first node on it.

    ``ranges`` float64[2, H] weigh the hands there, those of a class alike; None: both come with
    every hand. ``bucket`` int[boards, H] are those that hands of the last round share; None: each
    hand has its own rows. With ``alternative`` solving is safe.
    """
    part, ranks = cut(game.tree, root, lambda node: False, 1), game.ranks
    buckets = [classes(ranks)[None].astype(np.int32)]
    if bucket is not None:
        buckets += [None] * (game.last - 1) + [bucket.astype(np.int32)]
    flops = Flops(boards(ranks, 3).cards[game.flops], game.chance)
    ranges = np.ones((2, n_holes(ranks))) if ranges is None else ranges
    of = endgame(part.tree, [], ranges, buckets, ranks, True, 2 + game.last, flops=flops)
    return FlopLearner(game, part, RangeSolver(of, method, alternative=alternative))


def equilibrium(
    game: FlopGame, iterations: int, method: Method = CFR_PLUS, spread: float = 0.0,
    progress: Done = quiet,
) -> np.ndarray:  # fmt: skip
    """The average strategy: float64[layout.size]. Calls ``progress`` with iterations done."""
    strategy = np.empty(game.layout.size)
    learner(game, method).run(iterations, spread, progress).write(strategy)
    return strategy
