"""The coin toss of the paper, its subgame solved by unsafe and by safe solving."""

import numpy as np

from sixmax.betting.tree_cut import cut
from sixmax.cfr.gadget import GADGETS
from sixmax.cfr.layout import infoset, layout, slabs
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games.coin import HEADS, PLAY, SOLD, TAILS, coin_toss, exploitability
from sixmax.search.solvers import exact_small
from sixmax.search.solvers.exact_small import Plan, SmallSubgame
from sixmax.search.solvers.problem import Alternative, Problem, Solution

# A blueprint of the first player plays heads one time in ten and tails always.
PLAYED = np.array([0.1, 1.0])
ITERATIONS = 4000


def solved(technique: str) -> tuple[np.ndarray, Solution]:
    """The second player's guess float64[2] by ``technique``, and the solution of the subgame.

    `unsafe` solving believes that the first player comes by PLAYED. Safe solving (a name of
    GADGETS) gives it the alternative of selling (Libratus, supplement, "The challenge of hidden
    information").
    """
    toss = coin_toss()
    game, part = toss.field, cut(toss.tree, PLAY, lambda node: False, 1)
    infosets = layout(part.tree, [2])
    hand = np.array([[HEADS, TAILS], [0, 0]])
    offset = slabs(infosets, hand[:, None])
    subgame = SmallSubgame(part, infosets, offset, game.payoff[:, part.origin], hand)
    safe = technique in GADGETS
    problem = Problem(
        subgame,
        game.chance if safe else game.chance * PLAYED,
        alternative=Alternative(0, SOLD, technique) if safe else None,
    )
    solution = exact_small.solve(problem, Plan(iterations=ITERATIONS, method=CFR_PLUS))
    return solution.average[infoset(infosets, 0, 1, 0, 0) :][:2], solution


def table() -> dict[str, dict[str, float]]:
    """By technique the probability of guessing heads, and the loss to a best response in chips."""
    guesses = {name: solved(name)[0] for name in ("unsafe", *GADGETS)}
    return {
        name: {"heads": float(guess[HEADS]), "loss": exploitability(guess)}
        for name, guess in guesses.items()
    }
