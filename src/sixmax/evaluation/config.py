"""The ``evaluation`` section: which matches are played, and for how long."""

from typing import Literal

from pydantic import Field

from sixmax.section import Section


class EvaluationConfig(Section):
    """Duplicate matches with seat rotation: every deal is played once from each seat."""

    deals: int = Field(ge=100)  # a match; each is played `seats` times
    early_snapshot: int = Field(ge=1)  # which snapshot the blueprint is compared with, from 1
    search_setting: Literal["fast", "full"] = "fast"  # of the section search
    search_hands: int = Field(default=0, ge=0)  # in which the gain of search is measured; 0: none
    search_deals: int = Field(default=0, ge=0)  # that a player who searches plays; 0: none
    pluribus_hands: str = ""  # folder of Pluribus's published logs; "" leaves the comparison out
    lbr_deals: int = Field(default=2000, ge=0)  # a protocol, four hands each; two players only
