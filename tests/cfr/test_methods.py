"""The rules of the variants of CFR, beside what their papers say of them."""

import math

import pytest

from sixmax.cfr.full.predictive import predictive
from sixmax.cfr.methods import CARRIED, CFR, CFR_PLUS, DCFR, LINEAR, METHODS, PCFR_PLUS


@pytest.mark.parametrize("t", [1, 2, 7, 1000])
def test_keeps__is_what_the_papers_say(t):
    assert CFR.keeps(t) == (1, 1)
    assert CFR_PLUS.keeps(t) == (1, 0)
    assert LINEAR.keeps(t) == (t / (t + 1), t / (t + 1))
    root = math.sqrt(t) * t
    assert DCFR.keeps(t) == pytest.approx((root / (root + 1), 0.5))


def test_factors__drift_over_the_planned_run():
    method = METHODS["hs-dcfr"].over(10)
    half, end = method.factors(5), method.factors(10)
    root = math.sqrt(5) * 5 * 5
    assert half == pytest.approx((root / (root + 1), 1 / 26))
    assert end == pytest.approx((10_000 / 10_001, 1 / 1001))
    assert METHODS["hs-pdcfr+"].over(10).factors(10) == pytest.approx((10_000 / 10_001, 0))
    after = method.factors(20)  # by the exponents of the last that was planned
    assert after == pytest.approx((160_000 / 160_001, 1 / 8001))
    assert method.shrink(5) == pytest.approx(0.8**27.5)
    assert METHODS["hs-dcfr-10"].over(10).shrink(20) == pytest.approx(0.95**5)


def test_over__changes_what_drifts_and_nothing_else():
    assert DCFR.over(7) is DCFR
    drifts = METHODS["hs-dcfr"]
    assert drifts.over(7).over(9) == drifts.over(9) != drifts.over(7)
    for ask in (drifts.step, drifts.factors, drifts.weight, drifts.shrink):
        with pytest.raises(ValueError, match=r"HS-DCFR\(30\): wanted the number of iterations"):
            ask(1)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_shrink__gives_the_same_average_as_the_weights(method):
    """Sums shrunk before each iteration are those of weights, up to a factor."""
    method, weighed, shrunk = method.over(20), 0.0, 0.0  # and nine more than are planned
    for t in range(1, 30):
        x = math.sin(t)
        weighed += method.weight(t) * x
        shrunk = shrunk * method.shrink(t) + x
        assert shrunk * method.weight(t) == pytest.approx(weighed)


def test_keeps__refuses_where_factors_are_not_all():
    assert PCFR_PLUS.step(3) == (1, 0, 9)
    with pytest.raises(ValueError, match="PCFR"):
        PCFR_PLUS.keeps(3)


def test_ahead__is_the_last_regrets_of_predictive_methods_once_more():
    ahead = {name: method.ahead for name, method in CARRIED.items()}
    assert {name for name, share in ahead.items() if share == 1} == {"pcfr+", "pdcfr+", "hs-pdcfr+"}
    assert set(ahead.values()) == {0, 1}
    assert METHODS["pdcfr+"].factors(2) == pytest.approx((2**2.3 / (2**2.3 + 1), 0))
    with pytest.raises(ValueError, match="other: wanted a method that discounts or predicts"):
        _ = PCFR_PLUS._replace(title="other", update=predictive.py_func).ahead
