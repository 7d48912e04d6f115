"""Where in the blueprint's tree a hand is that was played with other raises."""

from typing import NamedTuple

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.game.tree import Tree

SAME, TRANSLATED, NEAREST = range(3)  # how a place was found


class Places(NamedTuple):
    """The blueprint's tree, with what it takes to find a node in it; made once a run."""

    game: GameConfig
    tree: Tree


def places(game: GameConfig, tree: Tree) -> Places:
    """The places of ``tree``, which was built for ``game``."""
    raise NotImplementedError


def locate(places: Places, hand: np.ndarray, actions: np.ndarray) -> tuple[int, int]:
    """``(node, how)``: the decision node nearest to the state after ``actions`` of a real hand.

    ``hand`` int64[LENGTH] is the real hand before its first action.
    """
    raise NotImplementedError
