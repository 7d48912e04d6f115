"""The file ``config/tables/libratus.yaml``: games, blueprints and techniques of the tables."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.studies.flop_games.game import FlopGameSettings
from sixmax.studies.libratus.subgames import ANSWERS, BOUNDED, TECHNIQUES

OFF_TREE = "off-tree"  # the name of the game of Table 2
ANSWERED = ("none", *ANSWERS)  # the columns of Table 2


class LibratusIterations(Section):
    blueprint: int = Field(ge=1)
    subgame: int = Field(ge=1)


def _once(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("each is given once")
    return values


Once = AfterValidator(_once)


class _Measured(Section):
    """A game, with the seeds of its flops: a game each."""

    game: FlopGameSettings
    seeds: Annotated[list[int], Once] = Field(min_length=1)
    iterations: LibratusIterations


class SolvedGame(_Measured):
    """A game of Table 1: the buckets of its blueprints in the last round, one each."""

    buckets: Annotated[list[Annotated[int, Field(ge=1)]], Once] = Field(min_length=1)


class OffTreeGame(_Measured):
    """The game of Table 2: the first bets on the flop that its blueprint lacks, in pots."""

    sizes: Annotated[list[Annotated[float, Field(gt=0, le=100)]], Once] = Field(min_length=1)


class TablesConfig(Section):
    explained = "config/tables/libratus.yaml"

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
        return [
            f"{name}/{seed}/{buckets}/{technique}"
            for name, seed, buckets in self.blueprints()
            for technique in self.solved
        ] + [f"{OFF_TREE}/{seed}/0/{name}" for seed in self.off_tree.seeds for name in ANSWERED]

    @property
    def solved(self) -> list[str]:
        """The columns of Table 1."""
        return ["none", *self.techniques]

    def blueprints(self) -> list[tuple[str, int, int]]:
        """Game, seed and buckets of each blueprint of Table 1."""
        return [
            (name, seed, buckets)
            for name, game in self.games.items() for seed in game.seeds for buckets in game.buckets
        ]  # fmt: skip
