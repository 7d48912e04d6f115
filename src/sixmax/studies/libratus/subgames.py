"""Solve every subgame of a flop game anew, by one of the article's techniques.

A subgame begins with the betting of the last round, on a flop or a turn. *Unsafe* solving takes the
opponent's range from the blueprint. The safe techniques give it an alternative for each hand
(:mod:`sixmax.studies.libratus.alternatives`).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.betting.tree_cut import cut
from sixmax.search.result import Alternative
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.reach import reach_to
from sixmax.studies.flop_games.subgames import place, solve_board
from sixmax.studies.libratus.alternatives import alternatives
from sixmax.studies.libratus.blueprint import Blueprint


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
        reach = reach_to(game, blueprint.strategy, root)
        values = [
            alternatives(game, blueprint, root, reach, p, technique.estimate, technique.reach)
            for p in (0, 1)
        ]
        for f in range(len(game.board)):
            for seats in ([0, 1],) if not technique.gadget else ([0], [1]):
                alternative = None
                if technique.gadget:
                    other = 1 - seats[0]
                    alternative = Alternative(other, values[other][f], technique.gadget)
                solution = solve_board(game, part, f, reach[:, f], iterations, alternative)
                for node, seat, rows in solution:
                    if seat in seats:
                        place(game, strategy, f, node, seat, rows)
            progress(1)
    return strategy
