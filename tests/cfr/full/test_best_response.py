"""Values and best responses: against what the world knows, the slow twin, and play by hand."""

import numpy as np
import pytest

from cfr.games import random_strategy, remembered, small, three_handed
from oracles.cfr import counterfactual, row_of
from oracles.cfr import nash_conv as slow_nash_conv
from sixmax.betting.tree import kind_of
from sixmax.cfr.full.sweep import _play, field, infosets, nash_conv
from sixmax.cfr.policy import shares, uniform

GAMES = [("kuhn", 2), ("kuhn", 3), ("leduc", 2)]


def kuhn_equilibrium(tree, layout, alpha=0.2):
    """Kuhn 1950: the first player bets J with alpha and K with three times that."""
    play = {
        (0, False): [alpha, 0, 3 * alpha],
        (0, True): [0, alpha + 1 / 3, 1],
        (1, False): [1 / 3, 0, 1],
        (1, True): [0, 1 / 3, 1],
    }
    weight = np.zeros(layout.size)
    for x in np.flatnonzero(kind_of(tree.node[:, 0]) == 0):
        seat, facing = tree.seat(x), bool(tree.action[x] > 0)
        for card, bet in enumerate(play[seat, facing]):
            weight[row_of(tree, layout, x, card)] = 1 - bet, bet
    return shares(tree, layout, weight)


# Uniform: 11/12, 4.7472222 and 2.0625, OpenSpiel 2.0.2.
@pytest.mark.parametrize(
    ("name", "seats", "expected"),
    [("kuhn", 2, 11 / 12), ("leduc", 2, 4.7472222), ("kuhn", 3, 2.0625)],
)
def test_nash_conv__of_the_uniform_strategy(name, seats, expected):
    actual = small(name, seats).untrained()
    assert actual.total == pytest.approx(expected, abs=5e-8)
    assert actual.values.sum() == pytest.approx(0, abs=1e-12)


def test_nash_conv__of_kuhns_equilibrium_is_zero():
    tree, dealer, layout, _ = small("kuhn", 2)
    actual = nash_conv(tree, layout, dealer.deals, kuhn_equilibrium(tree, layout))
    assert actual.total == pytest.approx(0, abs=1e-12)
    assert actual.values == pytest.approx([-1 / 18, 1 / 18])  # Kuhn 1950


@pytest.mark.parametrize("make", [*(lambda g=g: small(*g) for g in GAMES), remembered])
def test_nash_conv__equals_slow_twin(make):
    tree, dealer, layout, _ = make()
    strategy = random_strategy(tree, layout)
    expected, expected_values = slow_nash_conv(
        tree, layout, dealer.deals, lambda x, bucket: strategy[row_of(tree, layout, x, bucket)]
    )
    actual = nash_conv(tree, layout, dealer.deals, strategy)
    assert actual.total == pytest.approx(expected, rel=1e-12)
    assert actual.values == pytest.approx(expected_values, rel=1e-9)
    assert nash_conv(tree, layout, dealer.deals, strategy).values == pytest.approx(actual.values)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_best_response__when_played_wins_what_it_says(name, seats):
    tree, dealer, layout, _ = small(name, seats)
    strategy = random_strategy(tree, layout)
    gains = nash_conv(tree, layout, dealer.deals, strategy).gains
    for me in range(seats):
        before = nash_conv(tree, layout, dealer.deals, strategy).values[me]
        response = strategy.copy()
        value = _play(field(tree, layout, dealer.deals), response, me, True)
        assert value > before + 0.01
        assert nash_conv(tree, layout, dealer.deals, response).values[me] == pytest.approx(value)
        assert gains[me] == pytest.approx(value - before)
        mine = np.zeros(layout.size, bool)
        at, n = infosets(tree, layout, me)
        for first, k in zip(at, n, strict=True):
            mine[first : first + k] = True
        assert np.array_equal(response[~mine], strategy[~mine])
        assert set(response[mine]) == {0.0, 1.0}


def test_counterfactual__is_the_value_below_times_the_reach_of_others():
    """By hand, first player of Kuhn with the king, all uniform: a check is answered by a check
    (+1) or, half the time, a bet, to which fold (-1) and call (+2) are as likely: .5 + .25; a bet
    by a fold (+1) or a call (+2). A third of the deals give a king."""
    tree, dealer, layout, _ = small("kuhn", 2)
    actual = counterfactual(tree, layout, dealer.deals, uniform(tree, layout), 0)
    assert actual[row_of(tree, layout, 0, 2)] == pytest.approx([0.75 / 3, 1.5 / 3])


def test_nash_conv__refuses_what_is_no_strategy():
    tree, dealer, layout, _ = small("kuhn", 2)
    with pytest.raises(ValueError, match=r"found int32\[24\], wanted float64\[24\]"):
        nash_conv(tree, layout, dealer.deals, np.zeros(24, np.int32))
    with pytest.raises(ValueError, match="an infoset of seat 0 sums to 2, wanted 1"):
        nash_conv(tree, layout, dealer.deals, np.ones(24))


def test_nash_conv__refuses_buckets_that_forget():
    tree, dealer, layout, _ = three_handed()
    with pytest.raises(ValueError, match="wanted buckets that remember the round before"):
        nash_conv(tree, layout, dealer.deals, uniform(tree, layout))
