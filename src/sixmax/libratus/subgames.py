"""Solve every subgame of a flop game anew, by one of the article's techniques.

A subgame begins with the betting of the last round, on a flop or a turn. *Unsafe* solving takes the
opponent's range from the blueprint. The safe techniques give it an alternative for each hand
(:mod:`sixmax.libratus.alternatives`).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.game.tree import DECISION, kind_of, seat_of
from sixmax.game.tree_cut import cut, later_rounds
from sixmax.libratus.alternatives import alternatives
from sixmax.libratus.blueprint import Blueprint
from sixmax.libratus.game import FlopGame
from sixmax.libratus.reach import reach_to
from sixmax.search.solvers.problem import Alternative, strategy_at
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver


class Technique(NamedTuple):
    """gadget: of :mod:`sixmax.cfr.gadget`, or "" for unsafe solving."""

    gadget: str
    reach: bool = False
    estimate: bool = False


TECHNIQUES = {
    "unsafe": Technique(""),
    "resolve": Technique("resolve"),
    "resolve-estimate": Technique("resolve", estimate=True),
    "reach-resolve": Technique("resolve", reach=True),
    "maxmargin": Technique("maxmargin"),
    "maxmargin-estimate": Technique("maxmargin", estimate=True),
    "reach-maxmargin": Technique("maxmargin", reach=True),
    "reach-maxmargin-estimate": Technique("maxmargin", reach=True, estimate=True),
}
# Those that the guarantee of the article is about.
BOUNDED = [name for name, t in TECHNIQUES.items() if t.gadget and not (t.estimate or t.reach)]


def solved(
    game: FlopGame,
    blueprint: Blueprint,
    technique: Technique,
    iterations: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """``blueprint`` with new strategies of both seats in every subgame: float64[layout.size].

    A seat's strategy is that of its own solution, where the other is the opponent. Calls
    ``progress`` with the subgames done.
    """
    strategy = blueprint.strategy.copy()
    for root in game.roots:
        part = cut(game.tree, root, lambda node: False, 1)
        tree = later_rounds(part.tree, game.last)
        reach = reach_to(game, blueprint.strategy, root)
        values = [
            alternatives(game, blueprint, root, reach, p, technique.estimate, technique.reach)
            for p in (0, 1)
        ]
        final = game.board.shape[1]
        for f, board in enumerate(game.board):
            ranges = some_range(reach[:, f])
            subgame = endgame(tree, board, ranges, (), game.ranks, every=True, final=final)
            for seats in ([0, 1],) if not technique.gadget else ([0], [1]):
                alternative = None
                if technique.gadget:
                    other = 1 - seats[0]
                    alternative = Alternative(other, values[other][f], technique.gadget)
                solver = RangeSolver(subgame, CFR_PLUS, alternative=alternative).run(iterations)
                result = solver.strategy()
                for x in np.flatnonzero(kind_of(tree.node[:, 0]) == DECISION):
                    seat = seat_of(int(tree.node[x, 0]))
                    if seat in seats:
                        rows = strategy_at(tree, subgame.layout, result, int(x))
                        place(game, strategy, f, int(part.origin[x]), seat, rows)
            progress(1)
    return strategy


def place(
    game: FlopGame, strategy: np.ndarray, f: int, node: int, seat: int, rows: np.ndarray
) -> None:
    """Write ``rows`` float64[H, actions] to the decision ``node`` on board ``f``."""
    bucket = len(rows) * f + np.arange(len(rows))
    first = infoset(game.layout, game.last, seat, bucket, int(game.tree.node[node, 2]))
    strategy[first[:, None] + np.arange(rows.shape[1])] = rows


def some_range(reach: np.ndarray) -> np.ndarray:
    """``reach`` float64[2, H]; any hand, where the blueprint never comes with one.

    # ASSUME: the article does not say what unsafe solving believes there.
    """
    return np.where(reach.any(axis=1, keepdims=True), reach, 1.0)
