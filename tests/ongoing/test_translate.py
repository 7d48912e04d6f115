"""Pseudo-harmonic translation: axioms (Ganzfried & Sandholm 2013, section 5), middle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixmax.ongoing.translate import deterministic, probability, randomised

SIZES = np.array([0.5, 1.0, 3.0])
size = st.floats(0.01, 50)


@given(size, size)
def test_probability__boundaries(a, b):
    a, b = sorted((a, b))
    if b - a < 1e-6:
        return
    assert probability(a, b, a) == pytest.approx(1)
    assert probability(a, b, b) == pytest.approx(0)


@given(size, size, st.floats(0, 1), st.floats(0, 1))
def test_probability__falls_with_the_size(a, b, u, v):
    a, b = sorted((a, b))
    u, v = sorted((u, v))
    if b - a < 1e-6:
        return
    assert probability(a, b, a + u * (b - a)) >= probability(a, b, a + v * (b - a)) - 1e-12


@given(size, size)
def test_probability__is_half_in_the_pseudo_harmonic_middle(a, b):
    a, b = sorted((a, b))
    if b - a < 1e-6:
        return
    middle = (a + b + 2 * a * b) / (a + b + 2)
    assert probability(a, b, middle) == pytest.approx(0.5)


def test_probability__makes_the_opponent_indifferent():
    # Its derivation: in the clairvoyance game against a bet of s a player calls 1 / (1 + s) of the
    # time; calling x as the mixture of a and b calls at that rate.
    a, b, x = 0.5, 2.0, 1.2
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
