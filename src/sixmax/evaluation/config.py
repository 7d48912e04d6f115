"""The ``evaluation`` section: which matches are played, and for how long."""

import math
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from sixmax.base.config_section import Section
from sixmax.evaluation.match.pairings import BOUNDS, PARTICIPANTS, Entrant


class ExperimentsConfig(Section):
    """The paper's two experiments: the blueprint alone among others, and copies around another."""

    deals: int = Field(ge=1000)  # of each experiment; `copies` shares them among participants
    aivat_deals: int = Field(ge=0)  # of each, the first, that AIVAT scores too

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if 0 < self.aivat_deals < 2 * len(PARTICIPANTS):
            raise ValueError("aivat_deals gives a participant fewer than 2; take 0 or more")
        return self


class EvaluationConfig(Section):
    """Duplicate matches with seat rotation: every deal is played once from each seat."""

    deals: int = Field(ge=100)  # a match; each is played `seats` times
    search_setting: Literal["fast", "full"] = "fast"  # of the section search
    search_hands: int = Field(default=0, ge=0)  # in which the gain of search is measured; 0: none
    # Ways in which such a hand goes on into flop, turn and river.
    search_branches: list[Annotated[int, Field(ge=1)]] = Field(
        default=[1, 1, 1], min_length=3, max_length=3
    )
    subgame_hands: int = Field(default=0, ge=0)  # of each form of play in Table S1; 0: no table
    search_deals: int = Field(default=0, ge=0)  # that a player who searches plays; 0: none
    pluribus_hands: str = ""  # folder of Pluribus's published logs; "" leaves the comparison out
    pluribus_search_hands: int = Field(default=0, ge=0)  # of those, in which search is held to them
    lbr_deals: int = Field(default=2000, ge=0)  # a protocol, four hands each; two players only
    # Of protocols by name, in which a local best response meets search; two players only.
    lbr_search: dict[Literal[BOUNDS], Annotated[int, Field(ge=0)]] = Field(default={})
    experiments: ExperimentsConfig
    values_hands: int = Field(ge=100)  # of self-play, from which the values of AIVAT come
    aivat_deals: int = Field(default=0, ge=0)  # a match that is scored by AIVAT; 0: none is

    @property
    def search_hands_of_job(self) -> int:
        """The hands in which a job measures the gain: fewer, where each goes on in more ways."""
        return max(4, 100 // math.prod(self.search_branches))

    @field_validator(
        "search_hands", "subgame_hands", "search_deals", "lbr_deals", "aivat_deals", "lbr_search"
    )
    @classmethod
    def _has_an_error(cls, value: int | dict[str, int]) -> int | dict[str, int]:
        if 1 in (value.values() if isinstance(value, dict) else [value]):
            raise ValueError("one sample has no standard error; take 0, or 2 and more")
        return value


def _entrants(values: list[str]) -> list[str]:
    entrants = [Entrant.parse(value) for value in values]
    if len(set(entrants)) < len(entrants):
        raise ValueError("an entrant is named twice; name each once")
    if len(entrants) == 1:
        raise ValueError("one entrant has nobody to play; name two or more, or none")
    return values


League = Annotated[list[str], AfterValidator(_entrants)]  # run, or run/agent
