"""The ``leaf_function`` section: the network that may value the leaves of a search."""

from typing import NamedTuple

from pydantic import Field

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError

# Features: of the public state, and of a hand (sixmax.leaf_function.features explains them).
PUBLIC = ("pot", "stack", "bet", "turn", "players", "flop", "texture")
HAND = ("strength", "spread")
MOST = 34  # of the Modicum paper: those of six seats and four continuations


class LeafFunctionConfig(Section):
    """Modicum paper, section 6.2: a network in the place of roll-outs; it is smaller here."""

    states: int = Field(default=0, ge=0)  # 0: no leaf function


class NetworkSizes(NamedTuple):
    """The network and its training. Modicum: four layers, of 256 and then 128 units."""

    rollouts: int = 8  # of a state and own continuation
    layers: int = 3  # hidden
    units: int = 64  # of each
    epochs: int = 12  # passes over the states
    batch: int = 500  # states of a step of Adam


NETWORK = NetworkSizes()


def names(seats: int, choices: int) -> list[str]:
    """The features of a game of ``seats`` where players choose among so many continuations.

    Raises UserError for more than MOST.
    """
    own = [*PUBLIC, *(f"own {name}" for name in HAND)]
    each = [*HAND, *(f"goes on {k}" for k in range(1, choices))]
    every = own + [f"other {place} {name}" for place in range(1, seats) for name in each]
    if len(every) > MOST:
        raise UserError(
            f"leaf function: found {len(every)} features, of {seats} seats and {choices} "
            f"continuations, wanted {MOST} at most; take a generator of fewer continuations"
        )
    return every
