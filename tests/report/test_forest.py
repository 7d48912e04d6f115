"""The rows of estimates: places on the scale, marks, words."""

import math

import pytest

from sixmax.report.forest import forest, tip


def rows(*triples, linear=None, **more):
    """The forest of (low, mean, high)."""
    estimates = [
        {"name": "a", "mean": mean, "interval": (low, high), **more} for low, mean, high in triples
    ]
    return forest("t", "u", estimates, linear)


def test_places__are_in_order_and_on_the_track():
    result = rows((-3.0, 5.0, 13.0), (100.0, 2000.0, 5000.0), (-40.0, -20.0, -8.0), linear=10)
    for row in result["rows"]:
        assert 0 <= row["low"] < row["mean"] < row["high"] <= 100
    places = [at for at, _ in result["ticks"]]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, 100)
    assert [text for _, text in result["ticks"]] == [
        "−100", "−10", "0", "+10", "+100", "+1k", "+10k"
    ]  # fmt: skip
    assert dict((text, at) for at, text in result["ticks"])["0"] == result["zero"]


def test_scale__is_linear_within_and_logarithmic_beyond():
    result = rows((0.0, 5.0, 10.0), (100.0, 1000.0, 10000.0), linear=10)
    near, far = result["rows"]
    assert near["mean"] - near["low"] == pytest.approx(near["high"] - near["mean"], abs=0.02)
    assert far["mean"] - far["low"] == pytest.approx(far["high"] - far["mean"], abs=0.02)


@pytest.mark.parametrize("scale", [0.003, 1.0, 77.0, 12345.0])
def test_ticks__of_a_linear_scale_are_few_round_and_enclose_all(scale):
    result = rows((0.2 * scale, 0.6 * scale, 1.3 * scale))
    assert 2 < len(result["ticks"]) <= 6
    assert result["ticks"][0] == (0, "0")
    assert result["rows"][0]["high"] < 100
    assert len({text for _, text in result["ticks"]}) == len(result["ticks"])


def test_all_negative__has_zero_at_the_right():
    result = rows((-9.0, -6.0, -2.0))
    assert result["zero"] == 100


def test_no_estimate__is_drawn_over_the_whole_track():
    (row,) = rows((-math.inf, 3.0, math.inf))["rows"]
    assert (row["low"], row["high"]) == (0, 100)
    assert "∞" in row["text"]


def test_beside__is_on_the_scale():
    result = rows((1.0, 2.0, 3.0), beside=50.0)
    assert 50 < result["rows"][0]["beside"] <= 100


def test_tip__tells_what_the_row_has():
    row = {"standard_error": 12.5, "p_one_tailed": 0.042, "deals": 2000, "hands": 12_000}
    assert tip(row, "", "more") == "SE 12.5, one-tailed p = 0.042; 2,000 deals, 12,000 hands; more"
    assert tip({"standard_error": 2.0, "p_one_tailed": None}) == "SE 2.0"
