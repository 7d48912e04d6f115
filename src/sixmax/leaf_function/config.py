"""The ``leaf_function`` section: the network that may value the leaves of a search."""

from pydantic import Field

from sixmax.base.config_section import Section


class LeafFunctionConfig(Section):
    """Modicum paper, section 6.2: a network in the place of roll-outs; it is smaller here."""

    states: int = Field(default=0, ge=0)  # 0: no leaf function
    rollouts: int = Field(default=8, ge=2)  # of a state and own choice
    layers: int = Field(default=3, ge=1, le=8)
    units: int = Field(default=64, ge=1, le=1024)  # of each layer
    epochs: int = Field(default=12, ge=1)
    batch: int = Field(default=500, ge=1)
