"""The boards that may follow a public state.

Boards of a later round follow each other parent by parent: board b of a round is followed by the
boards ``b * fan`` … ``b * fan + fan - 1`` of the next.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cards.deck import as_cards, n_cards

FINAL = 5  # cards on a board at the showdown of hold'em


class FollowingBoards(NamedTuple):
    """Rounds of a subgame are counted from the current one, 0.

    first: int64[rounds + 1]  number of the first board of each round, counted over all rounds
    fan: int64[rounds]        boards of the next round after a board; 0 in the last
    chance: float64[rounds]   probability of each board that two hands leave possible
    """

    first: np.ndarray
    fan: np.ndarray
    chance: np.ndarray


def boards(dealt: list[np.ndarray], ranks: int = 13) -> FollowingBoards:
    """The numbers of the boards ``dealt``, as :func:`that_follow` gives them: int8[B, cards]."""
    known = np.array([cards.shape[1] for cards in dealt])
    # Two hands and the board are known; the last round has no next card, and its entry no use.
    chance = 1.0 / np.maximum(1, n_cards(ranks) - 4 - known)
    fan = np.append(n_cards(ranks) - known[:-1], 0).astype(np.int64)
    return FollowingBoards(np.cumsum([0, *map(len, dealt)]), fan, chance)


def that_follow(
    board: str | Sequence[int] | np.ndarray, ranks: int = 13, final: int = FINAL
) -> list[np.ndarray]:
    """The boards of each round, the first being ``board``: int8[B, cards].

    The last has ``final`` cards: fewer than five in a game that ends before the river. Raises
    UserError for other than three to ``final`` cards, or cards that the deck does not have.
    """
    first = as_cards(board, ranks)
    if not 3 <= len(first) <= final:
        wanted = "3, 4 or 5" if final == FINAL else f"3 to {final}"
        raise UserError(f"board of {len(first)} cards: wanted {wanted}; search later in the hand")
    dealt = [first[None]]
    while dealt[-1].shape[1] < final:
        dealt.append(_next(dealt[-1], n_cards(ranks)))
    return dealt


def _next(dealt: np.ndarray, cards: int) -> np.ndarray:
    """int8[B * fan, k + 1]: each board with every card that it leaves."""
    left = np.ones((len(dealt), cards), bool)
    left[np.arange(len(dealt))[:, None], dealt] = False
    parent, card = np.nonzero(left)
    return np.concatenate([dealt[parent], card[:, None].astype(np.int8)], axis=1)
