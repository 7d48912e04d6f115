"""The ``evaluation`` section: which matches are played, and for how long."""

from pydantic import Field

from sixmax.section import Section


class EvaluationConfig(Section):
    """Duplicate matches with seat rotation: every deal is played once from each seat."""

    deals: int = Field(ge=100)  # a match; each is played `seats` times
    early_snapshot: int = Field(ge=1)  # which snapshot the blueprint is compared with, from 1
    values_hands: int = Field(ge=100)  # of self-play, from which the values of AIVAT come
    aivat_deals: int = Field(ge=100)  # a match that is scored by AIVAT
