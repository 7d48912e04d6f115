"""The ``self_generated`` section: the values kept for the end of the first round."""

from typing import NamedTuple

from pydantic import Field

from sixmax.base.config_section import Section


class SelfGeneratedConfig(Section):
    """Modicum paper, section 4: a response to the solution so far is the next strategy."""

    values: int = Field(default=0, ge=0, le=16)  # of each player at a leaf; 0: none are kept


class Responses(NamedTuple):
    """The work for a response and its value."""

    iterations: int = 16_000_000  # of its training, a traversal each; 4 M win a quarter as much
    trunk_iterations: int = 1_000  # of the first round, all hands at once, with the values so far
    roll_outs: int = 4_000_000  # deals from which it is valued at every leaf


RESPONSES = Responses()
