"""The settings of a flop game."""

import math
from typing import Annotated, Self

from pydantic import Field

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.betting.config import MAX_SIZES, GameConfig, RoundSizes, Size

BIG_BLIND = 100  # chips
Sizes = list[Annotated[list[Size], Field(max_length=MAX_SIZES)]]


class FlopGameSettings(Section):
    """A flop game; with sizes on the ``turn`` it ends there."""

    explained = "config/tables/libratus.yaml"

    stack: int = Field(ge=2 * BIG_BLIND)  # chips
    preflop: Sizes = Field(min_length=1)
    flop: Sizes = Field(min_length=1)
    turn: Sizes | None = Field(default=None, min_length=1, exclude_if=lambda sizes: sizes is None)
    max_raises: int = Field(ge=1, le=20)
    flops: int = Field(ge=1, le=1755)

    def game(self) -> GameConfig:
        """The rules: blinds of 50 and 100, the showdown on the flop, or on the turn."""
        rounds = [
            RoundSizes(sizes=sizes, max_raises=self.max_raises, max_players=2)
            for sizes in (self.preflop, self.flop, self.turn)
            if sizes is not None
        ]
        return GameConfig(
            stacks=[self.stack] * 2, blinds=[BIG_BLIND // 2, BIG_BLIND], antes=[0, 0],
            first=[0, 1, 1][: len(rounds)], rounds=rounds, board_cards=1 + len(rounds),
        )  # fmt: skip

    def with_bets(self, sizes: list[float]) -> Self:
        """The game where the first bet on the flop may have these sizes too, in pots.

        Raises UserError for sizes that are no bets or that the game has, and for a game that ends
        on the turn.
        """
        if self.turn is not None:
            raise UserError("a game of three rounds: wanted one that ends on the flop")
        first, *others = self.flop
        for size in sizes:
            if not (math.isfinite(size) and size > 0):
                raise UserError(f"size {size}: wanted a bet above 0, in pots")
            if size in first:
                raise UserError(f"size {size:g}: the game has it; wanted one that it lacks")
        if not first:
            raise UserError("the game has no bet on the flop: wanted one beside the missing size")
        return self.parse(
            {**self.model_dump(), "flop": [sorted(sizes) + first, *others]}, "the larger game"
        )
