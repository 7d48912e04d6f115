"""The beliefs of an outside observer about each player's two cards.

Beliefs are float64[seats, holes], one distribution a seat (supplement, "Real-time search in
Pluribus"). Seats are taken as independent but for the cards: the probability of hands h_1 … h_n is
in proportion to the product of their beliefs where no two share a card, and zero elsewhere. That
form is exact, not an approximation: it holds before the deal is seen, and an action or a board
card multiplies it by a factor of one seat's hand. For the chance of one seat's hands alone the
others' cards must still be removed: :func:`given` does so where a hand is known.
"""

import numpy as np

from sixmax.cards.deck import holds, hole_cards, n_holes


def before_the_deal(seats: int, ranks: int = 13) -> np.ndarray:
    """Every hand of every seat equally likely: float64[seats, holes]."""
    return np.full((seats, n_holes(ranks)), 1 / n_holes(ranks))


def after_action(beliefs: np.ndarray, seat: int, likelihood: np.ndarray) -> np.ndarray:
    """Beliefs after an action that ``seat`` takes with ``likelihood`` float64[holes], by hand.

    Bayes' rule. # ASSUME an action that no possible hand takes leaves the beliefs as they were.
    """
    after = beliefs.copy()
    weight = beliefs[seat] * likelihood
    if (total := weight.sum()) > 0:
        after[seat] = weight / total
    return after


def after_cards(beliefs: np.ndarray, cards: np.ndarray, ranks: int = 13) -> np.ndarray:
    """Beliefs once ``cards`` int8[…] are known to be in no private hand.

    A seat without any possible hand left becomes uniform over the possible hands.
    """
    possible = ~holds(cards, ranks)
    after = beliefs * possible
    after[after.sum(axis=1) <= 0] = possible
    return after / after.sum(axis=1, keepdims=True)


def given(beliefs: np.ndarray, seat: int, hole: int, ranks: int = 13) -> np.ndarray:
    """Beliefs of the player in ``seat`` who holds ``hole`` (hole_id): its own row is certain."""
    after = after_cards(beliefs, hole_cards(ranks)[hole], ranks)
    after[seat] = 0
    after[seat, hole] = 1
    return after
