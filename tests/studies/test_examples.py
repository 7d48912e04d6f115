"""A coin toss by subgame solving, and rock-paper-scissors+ one action deep."""

import numpy as np
import pytest

from oracles.games import GUESS
from oracles.search import values_of_hands
from sixmax.games.coin import HEADS, SOLD, TAILS
from sixmax.games.rock_paper_scissors import EQUILIBRIUM, exploitability
from sixmax.studies.examples import PURE, SETS, by_continuations, depth_limited, guess, guesses


def test_guesses__unsafe_solving_loses_a_quarter_and_safe_solving_nothing():
    lost = {name: row["loss"] for name, row in guesses().items()}
    assert lost == pytest.approx({"unsafe": 0.25, "resolve": 0, "maxmargin": 0}, abs=5e-4)


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
def test_guess__safely_gives_each_coin_the_value_of_selling(gadget):
    shares, game, average = guess(gadget)
    assert shares == pytest.approx(GUESS, abs=1e-3)
    (values,) = values_of_hands(game, np.array([[HEADS, TAILS]]), average, 0)
    assert values == pytest.approx(SOLD, abs=5e-3)


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


def test_by_continuations__a_missing_answer_leaves_a_hole():
    lost = {name: exploitability(strategy) for name, strategy in by_continuations(2000).items()}
    assert list(lost) == list(SETS)
    assert lost["and rock"] > 1
    assert lost["and paper"] > 1
    assert lost["rock, paper, scissors"] < 0.01 < lost["the equilibrium"]
