"""The rules of the variants of CFR, beside what their papers say of them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfr.games import PLAIN
from sixmax.cfr.methods import CFR, CFR_PLUS, DCFR, LINEAR, METHODS


@pytest.mark.parametrize("t", [1, 2, 7, 1000])
def test_keeps__is_what_the_papers_say(t):
    assert CFR.keeps(t) == (1, 1)
    assert CFR_PLUS.keeps(t) == (1, 0)
    assert LINEAR.keeps(t) == (t / (t + 1), t / (t + 1))
    root = math.sqrt(t) * t
    assert DCFR.keeps(t) == pytest.approx((root / (root + 1), 0.5))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_shrink__gives_the_same_average_as_the_weights(method):
    """Sums shrunk before each iteration are those of weights, up to a factor."""
    weighed, shrunk = 0.0, 0.0
    for t in range(1, 30):
        x = math.sin(t)
        weighed += method.weight(t) * x
        shrunk = shrunk * method.shrink(t) + x
        assert shrunk * method.weight(t) == pytest.approx(weighed)


def events(schedule, last):
    """(iteration, factor) of every discount up to iteration ``last``."""
    factors = ((t, schedule.discount_factor(t)) for t in range(1, last + 1))
    return [(t, factor) for t, factor in factors if factor is not None]


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 11))
def test_discount_factor__after_n_intervals_is_its_closed_form(every, n, beyond):
    """Supplement: times (T/D) / (T/D + 1) at T = D, 2 D, … nD: 1/2 · 2/3 · … = 1 / (n + 1)."""
    until = n * every + 1 + beyond % every
    actual = events(PLAIN._replace(discount_every=every, discount_until=until), 2 * until)
    assert [t for t, _ in actual] == [k * every for k in range(1, n + 1)]
    assert math.prod(factor for _, factor in actual) == pytest.approx(1 / (n + 1))


def test_discount_factor__none_at_its_end_and_none_without_it():
    schedule = PLAIN._replace(discount_every=5)
    assert [t for t, _ in events(schedule._replace(discount_until=10), 20)] == [5]
    assert events(schedule._replace(discount_until=0), 20) == []
