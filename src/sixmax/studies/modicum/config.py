"""The file ``config/tables/modicum.yaml``: games, the bet, and the numbers of values."""

from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.betting.tree import MAX_ACTIONS
from sixmax.studies.flop_games.game import FlopGameSettings

# Self-generative, bias, and self-generative in the game that has the bet: values of its own leaves,
# which no player knows beforehand.
MAKERS = ("self", "bias", "own")
# An answer by the values of a maker, after which the flops behind a leaf are solved together;
# alone: by those of self, each flop solved alone.
Kind = Literal["self", "alone", "bias", "own"]
KINDS = get_args(Kind)
MAKER_OF = {kind: "self" if kind == "alone" else kind for kind in KINDS}
# Answers without values at leaves.
REFERENCES = ("translation", "to-the-end", "in-abstraction")
BESIDE = ("logs", "benchmarks")  # the games, in the folder of the figure
LEANS = 4  # continuations of the bias maker


def _ascending(values: list[int]) -> list[int]:
    if sorted(set(values)) != values:
        raise ValueError("numbers ascend, each is given once")
    return values


Numbers = Annotated[
    list[Annotated[int, Field(ge=1, le=MAX_ACTIONS)]],
    Field(min_length=1),
    AfterValidator(_ascending),
]


class ModicumIterations(Section):
    equilibrium: int = Field(ge=1)
    trunk: int = Field(ge=1)
    flop: int = Field(ge=1)


class FigureGame(Section):
    """A game of the figure, and the numbers of values of its answers by maker."""

    game: FlopGameSettings
    seed: int  # of its flops
    iterations: ModicumIterations
    values: dict[Kind, Numbers] = Field(min_length=1)

    @model_validator(mode="after")
    def _judge(self) -> Self:
        if self.game.turn is not None:
            raise ValueError("game: wanted one that ends on the flop")
        if max(self.values.get("bias", [1])) > LEANS:
            raise ValueError(
                f"values.bias: wanted at most {LEANS}, the continuations of that maker"
            )
        return self

    def most(self, maker: str) -> int:
        """The values that ``maker`` makes, for all answers that take them."""
        return max(n for kind, each in self.values.items() for n in each if MAKER_OF[kind] == maker)

    def answers(self) -> list[str]:
        """Those that are measured, in the order of the table."""
        made = [f"{kind}-{n}" for kind, numbers in self.values.items() for n in numbers]
        return [*REFERENCES, *made]

    def files(self) -> list[str]:
        """Those that are measured, all numbers of a kind together."""
        return [*REFERENCES, *self.values]


class FigureConfig(Section):
    explained = "config/tables/modicum.yaml"

    games: dict[Annotated[str, Field(pattern=r"^[a-z0-9-]+$")], FigureGame] = Field(min_length=1)
    bet: float = Field(gt=0, le=100)
    spread: float = Field(ge=0, le=1)
    factor: float = Field(gt=1)
    weaken: bool
    open: list[str]  # checks that are known to fail

    @model_validator(mode="after")
    def _judge(self) -> Self:
        for name, each in self.games.items():
            if name in BESIDE:
                raise ValueError(f"games: {name} is a folder beside them; wanted another name")
            try:
                each.game.opening(self.bet)
            except UserError as error:
                raise ValueError(f"bet in {name}: {error}") from None
        return self

    def cells(self) -> list[str]:
        """The results to measure: game/answer, all numbers of a kind together."""
        return [f"{name}/{answer}" for name, each in self.games.items() for answer in each.files()]


def values_of(answer: str, folder: str) -> list[str]:
    """The store in ``folder`` whose values an ``answer`` of a cell takes; none for REFERENCES."""
    return [] if answer in REFERENCES else [f"{folder}/{MAKER_OF[answer]}.zarr"]


def equilibrium_of(folder: str, maker: str = "", answer: str = "") -> str:
    """The equilibrium in ``folder`` that a maker of values takes, or an answer of a cell."""
    has_bet = maker == "own" or answer == "in-abstraction"
    return f"{folder}/{'with' if has_bet else 'without'}-bet.zarr"


def words(answer: str, game: FigureGame, folder: str) -> list[str]:
    """The words of ``sixmax stage answer-bet`` for an ``answer`` of a cell."""
    numbers = [word for n in game.values.get(answer, []) for word in ("--number", str(n))]
    return [answer, *(("--values", *values_of(answer, folder)) if numbers else ()), *numbers]
