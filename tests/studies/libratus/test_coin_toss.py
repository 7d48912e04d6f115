"""The coin toss by subgame solving: the numbers of the article."""

import numpy as np
import pytest

from oracles.games import GUESS
from sixmax.games.coin import SOLD
from sixmax.studies.libratus.coin_toss import solved, table


def test_table__unsafe_solving_loses_a_quarter_and_safe_solving_nothing():
    actual = table()
    assert actual["unsafe"]["loss"] == pytest.approx(0.25, abs=5e-4)
    for gadget in ("resolve", "maxmargin"):
        assert actual[gadget]["loss"] == pytest.approx(0, abs=5e-4)


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_solved__safely_gives_each_coin_the_value_of_selling(gadget):
    guess, solution = solved(gadget)
    assert guess == pytest.approx(GUESS, abs=1e-3)
    values = solution.values_at(0)
    assert values[0] == pytest.approx(SOLD, abs=5e-3)
    assert np.isnan(values[1]).all()
