"""Constraints of a subgame: rows that stay, and the opponent's alternative."""

from typing import NamedTuple

import numpy as np


class FrozenRow(NamedTuple):
    """A row that a solver may not change: an own earlier decision, for the hand held."""

    node: int  # of the subgame's tree, in its round 0
    hole: int
    row: np.ndarray  # float64[actions]


class Alternative(NamedTuple):
    """The opponent's alternative to the subgame, for safe solving (:mod:`sixmax.cfr.gadget`)."""

    seat: int  # the opponent's
    values: np.ndarray  # float64[holes], net chips outside of the subgame, gifts included
    gadget: str = "resolve"  # a name of cfr.gadget.GADGETS
