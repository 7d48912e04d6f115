"""The coin toss of the Libratus paper: its numbers, and full-width CFR on it."""

import numpy as np
import pytest

from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.layout import infoset, slabs
from sixmax.cfr.layout import layout as infoset_layout
from sixmax.cfr.methods import CFR_PLUS
from sixmax.game.tree_cut import cut
from sixmax.games.coin_toss import (
    GUESS,
    HEADS,
    PLAY,
    SOLD,
    TAILS,
    coin_toss,
    exploitability,
)
from sixmax.search.solvers import exact_small
from sixmax.search.solvers.exact_small import Plan, SmallSubgame
from sixmax.search.solvers.problem import Alternative, Problem


def test_exploitability__is_that_of_the_article():
    """Always heads .75, always tails .25, and 0 where heads are guessed one time in four."""
    actual = [exploitability(np.array(guess)) for guess in ((1, 0), (0, 1), GUESS, (0.5, 0.5))]
    assert actual == [0.75, 0.25, 0, 0.25]


def test_solve__guesses_heads_one_time_in_four():
    tree, layout, game = coin_toss()
    average = solve_field(game, tree, layout, 2000, CFR_PLUS)[2000].average
    at = infoset(layout, 0, 1, 0, int(tree.node[PLAY, 2]))
    assert average[at : at + 2] == pytest.approx(GUESS, abs=1e-3)


def solved(beliefs, alternative=None):
    """The second player's guess by the solver of small games, in the subgame after "play"."""
    tree, layout, game = coin_toss()
    part = cut(tree, PLAY, lambda node: False, 1)
    infosets = infoset_layout(part.tree, [2])
    hand = np.array([[HEADS, TAILS], [0, 0]])
    offset = slabs(infosets, hand[:, None])
    subgame = SmallSubgame(part, infosets, offset, game.payoff[:, part.origin], hand)
    problem = Problem(subgame, np.array(beliefs), alternative=alternative)
    solution = exact_small.solve(problem, Plan(iterations=2000, method=CFR_PLUS))
    return solution.average[infoset(infosets, 0, 1, 0, 0) :][:2], solution


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_exact_small__is_safe_with_the_alternative_and_not_without(gadget):
    """A blueprint plays heads one time in ten, tails always: its range says tails."""
    unsafe, _ = solved([0.05, 0.5])
    assert exploitability(unsafe) > 0.24
    safe, solution = solved([0.5, 0.5], Alternative(0, SOLD, gadget))
    assert exploitability(safe) == pytest.approx(0, abs=2e-3)
    assert safe == pytest.approx(GUESS, abs=3e-3)
    values = solution.values_at(0)
    assert values[0] == pytest.approx(SOLD, abs=5e-3)
    assert np.isnan(values[1]).all()
