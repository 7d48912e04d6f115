"""The numbers that the world knows, and that they say something."""

import pytest

from sixmax.games import GAMES, deals
from sixmax.games.game import around, untrained

ANSWERS = [answer for game in GAMES.values() for answer in game.answers()]
UNIFORM = {g.at(n): untrained(g.at(n), k) for g in GAMES.values() for n, k in g.known.items()}


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (".0687", (0.06865, 0.06875)),
        ("8.7e-5", (8.65e-5, 8.75e-5)),
        ("2.0625", (2.06245, 2.06255)),
        (".000257~.5", (0.0001285, 0.0003855)),
    ],
)
def test_around__half_of_the_last_digit_or_a_share_of_the_number(printed, expected):
    assert around(printed) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"cards": "kuhn"}, "game.rounds: found 2, wanted 1, the rounds of kuhn"),
        ({"cards": "omaha"}, "game.cards: found 'omaha', wanted holdem or one of kuhn, leduc"),
        ({"cards": "river"}, "game.cards: found 'river', wanted holdem or one of kuhn, leduc"),
    ],
)
def test_deals__refuses_a_game_that_lists_none_and_other_rounds(change, expected, refused):
    with refused(expected):
        deals(GAMES["leduc"].config(2).model_copy(update=change))


def test_answers__bounds_lie_far_below_the_uniform_strategy():
    """A bound near the untrained score would be met by doing nothing."""
    judged = [
        a for a in ANSWERS
        if a.method not in ("uniform", "coarse") and a.quantity != "value" and not a.below
    ]  # fmt: skip
    assert len(judged) > 40
    for answer in judged:
        most = 0.4 if answer.iterations <= 10 else 0.15
        assert answer.high < most * UNIFORM[answer.game], answer


def test_answers__values_of_the_game_exclude_those_of_the_uniform_strategy():
    """Uniform: 1/8 in Kuhn poker, -0.078 in Leduc poker, 0 in push or fold."""
    untrained = {"kuhn": 0.125, "leduc": -0.0781, "pushfold": 0.0}
    actual = [a for a in ANSWERS if a.quantity == "value"]
    assert {a.game for a in actual} == set(untrained)
    for answer in actual:
        assert answer.low < answer.high
        assert not answer.low <= untrained[answer.game] <= answer.high


def test_answers__are_the_numbers_of_each_game_once():
    keys = [(a.game, a.method, a.iterations, a.quantity, a.below) for a in ANSWERS]
    assert len(keys) == len(set(keys))
    assert ("leduc", "dcfr", 1000, "exploitability", "") in keys
    assert ("kuhn3", "cfr", 1000, "NashConv", "") in keys
    assert all(a.source for a in ANSWERS)


def test_answers__search_is_held_to_what_is_measured_and_to_nothing_easier():
    """Better than its blueprint, which is itself to be far better than the uniform strategy."""
    held = {(a.game, a.below) for a in ANSWERS if a.method == "search4" and a.below}
    assert held == {
        ("leduc", "coarse"), ("leduc", "search1"), ("reduced", "coarse"), ("reduced", "search1"),
        ("rps", "search1"),
    }  # fmt: skip
    for answer in ANSWERS:
        if answer.method == "coarse":
            assert answer.high == 0.5 * UNIFORM[answer.game]
