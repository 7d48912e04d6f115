"""What an outside observer believes of each player's two cards.

Beliefs are float64[seats, holes], one distribution a seat (supplement, "Real-time search in
Pluribus"). Seats are taken as independent but for the cards: the probability of hands h_1 … h_n is
in proportion to the product of their beliefs where no two share a card, and zero elsewhere. That
form is exact, not an approximation: it holds before the deal is seen, and an action or a board
card multiplies it by a factor of one seat's hand. Who needs the chance of one seat's hands alone
must still remove the others' cards: :func:`given` for a hand that is known, and
:func:`marginals` for two players.
"""

import functools

import numpy as np

from sixmax.cards.deck import holds, hole_cards, n_cards, n_holes


def before_the_deal(seats: int, ranks: int = 13) -> np.ndarray:
    """Every hand of every seat equally likely: float64[seats, holes]."""
    return np.full((seats, n_holes(ranks)), 1 / n_holes(ranks))


def after_action(beliefs: np.ndarray, seat: int, likelihood: np.ndarray) -> np.ndarray:
    """Beliefs once ``seat`` has done what it does with ``likelihood`` float64[holes], by hand held.

    Bayes' rule. # ASSUME an action that no possible hand takes tells nothing: the beliefs stay.
    """
    after = beliefs.copy()
    weight = beliefs[seat] * likelihood
    if (total := weight.sum()) > 0:
        after[seat] = weight / total
    return after


def after_cards(beliefs: np.ndarray, cards: np.ndarray, ranks: int = 13) -> np.ndarray:
    """Beliefs once ``cards`` int8[…] are known not to be in any hand.

    A seat all of whose hands have one of them becomes uniform over the hands that are possible.
    """
    possible = ~holds(cards, ranks)
    after = beliefs * possible
    after[after.sum(axis=1) <= 0] = possible
    return after / after.sum(axis=1, keepdims=True)


def given(beliefs: np.ndarray, seat: int, hole: int, ranks: int = 13) -> np.ndarray:
    """Beliefs of who holds ``hole`` (hole_id) in ``seat``: its own row is sure of it."""
    after = after_cards(beliefs, hole_cards(ranks)[hole], ranks)
    after[seat] = 0
    after[seat, hole] = 1
    return after


def marginals(beliefs: np.ndarray, ranks: int = 13) -> np.ndarray:
    """How likely each hand of two players is with the other's cards removed: float64[2, holes].

    Raises ValueError where there are not two players, or no two hands fit together.
    """
    if len(beliefs) != 2:
        raise ValueError(f"beliefs of {len(beliefs)} players, wanted 2")
    own = beliefs * np.stack([_mass_without(beliefs[1 - seat], ranks) for seat in range(2)])
    if (own.sum(axis=1) <= 0).any():
        raise ValueError("no hand of one player fits a hand of the other")
    return own / own.sum(axis=1, keepdims=True)


def _mass_without(belief: np.ndarray, ranks: int) -> np.ndarray:
    """For each hole, the mass of ``belief`` float64[holes] on hands without its two cards."""
    cards = _cards(ranks)
    with_card = np.zeros(n_cards(ranks))
    for column in cards.T:
        np.add.at(with_card, column, belief)
    # Hands with one card or the other; the hole itself has both and was counted twice.
    mass = belief.sum() - with_card[cards].sum(axis=1) + belief
    return np.maximum(mass, 0)


@functools.cache
def _cards(ranks: int) -> np.ndarray:
    return hole_cards(ranks).astype(np.int64)
