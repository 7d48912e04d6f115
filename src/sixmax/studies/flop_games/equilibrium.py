"""An equilibrium of a flop game, or of a subgame of it, by full-width CFR without buckets.

Before the flop ranges go down by class, on the flops by hole: every deal counts in each iteration.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.cfr.gadget import Gadget, no_gadget
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.cfr.regret import new_tables
from sixmax.studies.flop_games import flop_parts, trunk
from sixmax.studies.flop_games.game import FlopGame


class FlopEffort(NamedTuple):
    """How a game that ends on the flop is solved; players learn in turn.

    ``spread`` is added to the reach of each hand in the average of the flop: without it a hand that
    the player never brings there has regrets, but no average.
    """

    iterations: int
    method: Method = CFR_PLUS
    spread: float = 0.0


def equilibrium(game: FlopGame, effort: FlopEffort, progress: Done = quiet) -> np.ndarray:
    """The average strategy: float64[layout.size]. Calls ``progress`` with iterations done."""
    strategy = np.empty(game.layout.size)
    learn(game, strategy, effort, progress=progress)
    return strategy


def learn(
    game: FlopGame, strategy: np.ndarray, effort: FlopEffort, root: int = 0,
    entry: Gadget | None = None, progress: Done = quiet,
) -> None:  # fmt: skip
    """Solve the subgame from ``root`` before the flop on, and write it into ``strategy``.

    With ``entry`` the opponent chooses which of its classes come.
    """
    leaves = [x for x in game.roots if root in dict(game.tree.steps(x))]
    top = trunk.trunk(game, root, None, leaves, None)
    after = flop_parts.after(game, flop_parts.parts(game, leaves), top.leaf)
    rows, entry = new_tables((top.rows, len(game.cards.share))), entry or no_gadget()
    for t in range(1, effort.iterations + 1):
        step = np.array([*effort.method.keeps(t), effort.method.weight(t), effort.spread])
        trunk.learn_once(top.arrays, after, entry, step, rows)
        progress(1)
    trunk.place(game, top, trunk.shares(top, rows.total), strategy)
    for seat in range(2):
        flop_parts.place(game, after, seat, strategy)
