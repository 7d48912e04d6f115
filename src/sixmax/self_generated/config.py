"""The ``self_generated`` section: the values kept for the end of the first round."""

from pydantic import Field

from sixmax.base.config_section import Section


class SelfGeneratedConfig(Section):
    """Modicum paper, section 4: a response to the solution so far is the next strategy."""

    values: int = Field(default=0, ge=0, le=16)  # of each player at a leaf; 0: none are kept
    iterations: int = Field(default=16_000_000, ge=1)  # of the training of a response
    trunk_iterations: int = Field(default=1_000, ge=1)  # of the first round, all hands at once
    roll_outs: int = Field(default=4_000_000, ge=1)  # deals from which a value is estimated
