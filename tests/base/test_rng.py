"""Seeds and the counter-based generator."""

import numpy as np

from sixmax.base.rng import below, child, mix, step, stream, unit

MASK = (1 << 64) - 1


def splitmix64(state):
    """The published generator, in Python integers (Steele, Lea and Flood 2014)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def test_step_and_mix__are_splitmix64():
    state = actual_state = 1234567
    for _ in range(5):
        state, expected = splitmix64(state)
        actual_state = int(step(np.uint64(actual_state)))
        assert actual_state == state
        assert int(mix(np.uint64(actual_state))) == expected


def test_splitmix64__known_values():
    """First outputs for seed 1234567, as printed with the reference implementations."""
    state, first = splitmix64(1234567)
    _, second = splitmix64(state)
    assert (first, second) == (6457827717110365317, 3203168211198807973)


def test_child__differs_by_name_and_number_and_seed():
    seeds = {int(child(s, *p)) for s in (1, 2) for p in [("a",), ("b",), ("a", 1), ("a", 2), ()]}
    assert len(seeds) == 10


def test_unit_and_below__are_uniform():
    states = [np.uint64(stream(np.uint64(7), np.uint64(i))) for i in range(20_000)]
    units = np.array([unit(s) for s in states])
    assert units.min() >= 0
    assert units.max() < 1
    assert abs(units.mean() - 0.5) < 4 * np.sqrt(1 / 12 / units.size)
    counts = np.bincount([below(s, 6) for s in states], minlength=6)
    expected = len(states) / 6
    assert ((counts - expected) ** 2 / expected).sum() < 25  # chi-square, 5 degrees, p = 1e-4
