"""The values of AIVAT: means of self-play, equities, and what is fitted, against slow twins."""

import itertools

import numpy as np
import pytest

from evaluation.small_games import CALLER, agents_of, random_policy
from oracles.aivat import path_to
from oracles.evaluation import fields
from sixmax.betting.tree import is_decision
from sixmax.evaluation.aivat.values import (
    KNOTS,
    between,
    check_values,
    equity_of,
    first_round,
    root_means,
)
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.aivat.values_fit import FEW, fit
from sixmax.evaluation.match.play import self_play
from sixmax.ongoing.policies import mixed

HANDS = 4000


@pytest.fixture(scope="module")
def estimated(leduc2):
    """Values of Leduc before anything is fitted, and the player that they are of."""
    player = mixed(leduc2.ground, random_policy(leduc2, 11))
    return player, estimate(leduc2.config, leduc2.ground, leduc2.dealer, player, HANDS, 1)


def played(game, player, hands, seed):
    """Deals of self-play, the nodes where they ended, and net chips."""
    return next(self_play(game.ground, game.dealer, player, hands, seed))


def test_estimate__means_of_the_root_are_those_of_play(leduc2, estimated):
    player, values = estimated
    _, _, net = played(leduc2, player, HANDS, 1)
    actual = root_means(values, leduc2.dealer, 2)
    error = net.std(axis=0) / np.sqrt(HANDS)
    assert (abs(actual - net.mean(axis=0)) < 4 * error).all()
    assert abs(actual.sum()) < 4 * error.sum()


def test_estimate__equities_of_callers_are_those_of_the_cards(leduc2):
    player = agents_of(leduc2)[CALLER][0]
    values = estimate(leduc2.config, leduc2.ground, leduc2.dealer, player, 40_000, 1)
    bucket, rank = leduc2.deals.bucket, leduc2.deals.rank[:, 0]
    share = np.where(rank[:, 0] > rank[:, 1], 1.0, np.where(rank[:, 0] == rank[:, 1], 0.5, 0.0))
    for r in range(2):
        for mine, theirs in {tuple(pair) for pair in bucket[:, :, r]}:
            same = (bucket[:, 0, r] == mine) & (bucket[:, 1, r] == theirs)
            assert abs(values.equity[r, mine, theirs] - share[same].mean()) < 0.05


def test_between__lies_on_straight_lines():
    random = np.random.default_rng(1)
    table, knots = random.random((KNOTS, KNOTS)), np.linspace(0, 1, KNOTS)
    for e, h in random.random((50, 2)):
        by_strength = [np.interp(h, knots, row) for row in table]
        assert between(table, e, h) == pytest.approx(np.interp(e, knots, by_strength))
    assert between(table, 1.0, 1.0) == pytest.approx(table[-1, -1])
    assert between(table, -0.1, 0.0) == table[0, 0]


DAMAGES = [  # an array, its first element or another shape, and the refusal
    ("block", 10**6, "a block of a node that there is not"),
    ("at", 10**6, "a block outside of its entries"),
    ("at", -1, "a block outside of its entries"),
    ("seats", 4, "seats that there are not"),
    ("situation", 30_000, "an unknown situation"),
    ("equity", 1.5, "a share of the pot that is none"),
    ("strength", np.nan, "a share of the pot that is none"),
    ("chips", np.s_[1:], "values of another tree"),
    ("chips", np.s_[:, :1], "values of another tree"),
    ("equity", np.s_[1:], "values of other rounds or buckets"),
    ("strength", np.s_[:, 1:], "values of other rounds or buckets"),
    ("share", np.s_[:, 1:], "corrections of another shape"),
]


@pytest.mark.parametrize(("field", "damage", "refusal"), DAMAGES)
def test_check_values__refuses_what_leads_out_of_the_arrays(
    leduc2, estimated, field, damage, refusal
):
    _, values = estimated
    buckets = [values.equity.shape[1]] * 2
    check_values(values, leduc2.tree, buckets)
    array = getattr(values, field)
    if isinstance(damage, int | float):
        array = array.copy()
        at = np.flatnonzero(values.block == np.arange(len(values.block)))[0]
        array[at if field in ("at", "block") else (0,) * array.ndim] = damage
    else:
        array = array[damage]
    with pytest.raises(ValueError, match=refusal):
        check_values(values._replace(**{field: array}), leduc2.tree, buckets)


def test_fit__equals_the_slow_twin(leduc2, estimated):
    player, values = estimated
    actual = fit(values, leduc2.ground, leduc2.dealer, player, 1000, 5).share
    expected = slow_fit(leduc2, values, *played(leduc2, player, 1000, 5))
    assert abs(actual).max() > 0.01
    np.testing.assert_allclose(actual, expected, atol=1e-5)


def slow_fit(game, values, dealt, end, net):
    """Sums over the points of every hand, one after the other, and their shrunk means."""
    tree, n = game.tree, KNOTS - 1
    sums = np.zeros((*values.share.shape, 3))
    for i, z in enumerate(end):
        path = path_to(tree, int(z))
        for before, x in itertools.pairwise(path):
            if not is_decision(tree.node[x, 0]):
                continue
            seat, r, *_ = fields(tree, x)
            last = fields(tree, before)[1]
            if not (last == 0 or r > last):
                continue  # reached neither by an action of the first round nor by a round's last
            for p in range(net.shape[1]):
                situation = values.situation[x]
                if not values.seats[x] >> p & 1 or situation < 0:
                    continue
                b, pot = dealt.bucket[i, p, last], float(values.pot[x])
                e = equity_of(values, values.seats[x], last, p, b, dealt.bucket[i])
                h = values.strength[last, b]
                value = pot * e - values.chips[x, p]
                if last == 0 and values.block[x] >= 0:
                    sure = np.eye(values.equity.shape[1])[b]
                    value = first_round(values, values.block[x], p, sure, dealt.bucket[i])
                role = 2 * (r == last and seat == p) + (values.seats[x] >> (p + 1) == 0)
                near = np.maximum(0, 1 - abs(e * n - np.arange(n + 1)))
                weight = near[:, None] * np.maximum(0, 1 - abs(h * n - np.arange(n + 1)))
                for k, part in enumerate((pot * (net[i, p] - value), pot * pot, 1.0)):
                    sums[situation, role, :, :, k] += weight * part
    gained, pots, met = np.moveaxis(sums, -1, 0)
    few = FEW * pots.sum(axis=(2, 3)) / np.maximum(met.sum(axis=(2, 3)), 1)
    few = np.maximum(few, 1e-9)[:, :, None, None]
    usual = gained.sum(axis=3, keepdims=True) / (pots.sum(axis=3, keepdims=True) + few)
    return (gained + few * usual) / (pots + few)
