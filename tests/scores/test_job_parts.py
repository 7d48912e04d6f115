"""A mean with a control variate: the least that tells something, and its interval."""

import numpy as np
import pytest

from sixmax.scores.job_parts import controlled

VALUES, BESIDE = np.array([1.0, 4.0, 2.0, 6.0]), np.array([0.0, 3.0, 1.0, 4.0])
KNOWN = np.array([1.0, 2.0])


def test_controlled__of_four_values_and_two_known_is_the_least():
    assert controlled(VALUES, BESIDE, KNOWN) is not None
    assert controlled(VALUES[:3], BESIDE[:3], KNOWN) is None
    assert controlled(VALUES, BESIDE, KNOWN[:1]) is None
    assert controlled(VALUES, np.ones(4), KNOWN) is None


def test_controlled__interval_is_students_t_of_two_degrees():
    """By hand: the slope is 12 / 10, so that .5 above the known mean take .6 off 3.25."""
    actual = controlled(VALUES, BESIDE, KNOWN)
    assert actual["factor"] == pytest.approx(1.2)
    assert actual["mean"] == pytest.approx(3.25 - 1.2 * (2 - 1.5))
    residual = VALUES - 1.2 * BESIDE
    left = ((residual - residual.mean()) ** 2).sum() / 2
    error = np.sqrt(left / 4 + 1.2**2 * 0.5 / 2)
    assert actual["standard_error"] == pytest.approx(error)
    assert actual["level"] == 0.95
    half = 4.302653 * error  # Student's t, 97.5 %
    expected = [actual["mean"] - half, actual["mean"] + half]
    assert actual["interval"] == pytest.approx(expected, abs=1e-5)


def test_controlled__takes_off_what_the_control_explains():
    random = np.random.default_rng(1)
    beside, known = random.normal(5, 100, 60), random.normal(5, 100, 4000)
    same = controlled(2 * beside + 7, beside, known)
    assert same["mean"] == pytest.approx(2 * known.mean() + 7)
    assert same["factor"] == pytest.approx(2)
    assert same["standard_error"] == pytest.approx(2 * known.std(ddof=1) / np.sqrt(4000))
    noise = random.normal(0, 10, 60)
    actual = controlled(beside + noise, beside, known)
    assert actual["deviation"] == pytest.approx(10, rel=0.3)
    assert actual["interval"][0] < 5 < actual["interval"][1]


def test_controlled__covers_the_mean_as_often_as_it_says():
    random, hits = np.random.default_rng(2), 0
    for _ in range(400):
        beside, known = random.normal(0, 3, 12), random.normal(0, 3, 200)
        row = controlled(beside + random.normal(1, 1, 12), beside, known)
        hits += row["interval"][0] <= 1 <= row["interval"][1]
    assert 0.91 < hits / 400 < 0.98
