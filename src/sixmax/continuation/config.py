"""The ``continuation`` section: the strategies at the leaves of a search."""

from pydantic import Field

from sixmax.base.config_section import Section


class ContinuationConfig(Section):
    """Supplement, "Leaf node values in imperfect-information subgames"."""

    bias: float = Field(gt=1)
