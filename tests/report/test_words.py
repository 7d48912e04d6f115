"""Numbers as a person reads them."""

import math

import pytest

from sixmax.report import words

EXPECTED = {
    words.count: {1234567: "1,234,567", -1234: "−1,234"},
    words.large: {999_999: "999,999", 1_600_000: "1.6 million", 1.31e9: "1.31 billion"},
    words.signed: {12.34: "+12.3", -1234.56: "−1,234.6", math.inf: "+∞", -math.inf: "−∞"},
    words.between: {(-1.0, 2.0): "−1.0 to +2.0"},
    words.percent: {12.345: "12.3 %", None: "–"},
    words.seconds: {12.34: "12.3 s", 245.4: "4 min 05 s", 7620: "2 h 07 min"},
    words.size: {999: "999 B", 171_250: "171 kB", 4.19e9: "4.19 GB"},
    words.probability: {0.0421: "0.042", 1e-9: "< 0.001", 1.0: "> 0.999"},
    words.p_value: {0.0421: "p = 0.042", 1e-9: "p < 0.001", 1.0: "p > 0.999"},
    words.significant: {2.0964: "2.10", 10.68: "10.7", 884.4: "884"},
    words.threshold: {1e-6: "10⁻⁶", 0.05: "0.05"},
    words.small: {6: "six", 23: "23"},
    words.listed: {("2", "3", "4"): "2, 3 and 4", ("2",): "2", (): ""},
}
AGENTS = {
    "snapshot-00012": "snapshot after interval 12", "somebody": "somebody",
    "snapshot-00012-range-4": "snapshot after interval 12, range 4 %",
    "continuation-fold": "continuation (fold ×5)", "continuation-early": "continuation (early)",
    "continuation-unbiased": "continuation (unbiased)",
}  # fmt: skip


@pytest.mark.parametrize("told", EXPECTED, ids=lambda function: function.__name__)
def test_words(told):
    for given, expected in EXPECTED[told].items():
        assert told(given).replace(words.THIN, " ") == expected


@pytest.mark.parametrize("bias", [5, 5.0])
def test_agent(bias):
    assert {name: words.agent(name, bias) for name in AGENTS} == AGENTS
