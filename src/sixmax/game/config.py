"""The ``game`` section: who sits with how many chips, and which raises the tree contains."""

from typing import Literal, Self

from pydantic import Field, model_validator

from sixmax.section import Section

# A raise is a fraction of the pot after calling, "A" for all-in, or "N chips" for a fixed raise.
Size = float | int | str
MAX_SEATS = 10


class RoundSizes(Section):
    """Raises of one betting round: what is offered, how often, and to how many players."""

    sizes: list[list[Size]] = Field(min_length=1)  # by raise number; the last serves all later
    max_raises: int = Field(ge=0, le=20)
    max_players: int = Field(ge=2, le=MAX_SEATS)  # no raise with more players left than this


class GameConfig(Section):
    """Rules and action abstraction (supplement, "Further details of the abstraction algorithm")."""

    cards: Literal["holdem", "kuhn", "leduc"] = "holdem"
    stacks: list[int] = Field(min_length=2, max_length=MAX_SEATS)  # chips
    blinds: list[int]  # chips, by seat
    antes: list[int]  # chips, by seat
    first: list[int]  # seat that is first to act, by round
    rounds: list[RoundSizes] = Field(min_length=1, max_length=4)

    @property
    def seats(self) -> int:
        return len(self.stacks)

    @model_validator(mode="after")
    def _agree(self) -> Self:
        for name in ("blinds", "antes"):
            if len(getattr(self, name)) != self.seats:
                raise ValueError(f"{name} must have one number for each of {self.seats} stacks")
        if len(self.first) != len(self.rounds):
            raise ValueError(f"first must have one seat for each of {len(self.rounds)} rounds")
        return self
