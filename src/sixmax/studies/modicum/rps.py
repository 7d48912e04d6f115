"""Rock-paper-scissors+ one action deep, by the values at its leaves (paper, section 2).

The leaves are the second player's nodes, which it cannot tell apart: so it chooses one of its
continuations for all three at once.
"""

from collections.abc import Sequence

import numpy as np

from sixmax.betting.tree import LEAF, kind_of
from sixmax.betting.tree_cut import cut
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.layout import layout, slabs
from sixmax.games.rock_paper_scissors import EQUILIBRIUM, PAYOFF, rps

PURE = np.eye(3)  # rock, paper, scissors
SETS = {
    "the equilibrium": EQUILIBRIUM[None],
    "and rock": np.array([EQUILIBRIUM, PURE[0]]),
    "and paper": np.array([EQUILIBRIUM, *PURE[:2]]),
    "rock, paper, scissors": PURE,
}


def depth_limited(continuations: np.ndarray, iterations: int) -> np.ndarray:
    """The first player's strategy where the second one has these at its leaves: float64[3].

    ``continuations`` float64[n, 3] are strategies of the second player; CFR+ solves.
    """
    part = cut(rps().tree, 0, lambda x: x > 0, len(continuations), choosers=1 << 1)
    infosets = layout(part.tree, [1])
    payoff = np.zeros((2, len(part.tree.node), 1))
    for x in np.flatnonzero(kind_of(part.tree.node[:, 0]) == LEAF):
        first, chosen = int(part.origin[x]) - 1, part.chosen[x, 1]
        payoff[0, x] = PAYOFF[first] @ continuations[chosen]
    payoff[1] = -payoff[0]
    offset = slabs(infosets, np.zeros((2, 1, 1), np.int64))
    game = Field(part.tree.node, offset, payoff, np.ones(1))
    solved = solve_field(game, part.tree, infosets, iterations)
    first = int(part.tree.node[0, 2])
    return solved[iterations].average[first : first + 3]


def table(iterations: int = 20_000, names: Sequence[str] = tuple(SETS)) -> dict[str, np.ndarray]:
    """:func:`depth_limited` of each of ``SETS`` that is named: float64[3] by name."""
    return {name: depth_limited(SETS[name], iterations) for name in names}
