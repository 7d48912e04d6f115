"""Deals of the cards that a player cannot see, by beliefs about the others' hands."""

import numpy as np

from sixmax.betting.config import SEEN
from sixmax.cards.deck import holds
from sixmax.hands.record import UNSEEN
from sixmax.search.solvers.deal import draw_cards, urn


def deals_by(
    beliefs: np.ndarray,
    seat: int,
    hole: np.ndarray,
    board: np.ndarray,
    ranks: int,
    seed: np.uint64,
    deals: int,
) -> np.ndarray:
    """Cards of all seats and a whole board: int8[deals, 2 seats + 5], no rows where none agree.

    ``seat`` holds ``hole`` int8[2]; or int8[0], and then UNSEEN ones. The others hold hands by
    ``beliefs`` float64[seats, holes], and ``board`` int8[0, 3, 4 or 5] is seen. The joint
    probability of the others' hands is the product of the beliefs (:mod:`sixmax.ongoing.bayes`).
    """
    known, others = np.concatenate([hole, board]), np.delete(beliefs, seat, axis=0)
    if not (others[:, ~holds(known, ranks)] > 0.0).any(axis=1).all():
        return np.empty((0, 2 * len(beliefs) + SEEN[-1]), np.int8)
    drawn = draw_cards(seed, 0, deals, urn(others, board, ranks, dead=hole))
    own = np.full((len(drawn), 2), UNSEEN, np.int8)
    own[:, : hole.size] = hole
    return np.hstack([drawn[:, : 2 * seat], own, drawn[:, 2 * seat :]])
