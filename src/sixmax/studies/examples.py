"""The smallest examples of the papers: Libratus's coin toss, Modicum's rock-paper-scissors+."""

import numpy as np

from sixmax.betting.tree import LEAF, kind_of
from sixmax.betting.tree_cut import cut
from sixmax.cfr.full.solve import Entry, solve_field
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.gadget import GADGETS, gadget
from sixmax.cfr.layout import infoset, layout, slabs
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games.coin import HEADS, PLAY, SOLD, TAILS, coin_toss, exploitability
from sixmax.games.rock_paper_scissors import EQUILIBRIUM, PAYOFF, rps

# A blueprint of the first player plays heads one time in ten and tails always.
PLAYED = np.array([0.1, 1.0])
ITERATIONS = 4000
PURE = np.eye(3)  # rock, paper, scissors
SETS = {
    "the equilibrium": EQUILIBRIUM[None],
    "and rock": np.array([EQUILIBRIUM, PURE[0]]),
    "and paper": np.array([EQUILIBRIUM, *PURE[:2]]),
    "rock, paper, scissors": PURE,
}


def guess(technique: str) -> tuple[np.ndarray, Field, np.ndarray]:
    """The second player's guess float64[2] of the coin, the subgame and its solution.

    `unsafe` solving believes that the first player comes by PLAYED. Safe solving (a name of
    GADGETS) gives it the alternative of selling (Libratus, supplement, "The challenge of hidden
    information").
    """
    toss = coin_toss()
    game, part = toss.field, cut(toss.tree, PLAY, lambda node: False, 1)
    infosets, coin = layout(part.tree, [2]), np.array([HEADS, TAILS])
    offset = slabs(infosets, np.array([coin, [0, 0]])[:, None])
    reach, entry = game.chance * PLAYED, None
    if technique in GADGETS:
        reach = game.chance
        entry = Entry(gadget(technique, 0, SOLD, reach / reach.sum()), coin)
    payoff = np.take(game.payoff, part.origin, axis=1)
    subgame = Field(part.tree.node, offset, payoff, reach / reach.sum())
    done = solve_field(subgame, part.tree, infosets, ITERATIONS, CFR_PLUS, entry=entry)
    average = done[ITERATIONS].average
    return average[infoset(infosets, 0, 1, 0, 0) :][:2], subgame, average


def guesses() -> dict[str, dict[str, float]]:
    """By technique the probability of guessing heads, and the loss to a best response in chips."""
    table = {name: guess(name)[0] for name in ("unsafe", *GADGETS)}
    return {
        name: {"heads": float(shares[HEADS]), "loss": exploitability(shares)}
        for name, shares in table.items()
    }


def depth_limited(continuations: np.ndarray, iterations: int) -> np.ndarray:
    """The first player's rock-paper-scissors+ one action deep, by CFR+: float64[3].

    ``continuations`` float64[n, 3] are strategies of the second player, values at its leaves. These
    are its nodes, which it cannot tell apart: so it chooses one for all three at once (Brown,
    Sandholm and Amos 2018, section 2).
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


def by_continuations(iterations: int = 20_000) -> dict[str, np.ndarray]:
    """:func:`depth_limited` by each of SETS: float64[3] by name."""
    return {name: depth_limited(each, iterations) for name, each in SETS.items()}
