"""Numbers as a person reads them."""

import math

import pytest

from sixmax.report import words


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: words.count(1234567), "1,234,567"),
        (lambda: words.count(-1234), "−1,234"),
        (lambda: words.large(999_999), "999,999"),
        (lambda: words.large(1_600_000), "1.6 million"),
        (lambda: words.large(1.31e9), "1.31 billion"),
        (lambda: words.signed(12.34), "+12.3"),
        (lambda: words.signed(-1234.56), "−1,234.6"),
        (lambda: words.signed(math.inf), "+∞"),
        (lambda: words.signed(-math.inf), "−∞"),
        (lambda: words.between([-1.0, 2.0]), "−1.0 to +2.0"),
        (lambda: words.percent(12.345), "12.3 %"),
        (lambda: words.percent(None), "–"),
        (lambda: words.seconds(12.34), "12.3 s"),
        (lambda: words.seconds(245.4), "4 min 05 s"),
        (lambda: words.seconds(7620), "2 h 07 min"),
        (lambda: words.size(999), "999 B"),
        (lambda: words.size(171_250), "171 kB"),
        (lambda: words.size(4.19e9), "4.19 GB"),
        (lambda: words.probability(0.0421), "0.042"),
        (lambda: words.probability(1e-9), "< 0.001"),
        (lambda: words.probability(1.0), "> 0.999"),
        (lambda: words.p_value(0.0421), "p = 0.042"),
        (lambda: words.p_value(1e-9), "p < 0.001"),
        (lambda: words.p_value(1.0), "p > 0.999"),
        (lambda: words.significant(2.0964), "2.10"),
        (lambda: words.significant(10.68), "10.7"),
        (lambda: words.significant(884.4), "884"),
        (lambda: words.threshold(1e-6), "10⁻⁶"),
        (lambda: words.threshold(0.05), "0.05"),
        (lambda: words.agent("snapshot-00012", 5), "snapshot after interval 12"),
        (lambda: words.agent("snapshot-00012-range-4", 5), "snapshot after interval 12, range 4 %"),
        (lambda: words.agent("continuation-fold", 5.0), "continuation (fold ×5)"),
        (lambda: words.agent("continuation-unbiased", 5), "continuation (unbiased)"),
        (lambda: words.agent("continuation-early", 5), "continuation (early)"),
        (lambda: words.agent("somebody", 5), "somebody"),
        (lambda: words.small(6), "six"),
        (lambda: words.small(23), "23"),
        (lambda: words.listed(["2", "3", "4"]), "2, 3 and 4"),
        (lambda: words.listed(["2"]), "2"),
        (lambda: words.listed([]), ""),
    ],
)
def test_words(call, expected):
    assert call().replace(words.THIN, " ") == expected
