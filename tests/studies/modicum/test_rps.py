"""Rock-paper-scissors+ one action deep: one value knows nothing, three are the game."""

import numpy as np
import pytest

from sixmax.games.rock_paper_scissors import EQUILIBRIUM, exploitability
from sixmax.studies.modicum.rps import PURE, SETS, depth_limited, table


def test_depth_limited__one_value_learns_nothing_and_loses():
    actual = depth_limited(EQUILIBRIUM[None], 2000)
    assert actual == pytest.approx(np.full(3, 1 / 3))
    assert exploitability(actual) == pytest.approx(1 / 3)


def test_depth_limited__a_value_for_each_pure_answer_is_the_equilibrium():
    actual = depth_limited(PURE, 20_000)
    np.testing.assert_allclose(actual.round(3), EQUILIBRIUM)
    assert exploitability(actual) < 2e-4


def test_depth_limited__values_that_span_the_answers_are_enough():
    """Rock and its mixtures with the equilibrium: no answer by paper alone, yet in their span."""
    lean = [0.5 * EQUILIBRIUM + 0.5 * pure for pure in PURE]
    assert depth_limited(np.array(lean), 20_000) == pytest.approx(EQUILIBRIUM, abs=2e-3)


def test_table__a_missing_answer_leaves_a_hole():
    lost = {name: exploitability(strategy) for name, strategy in table(2000).items()}
    assert list(lost) == list(SETS)
    assert lost["and rock"] > 1
    assert lost["and paper"] > 1
    assert lost["rock, paper, scissors"] < 0.01 < lost["the equilibrium"]
