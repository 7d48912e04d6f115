"""The ``continuation`` section: how the blueprint is biased at the leaves of a search."""

from pydantic import Field

from sixmax.config_section import Section


class ContinuationConfig(Section):
    """Supplement, "Leaf node values in imperfect-information subgames"."""

    bias: float = Field(gt=1)
