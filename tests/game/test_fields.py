"""The hand at every node, beside each path played alone."""

import numpy as np
import pytest

from search.holdem import small_run
from sixmax.game.betting import Betting
from sixmax.game.fields import fields
from sixmax.game.rules import CHIPS, FOLDERS, HIGH, LEFT, POT, RAISES
from sixmax.game.tree import path

WHICH = (POT, HIGH, LEFT, RAISES, FOLDERS, CHIPS)


@pytest.mark.parametrize("seats", [2, 3])
def test_fields__are_those_of_the_hand_played_to_the_node(seats):
    run, _ = small_run(seats)
    found = fields(run.game, run.tree, WHICH)
    assert found.shape == (len(run.tree.node), len(WHICH))
    draw = np.random.default_rng(1)
    for x in draw.choice(len(run.tree.node), 300, replace=False):
        betting = Betting(run.game)
        for action in path(run.tree, int(x)):
            betting.act(action)
        np.testing.assert_array_equal(found[x], betting.hand[list(WHICH)])
