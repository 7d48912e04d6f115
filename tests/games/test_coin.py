"""The coin toss of the Libratus paper: its numbers, and full-width CFR on it."""

import numpy as np
import pytest

from oracles.games import GUESS
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games.coin import PLAY, coin_toss, exploitability


def test_exploitability__is_that_of_the_article():
    """Always heads .75, always tails .25, and 0 where heads are guessed one time in four."""
    actual = [exploitability(np.array(guess)) for guess in ((1, 0), (0, 1), GUESS, (0.5, 0.5))]
    assert actual == [0.75, 0.25, 0, 0.25]


def test_solve__guesses_heads_one_time_in_four():
    game = coin_toss()
    average = solve_field(game.field, game.tree, game.layout, 2000, CFR_PLUS)[2000].average
    at = infoset(game.layout, 0, 1, 0, int(game.tree.node[PLAY, 2]))
    assert average[at : at + 2] == pytest.approx(GUESS, abs=1e-3)
