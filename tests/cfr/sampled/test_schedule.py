"""The discounts of sampled training, beside what the supplement says of them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfr.games import PLAIN


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
