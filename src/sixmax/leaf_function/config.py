"""The ``leaf_function`` section: the network that may value the leaves of a search."""

from typing import NamedTuple

from pydantic import Field

from sixmax.base.config_section import Section


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
