"""The ``game`` section: seats with their chips, and the raises that the tree contains."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from sixmax.base.config_section import Section
from sixmax.betting.bet_size import Given, checked

MAX_SEATS = 10
MAX_SIZES = 14  # raises at one decision; the paper's tree offers up to 14
MAX_CHIPS = 2**31 - 1  # on the table: the tree's records are int32
SEEN = (0, 3, 4, 5)  # hold'em: board cards that players see in each round
_NAMES = {
    2: ("SB", "BB"),
    3: ("SB", "BB", "BTN"),
    4: ("SB", "BB", "CO", "BTN"),
    5: ("SB", "BB", "HJ", "CO", "BTN"),
    6: ("SB", "BB", "UTG", "HJ", "CO", "BTN"),
    7: ("SB", "BB", "UTG", "LJ", "HJ", "CO", "BTN"),
    8: ("SB", "BB", "UTG", "UTG+1", "LJ", "HJ", "CO", "BTN"),
    9: ("SB", "BB", "UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN"),
    10: ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN"),
}

Size = Annotated[Given, AfterValidator(checked)]


def positions(seats: int, first: int) -> tuple[str, ...]:
    """The players' names of the seats; seat ``first`` acts first in the first round.

    >>> positions(6, 2)[5], positions(2, 1)[1], positions(3, 0)[0]
    ('BTN', 'SB', 'P1')
    """
    if seats == 2:
        return _NAMES[2] if first == 0 else _NAMES[2][::-1]
    return _NAMES[seats] if first == 2 else tuple(f"P{seat + 1}" for seat in range(seats))


class RoundSizes(Section):
    """Raises of one betting round: their sizes, their number, and the most players left."""

    # By number of raises before in the round (blinds do not count); the last serves all later.
    sizes: list[Annotated[list[Size], Field(max_length=MAX_SIZES)]] = Field(min_length=1)
    max_raises: int = Field(ge=0, le=20)
    max_players: int = Field(ge=2, le=MAX_SEATS)  # no raise with more players left than this
    # Players who may call a blind that nobody has raised, where a raise is offered: all, nobody,
    # or those who have posted a blind. A key at its default is left out of the stored config, so
    # that runs from before it keep their identity.
    limps: bool | Literal["blinds"] = Field(default=True, exclude_if=lambda limps: limps is True)


class GameConfig(Section):
    """Rules and action abstraction (supplement, "Further details of the abstraction algorithm").

    Seats are positions: 0 small blind, 1 big blind, 2 first to act, up to the button; with two
    seats either may be the small blind.
    """

    cards: str = "holdem"  # or a small game of :mod:`sixmax.games` whose deals are listed
    stacks: list[int] = Field(min_length=2, max_length=MAX_SEATS)  # chips, by seat
    blinds: list[int]  # chips, by seat; a player with less posts the whole stack
    antes: list[int]  # chips, by seat: the same for all; paid before the blind
    first: list[int]  # seat that is first to act, by round
    rounds: list[RoundSizes] = Field(min_length=1, max_length=4)
    # Hold'em: cards on the board at the showdown. The rounds see 0, 3, 4 and 5 of them; a game of
    # fewer rounds deals the rest afterwards. Flop hold'em has two rounds and 3.
    board_cards: int = Field(default=5, ge=3, le=5, exclude_if=lambda cards: cards == 5)

    @property
    def seats(self) -> int:
        return len(self.stacks)

    @property
    def positions(self) -> tuple[str, ...]:
        """The players' names of the seats, as BTN."""
        return positions(self.seats, self.first[0])

    @property
    def big_blind(self) -> int:
        """Chips: the largest blind, or the largest ante where there are no blinds."""
        return max(self.blinds) or max(self.antes)

    @field_validator("stacks")
    @classmethod
    def _stacks(cls, stacks: list[int]) -> list[int]:
        if min(stacks) < 1:
            raise ValueError("at least 1 chip in every seat; leave out seats that do not play")
        if sum(stacks) > MAX_CHIPS:
            raise ValueError(f"at most {MAX_CHIPS:,} chips in all; use a larger unit")
        return stacks

    @field_validator("blinds", "antes")
    @classmethod
    def _posted(cls, chips: list[int], info: ValidationInfo) -> list[int]:
        seats = len(info.data.get("stacks", chips))
        if len(chips) != seats:
            raise ValueError(f"one number for each of the {seats} stacks")
        if min(chips) < 0 or max(chips) > MAX_CHIPS:
            raise ValueError("numbers of chips, 0 or more")
        if info.field_name == "antes":
            if len(set(chips)) > 1:
                raise ValueError("the same ante in every seat: a pot with dead money is unknown")
            if max(chips) == max(info.data.get("blinds", [1])) == 0:
                raise ValueError("an ante or a blind above 0, or there is nothing to play for")
        return chips

    @field_validator("first")
    @classmethod
    def _seat_numbers(cls, first: list[int], info: ValidationInfo) -> list[int]:
        seats = len(info.data.get("stacks", range(MAX_SEATS)))
        if not all(0 <= seat < seats for seat in first):
            raise ValueError(f"seat numbers from 0 to {seats - 1}")
        return first

    @field_validator("rounds")
    @classmethod
    def _as_many_as_dealt(cls, rounds: list[RoundSizes], info: ValidationInfo) -> list[RoundSizes]:
        first = info.data.get("first", rounds)
        if len(rounds) != len(first):
            raise ValueError(f"{len(first)} rounds, as many as first has seats, not {len(rounds)}")
        return rounds

    @field_validator("board_cards")
    @classmethod
    def _at_least_seen(cls, cards: int, info: ValidationInfo) -> int:
        if info.data.get("cards") != "holdem" and cards != 5:
            raise ValueError("no value: the key is hold'em's")
        seen = SEEN[len(info.data.get("rounds", [None])) - 1]
        if cards < seen:
            raise ValueError(f"at least {seen}: {len(info.data['rounds'])} rounds see so many")
        return cards
