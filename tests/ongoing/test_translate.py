"""Pseudo-harmonic translation (Ganzfried & Sandholm 2013, section 5)."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sixmax.ongoing.translate import deterministic, probability

size = st.floats(0.01, 50)


@given(size, size, st.floats(0, 1))
def test_probability__makes_the_opponent_indifferent(a, b, u):
    """Its derivation, which fixes it for all sizes, and implies the axioms.

    In the clairvoyance game against a bet of s a player calls 1 / (1 + s) of the time; calling x as
    the mixture of a and b calls at that rate.
    """
    a, b = sorted((a, b))
    assume(b - a > 1e-6)
    x = a + u * (b - a)
    share = probability(a, b, x)
    assert share / (1 + a) + (1 - share) / (1 + b) == pytest.approx(1 / (1 + x))


def test_deterministic__changes_in_the_middle_and_keeps_to_the_ends():
    middle = (0.5 + 1 + 2 * 0.5) / 3.5
    sizes = np.array([0.5, 1.0, 3.0])
    amounts = [0.1, middle - 1e-6, middle + 1e-6, 1.0, 7.0]
    assert [deterministic(sizes, x) for x in amounts] == [0, 0, 1, 1, 2]
    assert deterministic(np.array([0.7]), 3.0) == 0
