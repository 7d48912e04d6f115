"""The coin toss by subgame solving: the numbers of the article."""

import numpy as np
import pytest

from oracles.games import GUESS
from oracles.search import values_of_hands
from sixmax.games.coin import HEADS, SOLD, TAILS
from sixmax.studies.libratus.coin_toss import solved, table


def test_table__unsafe_solving_loses_a_quarter_and_safe_solving_nothing():
    actual = table()
    assert actual["unsafe"]["loss"] == pytest.approx(0.25, abs=5e-4)
    for gadget in ("resolve", "maxmargin"):
        assert actual[gadget]["loss"] == pytest.approx(0, abs=5e-4)


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_solved__safely_gives_each_coin_the_value_of_selling(gadget):
    guess, game, average = solved(gadget)
    assert guess == pytest.approx(GUESS, abs=1e-3)
    (values,) = values_of_hands(game, np.array([[HEADS, TAILS]]), average, 0)
    assert values == pytest.approx(SOLD, abs=5e-3)
