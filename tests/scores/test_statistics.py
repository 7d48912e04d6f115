import dataclasses
import json
import math

import numpy as np
import pytest

from report.synthetic_evaluation import with_error
from sixmax.base.errors import UserError
from sixmax.scores import statistics
from sixmax.scores.statistics import Protocol, Result, Sums, interval, one_tailed

HOW = Protocol("duplicate", "as played", "deal", 2, 100, "0f")


def result(samples, seed=1, **changes):
    protocol = dataclasses.replace(HOW, **changes)
    sums = Sums.of(samples)
    return Result("a", "b", protocol, (seed,), 2 * samples.size, sums, (sums, sums))


def test_sums__mean_error_and_interval_as_scipy_has_them():
    from scipy import stats

    samples = np.random.default_rng(1).normal(30, 500, 300)
    actual = Sums.of(samples)
    assert actual.mean == pytest.approx(samples.mean())
    assert actual.standard_error == pytest.approx(stats.sem(samples))
    expected = stats.ttest_1samp(samples, 0).confidence_interval(0.95)
    assert interval(actual) == pytest.approx((expected.low, expected.high))
    expected = stats.ttest_1samp(samples, 0, alternative="greater").pvalue
    assert one_tailed(actual) == pytest.approx(expected)


def test_interval__holds_the_truth_as_often_as_it_says():
    random = np.random.default_rng(2)
    held = [
        low < 3 < high
        for low, high in (interval(Sums.of(random.normal(3, 9, 5))) for _ in range(2000))
    ]
    assert abs(np.mean(held) - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2000)


@pytest.mark.parametrize(
    ("mean", "standard_error", "expected"),
    [(47.7, 25.0, 0.028), (32.7, 14.9, 0.014), (25.2, 20.2, 0.106), (40.2, 21.9, 0.033)],
)
def test_one_tailed__the_papers_p_values(mean, standard_error, expected):
    """Pluribus supplement, "Statistical analysis"."""
    assert one_tailed(with_error(mean, standard_error)) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(("mean", "expected"), [(0.0, 0.5), (3.0, 0.0), (-3.0, 1.0)])
def test_one_tailed__without_any_spread(mean, expected):
    assert one_tailed(Sums.of(np.full(9, mean))) == expected


def test_sums__too_few_samples():
    for n in (0, 1):
        few = Sums.of(np.ones(n))
        assert few.standard_error == math.inf
        assert interval(few) == (-math.inf, math.inf)
        assert math.isnan(one_tailed(few))


def test_add__parts_as_whole_in_any_order():
    samples = np.random.default_rng(3).normal(size=(8, 50)) * 1e3
    parts = [Sums.of(row) for row in samples]
    whole = Sums.of(samples.ravel())
    actual = statistics.add(parts)
    assert actual == statistics.add(parts[::-1])
    assert (actual.n, actual.mean) == (whole.n, pytest.approx(whole.mean))
    assert actual.standard_error == pytest.approx(whole.standard_error)


def test_measure__a_sample_is_the_mean_over_the_hands_of_a_deal():
    """Seven deals of two seats, three hands in each, by two protocols; 100 chips a big blind."""
    from scipy import stats

    net = np.random.default_rng(4).normal(size=(7, 2, 3, 2))
    protocols = [dataclasses.replace(HOW, payoff=name) for name in ("plain", "AIVAT")]

    def chips(first, n):
        return net[first : first + n].copy()

    parts, whole = (
        statistics.measure(("a", "b"), protocols, 1, 7, chunk, chips) for chunk in (3, 7)
    )
    for i, (actual, same) in enumerate(zip(parts, whole, strict=True)):
        assert (actual.protocol, actual.hands) == (protocols[i], 42)
        assert actual.deals.mean == pytest.approx(10 * net[..., i].mean())
        error = stats.sem(10 * net[..., i].mean(axis=(1, 2)))
        assert actual.deals.standard_error == pytest.approx(error)
        seats = [sums.mean for sums in actual.seat]
        assert seats == pytest.approx(10 * net[..., i].mean(axis=(0, 2)))
        assert actual.deals.mean == pytest.approx(same.deals.mean)


def test_measure__refuses_one_deal_and_other_seats():
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        statistics.measure(("a", "b"), [HOW], 1, 1, 5, lambda first, n: np.zeros((n, 2, 1)))
    with pytest.raises(ValueError, match="for 2 seats, the game has 3"):
        statistics.measure(("a", "b"), [HOW], 1, 4, 5, lambda first, n: np.zeros((n, 3, 1)))


@pytest.mark.parametrize(
    "changes",
    [{"payoff": "AIVAT"}, {"design": "5 and 1"}, {"seats": 6}, {"big_blind": 2}, {"game": "1f"}],
)
def test_same_protocol__others_are_refused(changes):
    samples = np.arange(5.0)
    both = [result(samples, 1), result(samples, 2, **changes)]
    ((name, value),) = changes.items()
    with pytest.raises(UserError, match=f"different protocols.* {name} is .*{value!r}"):
        statistics.same_protocol(both)
    assert statistics.same_protocol(both, but=name) == both[0].protocol


def test_result__there_and_back():
    expected = result(np.random.default_rng(5).normal(size=100))
    actual = Result.from_json(json.loads(json.dumps(expected.to_json())), "here")
    assert actual == expected


def test_result__not_a_result():
    with pytest.raises(UserError, match=r"^match\.json: not the result of a match"):
        Result.from_json({"a": "x"}, "match.json")


def test_told__a_mean_with_its_interval_where_it_has_one():
    assert statistics.told({"mean": 1.25}, "chips") == "+1.25 chips"
    row = {"mean": -0.5, "interval": (-1.0, 0.0)}
    assert statistics.told(row, digits=1) == "-0.5 mbb/game, 95 % interval -1.0 to +0.0"


def test_stratified__is_the_error_of_the_mean_of_means():
    random = np.random.default_rng(1)
    parts = [random.normal(m, s, 500) for m, s in ((0, 1), (100, 5), (-30, 2))]
    actual = statistics.stratified([Sums.of(p) for p in parts])
    errors = [p.std(ddof=1) / np.sqrt(500) for p in parts]
    assert actual.mean == pytest.approx(np.mean([p.mean() for p in parts]))
    assert actual.standard_error == pytest.approx(np.sqrt(np.square(errors).sum()) / 3)
    assert statistics.stratified([Sums.of(parts[0])]) == Sums.of(parts[0])
    with pytest.raises(ValueError, match="one size"):
        statistics.stratified([Sums.of(parts[0]), Sums.of(parts[1][:9])])
