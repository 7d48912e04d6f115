"""An equilibrium of a flop game, or of a subgame of it, by full-width CFR without buckets.

Before the flop ranges go down by class, on the flops by hole: every deal counts in each iteration.
"""

from collections.abc import Callable, Sequence

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
    learn(game, strategy, 0, game.roots, iterations, method, spread=spread, progress=progress)
    return strategy


def learn(
    game: FlopGame,
    strategy: np.ndarray,
    root: int,
    leaves: Sequence[int],
    iterations: int,
    method: Method = CFR_PLUS,
    entry: Gadget | None = None,
    fixed: np.ndarray | None = None,
    spread: float = 0.0,
    progress: Callable[[int], None] = lambda n: None,
) -> None:
    """Solve the subgame below ``root``, before the flop, and write it into ``strategy``.

    ``strategy`` is float64[layout.size]. ``leaves`` are all roots of flops below it. With ``entry``
    the opponent chooses which of its classes come. ``fixed`` float64[rows, C] has rows of the trunk
    that stay as they are, and NaN elsewhere. ``spread`` as in :func:`equilibrium`.
    """
    flops, part = flop_parts.flops_of(game), flop_parts.parts(game, leaves)
    top = trunk.trunk(game, root, None, leaves, None)
    before, (first, second) = trunk.arrays(top), flop_parts.tables(part, flops)
    regret, total = np.zeros((2, top.rows, len(game.cards.share)))
    kept = np.full(regret.shape, np.nan) if fixed is None else fixed
    choice = entry or no_gadget()
    for t in range(1, iterations + 1):
        step = np.array([*method.keeps(t), method.weight(t), spread])
        _step_kernel(
            before, top.leaf, part, flops, first, second, choice, kept, regret, total, step
        )
        progress(1)
    rows = trunk.shares(top, total)
    trunk.place(game, top, np.where(np.isnan(kept), rows, kept), strategy)
    for seat, table in enumerate((first, second)):
        flop_parts.place(game, part, seat, table.total, strategy)


@njit
def _step_kernel(before, leaf, part, flops, first, second, entry, kept, regret, total, step):
    """Both players learn once."""
    nodes, classes = len(before.node), before.tables.shape[1]
    reach, value = np.ones((2, nodes, classes)), np.zeros((nodes, classes))
    strategy = np.empty_like(regret)
    public_tree.match(before, regret, strategy)
    _keep(kept, strategy)
    for me in range(2):
        if entry.left.size > 0:
            reach[entry.opponent, 0] = entry.reach
        public_tree.down(before, strategy, reach)
        mine, theirs = (first, second) if me == 0 else (second, first)
        flop_parts.learn_flops(
            me, leaf, reach[1 - me], reach[me], part, flops, mine, theirs, step, value
        )
        trunk.ends(before, me, reach[1 - me], value)
        public_tree.up(before, strategy, me, value)
        public_tree.learn(before, me, step, reach[me], value, strategy, regret, total)
        _keep(kept, strategy)
        if entry.left.size > 0 and me == entry.opponent:
            choose(entry, value[0], step, 1.0)


@njit
def _keep(kept, strategy):
    for row in range(len(kept)):
        for c in range(kept.shape[1]):
            if not np.isnan(kept[row, c]):
                strategy[row, c] = kept[row, c]
