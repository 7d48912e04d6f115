"""The coin toss of the paper, its subgame solved by unsafe and by safe solving."""

import numpy as np

from sixmax.betting.tree_cut import cut
from sixmax.cfr.full.solve import Entry, solve_field
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.gadget import GADGETS, gadget
from sixmax.cfr.layout import infoset, layout, slabs
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games.coin import HEADS, PLAY, SOLD, TAILS, coin_toss, exploitability

# A blueprint of the first player plays heads one time in ten and tails always.
PLAYED = np.array([0.1, 1.0])
ITERATIONS = 4000


def solved(technique: str) -> tuple[np.ndarray, Field, np.ndarray]:
    """The second player's guess float64[2] by ``technique``, the subgame and its solution.

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


def table() -> dict[str, dict[str, float]]:
    """By technique the probability of guessing heads, and the loss to a best response in chips."""
    guesses = {name: solved(name)[0] for name in ("unsafe", *GADGETS)}
    return {
        name: {"heads": float(guess[HEADS]), "loss": exploitability(guess)}
        for name, guess in guesses.items()
    }
