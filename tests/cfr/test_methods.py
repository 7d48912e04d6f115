"""The rules of the variants of CFR, beside what their papers say of them."""

import math

import pytest

from sixmax.cfr.methods import CFR, CFR_PLUS, DCFR, LINEAR, METHODS, PCFR_PLUS


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


def test_keeps__refuses_where_factors_are_not_all():
    assert PCFR_PLUS.step(3) == (1, 0, 9)
    with pytest.raises(ValueError, match="PCFR"):
        PCFR_PLUS.keeps(3)
