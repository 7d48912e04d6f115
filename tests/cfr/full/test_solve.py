"""Full-width CFR against the numbers that the world knows."""

import numpy as np
import pytest

from cfr.games import small
from sixmax.cfr.full.best_response import nash_conv, values
from sixmax.cfr.full.solve import solve, solve_field
from sixmax.cfr.full.sweep import field
from sixmax.cfr.methods import CFR, CFR_PLUS, DCFR, LINEAR
from sixmax.cfr.policy import uniform

# OpenSpiel 2.0.2, alternating updates: exploitability (NashConv / 2) for two players, NashConv for
# three, to the digits printed. Untrained: Kuhn .4583, Leduc 2.374, Kuhn for three 2.0625.
KNOWN = [
    ("kuhn", 2, CFR, {10: ".0687", 100: ".00823", 1000: ".000938", 10_000: ".000113"}),
    ("kuhn", 2, CFR_PLUS, {10: ".0327", 100: ".00119", 1000: "8.7e-5", 10_000: "9.6e-6"}),
    ("kuhn", 2, LINEAR, {10: ".02125", 100: ".00109", 1000: "9.35e-5"}),
    ("kuhn", 3, CFR, {10: ".3125", 100: ".0370", 1000: ".00392"}),
    ("leduc", 2, CFR, {10: ".8886", 100: ".0957", 1000: ".01182"}),
    ("leduc", 2, CFR_PLUS, {10: ".6104", 100: ".01342", 1000: ".000257~.15"}),
    ("leduc", 2, LINEAR, {10: ".7211", 30: ".1448", 100: ".0345"}),
    ("leduc", 2, LINEAR, {300: ".01527~.3", 1000: ".00483~.6"}),
    ("leduc", 2, DCFR, {10: ".7788", 30: ".0638", 100: ".00775~.003"}),
    ("leduc", 2, DCFR, {300: ".000989~.25", 1000: ".000143~.5"}),
]  # fmt: skip


def allowed(printed):
    """A printed number and its tolerance: half its last digit, or with a ~ that share.

    Late in Leduc the order in which deals are added up decides, by rounding alone. In ten orders:
    CFR+ .000233 to .000259, Linear .0119 to .0197 and .0049 to .0075, DCFR .007754 to .007759,
    .00096 to .00121 and .00014 to .00021.
    """
    number, _, share = printed.partition("~")
    mantissa, _, exponent = number.partition("e")
    half_a_digit = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return float(number), float(share) * float(number) if share else half_a_digit


@pytest.mark.parametrize(("name", "seats", "method", "known"), KNOWN)
def test_solve__scores_what_openspiel_scores(name, seats, method, known):
    tree, dealer, layout, _ = small(name, seats)
    result = solve(tree, layout, dealer.deals, max(known), method, known)
    assert list(result) == list(known)
    for t, printed in known.items():
        actual = nash_conv(tree, layout, dealer.deals, result[t]).total / (2 if seats == 2 else 1)
        expected, error = allowed(printed)
        assert actual == pytest.approx(expected, abs=error), t


def test_solve__leduc_reaches_its_value():
    """-0.085606424078 to the first player (linear programme); uniform: -0.078."""
    tree, dealer, layout, _ = small("leduc", 2)
    actual = solve(tree, layout, dealer.deals, 2000, CFR_PLUS)[2000]
    result = nash_conv(tree, layout, dealer.deals, actual)
    assert result.total < 3e-4
    # A player who wins at most g more by a best response is within g of the value of the game.
    assert result.values[0] == pytest.approx(-0.085606424078, abs=result.gains.max())


def test_solve__stops_are_those_of_a_shorter_run():
    tree, dealer, layout, _ = small("leduc", 2)
    long = solve(tree, layout, dealer.deals, 20, DCFR, [20, 5, 5])
    assert list(long) == [5, 20]
    assert np.array_equal(long[5], solve(tree, layout, dealer.deals, 5, DCFR)[5])


def test_solve__the_first_iteration_averages_the_uniform_strategy():
    tree, dealer, layout, _ = small("kuhn", 3)
    first = solve(tree, layout, dealer.deals, 1)[1]
    # Each averages before it moves for the first time, though the others may have moved by then.
    assert np.array_equal(first, uniform(tree, layout))


@pytest.mark.parametrize("at", [[0], [11]])
def test_solve__refuses_iterations_that_are_not_there(at):
    tree, dealer, layout, _ = small("kuhn", 2)
    with pytest.raises(ValueError, match="wanted numbers from 1 to 10"):
        solve(tree, layout, dealer.deals, 10, CFR, at)


def test_solve_field__what_is_frozen_stays_and_the_others_answer_it():
    """Kuhn, the first player uniform: a player who answers wins as much as a best response."""
    tree, dealer, layout, _ = small("kuhn", 2)
    frozen = np.full(layout.size, np.nan)
    end = layout.base[0, 0] + layout.columns[0, 0] * layout.buckets[0]
    frozen[layout.base[0, 0] : end] = 0.5
    game = field(tree, layout, dealer.deals)
    actual = solve_field(game, tree, layout, 500, CFR_PLUS, (), frozen)[500]
    for strategy in actual:
        assert np.array_equal(strategy[layout.base[0, 0] : end], frozen[layout.base[0, 0] : end])
    uniformly = nash_conv(tree, layout, dealer.deals, uniform(tree, layout))
    expected = uniformly.values[1] + uniformly.gains[1]
    assert values(tree, layout, dealer.deals, actual.average)[1] == pytest.approx(
        expected, abs=1e-3
    )
    assert expected > 0.4 > -1 / 18
