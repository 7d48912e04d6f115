import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from commands import called
from sixmax.base.errors import UserError
from sixmax.cli.command import command
from sixmax.scores.power import MEASURED, hands, read_spreads, samples_needed, smallest_edge, spread
from sixmax.scores.statistics import Protocol, Result, Sums, one_tailed

DEFAULT = Path(__file__).parents[2] / "config" / "default.yaml"
HOW = Protocol("design", "payoff", "sample", 6, 100, "game")


def result(samples, hands=None):
    return Result("a", "b", HOW, (1,), hands or 6 * samples.size, Sums.of(samples), ())


def test_samples_needed__the_paper():
    """SE 25.0 after 10,000 hands: 47.7 mbb/game was measured with p = 0.028, so was about due."""
    expected = ((1.644854 + 0.841621) * 2500 / 47.7) ** 2
    assert samples_needed(2500, 47.7) == math.ceil(expected) == 16983
    assert smallest_edge(2500, 10_000) == pytest.approx(62.16, abs=0.01)


def test_samples_needed__finds_the_edge_as_often_as_it_says():
    random = np.random.default_rng(1)
    n = samples_needed(100.0, 8.0, 0.8)
    draws = random.normal(8.0, 100.0, (2000, n))
    actual = np.mean([one_tailed(Sums.of(row)) < 0.05 for row in draws])
    assert actual == pytest.approx(0.8, abs=3 * math.sqrt(0.16 / 2000))
    # a quarter of the samples does not do
    few = np.mean([one_tailed(Sums.of(row[: n // 4])) < 0.05 for row in draws])
    assert few < 0.5


@pytest.mark.parametrize(
    ("key", "names"),
    [
        (("deals",), ["match"]),
        (("aivat_deals",), ["match by AIVAT"]),
        (("experiments", "deals"), ["alone, duplicate", "copies, duplicate"]),
    ],
)
def test_measured__the_default_config_sees_what_it_says(key, names):
    """Its deals are the planner's for the edge that its comment names, and not many more."""
    text = DEFAULT.read_text(encoding="utf-8").split("\nevaluation:")[1]
    deals = yaml.safe_load("evaluation:" + text)["evaluation"]
    for name in key:
        deals = deals[name]
    (edge,) = re.findall(rf"^{'  ' * len(key)}{key[-1]}: .*# .*Sees (\d+) mbb/game", text, re.M)
    for name in names:
        needed = samples_needed(MEASURED[name].deviation, float(edge))
        assert 0.8 * deals < needed <= deals


def test_spread__of_a_result():
    random = np.random.default_rng(2)
    actual = spread("x", result(random.normal(5.0, 300.0, 20_000)))
    assert actual.deviation == pytest.approx(300, rel=0.02)
    assert actual.hands == 6


def test_spread__one_sample_has_no_variance():
    with pytest.raises(UserError, match="1 samples"):
        spread("x", result(np.ones(1)))


def test_hands__of_a_match_and_without_one(tmp_path):
    path = tmp_path / "match.json"
    path.write_text(json.dumps(result(np.array([-300.0, 300.0] * 500)).to_json()))
    (measured,) = read_spreads(path)
    asked = command("hands", hands)
    printed = called(10, path, on=asked).output
    assert f"{6 * samples_needed(measured.deviation, 10):,}" in printed
    assert "a vs b" in printed
    without = called(10, on=asked).output
    assert all(name in without for name in MEASURED)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"scores": [{}]}', '{"scores": 3}'])
def test_read_spreads__neither_match_nor_experiment(tmp_path, text, refused):
    (tmp_path / "x.json").write_text(text)
    with refused("x.json"):
        read_spreads(tmp_path / "x.json")
