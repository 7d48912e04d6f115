"""Beliefs against Bayes' rule over all deals of a deck of twelve cards."""

import itertools

import numpy as np
import pytest

from sixmax.cards.deck import hole_cards, hole_id
from sixmax.ongoing.bayes import after_action, after_cards, before_the_deal, holds, under_hypotheses

RANKS = 3
HOLES = [frozenset(int(c) for c in hole) for hole in hole_cards(RANKS)]


def by_hand(seats, factors, board=()):
    """The probability of each deal: uniform, times what each seat's hand makes of the actions."""
    weight = {}
    for deal in itertools.product(range(len(HOLES)), repeat=seats):
        cards = [c for h in deal for c in HOLES[h]] + list(board)
        if len(set(cards)) == len(cards):
            weight[deal] = np.prod([f[deal[seat]] for seat, f in factors])
    total = sum(weight.values())
    return {deal: w / total for deal, w in weight.items()}


def of_seat(joint, seat):
    marginal = np.zeros(len(HOLES))
    for deal, p in joint.items():
        marginal[deal[seat]] += p
    return marginal


def marginals(beliefs):
    """How likely each hand of two players is, with the other's cards removed: float64[2, holes]."""
    apart = np.array([[not mine & theirs for theirs in HOLES] for mine in HOLES])
    own = beliefs * (beliefs[::-1] @ apart)
    return own / own.sum(axis=1, keepdims=True)


def actions(seats, n, seed=1):
    rng = np.random.default_rng(seed)
    return [(int(rng.integers(seats)), rng.random(len(HOLES)) ** 3) for _ in range(n)]


def test_beliefs__of_two_players_are_bayes_rule():
    factors, board = actions(2, 5), [0, 7, 11]
    beliefs = before_the_deal(2, RANKS)
    for seat, likelihood in factors[:3]:
        beliefs = after_action(beliefs, seat, likelihood)
    beliefs = after_cards(beliefs, np.array(board), RANKS)
    for seat, likelihood in factors[3:]:
        beliefs = after_action(beliefs, seat, likelihood)
    joint = by_hand(2, factors, board)
    for seat in range(2):
        expected, actual = of_seat(joint, seat), marginals(beliefs)[seat]
        np.testing.assert_allclose(actual, expected, atol=1e-12)
        assert not np.allclose(beliefs[seat], expected, atol=1e-4)  # the cards do matter


def test_beliefs__of_three_players_with_the_cards_removed_are_bayes_rule():
    factors = actions(3, 4)
    beliefs = before_the_deal(3, RANKS)
    for seat, likelihood in factors:
        beliefs = after_action(beliefs, seat, likelihood)
    expected = by_hand(3, factors)
    actual = {deal: np.prod([beliefs[s, h] for s, h in enumerate(deal)]) for deal in expected}
    total = sum(actual.values())
    worst = max(abs(actual[deal] / total - p) for deal, p in expected.items())
    assert worst < 1e-12


def test_after_action__by_hand():
    # One of 66 hands raises always, the others one time in ten: 1 against 6.5.
    likelihood = np.full(66, 0.1)
    likelihood[5] = 1
    after = after_action(before_the_deal(2, RANKS), 1, likelihood)
    assert after[1, 5] == pytest.approx(1 / 7.5)
    assert after[1, 6] == pytest.approx(0.1 / 7.5)
    assert (after[0] == 1 / 66).all()


def test_after_action__nobody_would_do_this():
    before = before_the_deal(2, RANKS)
    np.testing.assert_array_equal(after_action(before, 0, np.zeros(66)), before)


def test_after_cards__leaves_no_hand_with_them():
    after = after_cards(before_the_deal(3, RANKS), np.array([2, 9]), RANKS)
    dead = holds(np.array([2, 9]), RANKS)
    assert dead.sum() == 11 + 10
    assert (after[:, dead] == 0).all()
    np.testing.assert_allclose(after[:, ~dead], 1 / 45)


def test_after_cards__an_impossible_seat_becomes_uniform():
    sure = before_the_deal(2, RANKS)
    sure[0] = np.eye(66)[hole_id(2, 9)]
    for beliefs in (sure, under_hypotheses(sure, np.array([0.7, 0.3]))):
        after = after_cards(beliefs, np.array([2]), RANKS)
        after = after.sum(axis=0) if after.ndim == 3 else after
        np.testing.assert_allclose(after[0][~holds(np.array([2]), RANKS)], 1 / 55)


def test_hypotheses__are_weighed_by_how_well_they_predict():
    """One seat and hand after the other: prior, times the product of its likelihoods."""
    prior, random, board = np.array([0.7, 0.3]), np.random.default_rng(4), np.array([0, 7, 11])
    steps = [(k % 2, random.random((2, 66)) ** 2) for k in range(5)]
    beliefs, expected = under_hypotheses(before_the_deal(2, RANKS), prior), np.ones((2, 2, 66))
    for seat, likelihood in steps:
        beliefs = after_action(beliefs, seat, likelihood)
        expected[:, seat] *= likelihood
    beliefs = after_cards(beliefs, board, RANKS)
    expected *= prior[:, None, None] * ~holds(board, RANKS)
    expected /= expected.sum(axis=(0, 2), keepdims=True)
    np.testing.assert_allclose(beliefs, expected, atol=1e-14)
    assert abs(beliefs[0, 0].sum() - 0.7) > 0.05
