"""A game of one's own: a table of payoffs, or betting and deals."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sixmax.errors import UserError
from sixmax.games.listed import ListedGame, of_cards, of_payoffs


def game(
    rules: Mapping[str, Any] | Sequence[Any] | np.ndarray,
    deals: Iterable[tuple[Sequence[Sequence[Hashable]], Sequence[float]]] | None = None,
    title: str = "game",
    actions: Sequence[str] | None = None,
) -> ListedGame:
    """A game to solve: ``game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])``.

    * A table of payoffs, where all choose at once: float[rows, columns] of the first of two
      players, or float[players, actions of the first, …]. ``actions`` names them.
    * ``rules`` of the betting, as the section `game` of a config, with all ``deals``, equally
      likely: pairs (seen, strength), ``seen[player][round]`` all that a player knows of the cards
      in a round, ``strength[player]`` the showdown's, the highest wins::

        kuhn = {"stacks": [2, 2], "antes": [1, 1],
                "rounds": [{"sizes": [["1 chips"]], "max_raises": 1}]}
        game(kuhn, [([a, b], [a, b]) for a in "123" for b in "123" if a != b])

    Raises UserError for values that make no game.
    """
    if isinstance(rules, Mapping):
        if deals is None:
            raise UserError("game: found rules without deals, wanted both, or a table of payoffs")
        return of_cards(title, rules, deals)
    if deals is not None:
        raise UserError("game: found payoffs with deals, wanted rules (a dict) with them")
    return of_payoffs(title, rules, actions)
