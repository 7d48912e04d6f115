"""The ``continuation`` section: the strategies at the leaves of a search."""

from pydantic import Field, field_validator

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.continuation.generate import generator


class ContinuationConfig(Section):
    """Supplement, "Leaf node values in imperfect-information subgames"."""

    bias: float = Field(gt=1)
    generator: str = "bias"

    @field_validator("generator")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            generator(name)
        except UserError as error:
            raise ValueError(str(error)) from None
        return name
