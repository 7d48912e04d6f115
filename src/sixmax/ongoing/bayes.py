"""The beliefs of an outside observer about each player's two cards.

Beliefs are float64[seats, holes], one distribution a seat (supplement, "Real-time search in
Pluribus"). The probability of hands h_1 … h_n is in proportion to the product of their beliefs
where no two share a card, and zero elsewhere. That is exact: it holds before the deal is seen, and
an action or a board card multiplies it by a factor of one seat's hand. For the chance of one seat's
hands alone the others' cards must still be removed.

With hypotheses about how players play, beliefs are float64[hypotheses, seats, holes]: the joint
probability of both for each seat.
"""

import numpy as np

from sixmax.cards.deck import holds, n_holes


def before_the_deal(seats: int, ranks: int = 13) -> np.ndarray:
    """Every hand of every seat equally likely: float64[seats, holes]."""
    return np.full((seats, n_holes(ranks)), 1 / n_holes(ranks))


def under_hypotheses(beliefs: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """``beliefs`` under hypotheses of probability ``prior`` float64[hypotheses(, seats)]."""
    prior = np.asarray(prior)
    return prior.reshape(*prior.shape, *(1,) * (3 - prior.ndim)) * beliefs


def after_action(beliefs: np.ndarray, seat: int, likelihood: np.ndarray) -> np.ndarray:
    """Beliefs after an action of ``seat``, by Bayes' rule.

    ``likelihood`` float64[…, holes] is that of each hand, with a row for each hypothesis.
    # ASSUME an action that no possible hand takes leaves the beliefs as they were.
    """
    after = beliefs.copy()
    weight = beliefs[..., seat, :] * likelihood
    if (total := weight.sum()) > 0:
        after[..., seat, :] = weight / total
    return after


def trembling(rows: np.ndarray, action: int, mistake: float) -> np.ndarray:
    """The likelihood float64[holes] of ``action``, by ``rows`` float64[holes, actions].

    # ASSUME players tremble: rows of one byte are nearly pure and would rule hands out.
    """
    return (1 - mistake) * rows[:, action] + mistake / rows.shape[1]


def after_cards(beliefs: np.ndarray, cards: np.ndarray, ranks: int = 13) -> np.ndarray:
    """Beliefs once ``cards`` int8[…] are known to be in no private hand.

    A seat without any possible hand left becomes uniform over the possible hands.
    """
    possible = ~holds(cards, ranks)
    after = beliefs * possible
    after = np.where(_by_seat(after) <= 0, possible, after)
    return after / _by_seat(after)


def _by_seat(beliefs: np.ndarray) -> np.ndarray:
    """The sum of each seat, over hands and hypotheses: float64[…, seats, 1]."""
    seats = beliefs.ndim - 2
    return beliefs.sum(axis=(*range(seats), seats + 1), keepdims=True)
