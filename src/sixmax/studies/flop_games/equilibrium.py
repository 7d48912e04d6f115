"""An equilibrium of a flop game, or of a subgame of it, by full-width CFR without buckets.

Before the flop ranges go down by class, on the flops by hole: every deal counts in each iteration.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.cfr.full import public_tree
from sixmax.cfr.gadget import Gadget, choose, no_gadget
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.studies.flop_games import flop_parts, trunk
from sixmax.studies.flop_games.game import FlopGame


def equilibrium(
    game: FlopGame,
    iterations: int,
    method: Method = CFR_PLUS,
    spread: float = 0.0,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The average strategy after so many ``iterations``: float64[layout.size].

    Players learn in turn. ``spread`` is added to the reach of each hand in the average of the flop:
    a hand that the player never brings there has regrets, but no average without it. Calls
    ``progress`` with iterations done. The game ends on the flop.
    """
    strategy = np.empty(game.layout.size)
    learn(game, strategy, Below(0, game.roots), FlopEffort(iterations, method, spread), progress)
    return strategy


class Below(NamedTuple):
    """A subgame of a flop game that begins before the flop.

    root: int, leaves          its first node, and all roots of flops below it
    entry: Gadget | None       the opponent's choice which of its classes come
    fixed: float64[rows, C]    rows of the trunk that stay as they are, NaN elsewhere; or None
    """

    root: int
    leaves: Sequence[int]
    entry: Gadget | None = None
    fixed: np.ndarray | None = None


class FlopEffort(NamedTuple):
    """How a subgame is solved; ``spread`` as in :func:`equilibrium`."""

    iterations: int
    method: Method = CFR_PLUS
    spread: float = 0.0


def learn(
    game: FlopGame,
    strategy: np.ndarray,
    below: Below,
    effort: FlopEffort,
    progress: Callable[[int], None] = lambda n: None,
) -> None:
    """Solve a subgame and write it into ``strategy``, float64[layout.size]."""
    part, method = flop_parts.parts(game, below.leaves), effort.method
    top = trunk.trunk(game, below.root, None, below.leaves, None)
    before, after = trunk.arrays(top), flop_parts.after(game, part, top.leaf)
    rows = public_tree.new_rows(top.rows, len(game.cards.share))
    kept = np.full(rows.regret.shape, np.nan) if below.fixed is None else below.fixed
    choice = below.entry or no_gadget()
    for t in range(1, effort.iterations + 1):
        step = np.array([*method.keeps(t), method.weight(t), effort.spread])
        _step_kernel(before, after, choice, kept, rows, step)
        progress(1)
    shares = trunk.shares(top, rows.total)
    trunk.place(game, top, np.where(np.isnan(kept), shares, kept), strategy)
    for seat in range(2):
        flop_parts.place(game, after, seat, strategy)


@njit
def _step_kernel(before, after, entry, kept, rows, step):
    """Both players learn once."""
    nodes, classes = len(before.node), before.tables.shape[1]
    reach, value = np.ones((2, nodes, classes)), np.zeros((nodes, classes))
    strategy = rows.strategy
    public_tree.match(before, rows.regret, strategy)
    _keep(kept, strategy)
    for me in range(2):
        if entry.left.size > 0:
            reach[entry.opponent, 0] = entry.reach
        public_tree.down(before, strategy, reach)
        flop_parts.learn_flops(after, me, reach, step, value)
        trunk.ends(before, me, reach[1 - me], value)
        public_tree.up(before, strategy, me, value)
        public_tree.learn(before, me, step, reach[me], value, rows)
        _keep(kept, strategy)
        if entry.left.size > 0 and me == entry.opponent:
            choose(entry, value[0], step, 1.0)


@njit
def _keep(kept, strategy):
    for row in range(len(kept)):
        for c in range(kept.shape[1]):
            if not np.isnan(kept[row, c]):
                strategy[row, c] = kept[row, c]
