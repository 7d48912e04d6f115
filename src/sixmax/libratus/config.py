"""The file ``config/tables/libratus.yaml``: games, blueprints and techniques of the tables."""

import math
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from sixmax.config_section import Section, read_yaml
from sixmax.errors import UserError
from sixmax.game.config import MAX_SIZES, GameConfig, RoundSizes, Size
from sixmax.libratus.off_tree import ANSWERS
from sixmax.libratus.subgames import BOUNDED, TECHNIQUES

BIG_BLIND = 100  # chips
OFF_TREE = "off-tree"  # the name of the game of Table 2
Sizes = list[Annotated[list[Size], Field(max_length=MAX_SIZES)]]


class _Explained(Section):
    explained = "config/tables/libratus.yaml"


class GameSettings(_Explained):
    """A flop game; with sizes on the ``turn`` it ends there."""

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


class Iterations(_Explained):
    blueprint: int = Field(ge=1)
    subgame: int = Field(ge=1)


def _once(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("each is given once")
    return values


Once = AfterValidator(_once)


class _Measured(_Explained):
    """A game, with the seeds of its flops: a game each."""

    game: GameSettings
    seeds: Annotated[list[int], Once] = Field(min_length=1)
    iterations: Iterations


class SolvedGame(_Measured):
    """A game of Table 1: the buckets of its blueprints in the last round, one each."""

    buckets: Annotated[list[Annotated[int, Field(ge=1)]], Once] = Field(min_length=1)


class OffTreeGame(_Measured):
    """The game of Table 2: the first bets on the flop that its blueprint lacks, in pots."""

    sizes: Annotated[list[Annotated[float, Field(gt=0, le=100)]], Once] = Field(min_length=1)


class TablesConfig(_Explained):
    games: dict[Annotated[str, Field(pattern=r"^[a-z0-9]+$")], SolvedGame] = Field(min_length=1)
    techniques: Annotated[list[Literal[tuple(TECHNIQUES)]], Once] = Field(min_length=1)
    off_tree: OffTreeGame

    @model_validator(mode="after")
    def _judge(self) -> Self:
        if "unsafe" not in self.techniques or not set(BOUNDED) & set(self.techniques):
            raise ValueError(f"techniques: wanted unsafe and one of {', '.join(BOUNDED)}")
        try:
            self.off_tree.game.with_bets(self.off_tree.sizes)
        except UserError as error:
            raise ValueError(f"off_tree: {error}") from None
        return self

    def cells(self) -> list[str]:
        """The results to measure: game/seed/buckets/technique, with `none` for no solving."""
        solved = [
            f"{name}/{seed}/{buckets}/{technique}"
            for name, game in self.games.items()
            for seed in game.seeds
            for buckets in game.buckets
            for technique in ("none", *self.techniques)
        ]
        answers = [
            f"{OFF_TREE}/{seed}/0/{a}" for seed in self.off_tree.seeds for a in ("none", *ANSWERS)
        ]
        return [*solved, *answers]


def load(file: str | Path) -> TablesConfig:
    """The config in ``file``. Raises UserError with one line."""
    return TablesConfig.parse(read_yaml(file), Path(file).name)
