"""Pseudo-harmonic translation (Ganzfried & Sandholm 2013, section 5)."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sixmax.ongoing.translate import deterministic, probability, randomised

SIZES = np.array([0.5, 1.0, 3.0])
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


def test_randomised__shares():
    share = probability(0.5, 1.0, 0.8)
    u = (np.arange(1000) + 0.5) / 1000
    hit = [randomised(SIZES, 0.8, v) for v in u]
    assert hit.count(0) / 1000 == pytest.approx(share, abs=0.001)
    assert set(hit) == {0, 1}


def test_randomised__beyond_the_ends_and_on_a_size():
    for u in (0.0, 0.999):
        assert randomised(SIZES, 0.1, u) == 0
        assert randomised(SIZES, 7.0, u) == 2
        assert randomised(SIZES, 1.0, u) == 1


def test_deterministic__changes_in_the_middle():
    middle = (0.5 + 1 + 2 * 0.5) / 3.5
    assert [deterministic(SIZES, middle + d) for d in (-1e-6, 1e-6)] == [0, 1]
    assert deterministic(np.array([0.7]), 3.0) == 0
