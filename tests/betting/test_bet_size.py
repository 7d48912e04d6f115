"""Kinds of sizes: the words of a config, their numbers, and sizes times a factor."""

import pytest

from sixmax.betting.bet_size import ALL_IN, CHIPS, FRACTION, packed, scaled


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0.5, (FRACTION, 0.5)),
        (1000, (FRACTION, 1000.0)),
        ("A", (ALL_IN, 0.0)),
        ("7 chips", (CHIPS, 7)),
    ],
)
def test_packed__is_kind_and_number(size, expected):
    assert packed(size) == expected


@pytest.mark.parametrize("size", [0, -1, 1000.5, float("nan"), "a", "0 chips", "7", "7 chips "])
def test_packed__refuses_what_is_no_size(size):
    with pytest.raises(ValueError, match=r'a fraction of the pot .*, "A" for all-in, or "N chips"'):
        packed(size)


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0.5, 0.75), ("A", "A"), ("300 chips", "450 chips"), ("1 chips", "2 chips")],
)
def test_scaled__is_the_size_times_a_factor(size, expected):
    assert scaled(size, 1.5) == expected
    assert scaled("1 chips", 0.1) == "1 chips"  # no raise by nothing
