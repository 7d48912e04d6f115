"""The files of ``config/validate``: games, their methods and iterations; a measured curve."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from sixmax.base.config_section import Section
from sixmax.base.errors import UserError
from sixmax.cfr.sampled import schedule
from sixmax.games import GAMES, two_round_holdem
from sixmax.games.game import ALL, FULL_WIDTH, SEARCH
from sixmax.store.records import Form, RecordKind

SAMPLED = tuple(schedule.SAMPLED)
TOY_ITERATIONS = 1_800_000  # each of which may visit the same action
Method = Literal[ALL]


class MethodSettings(Section):
    """One method on one game. The keys below ``iterations`` are for sampled methods alone."""

    explained = "config/validate/kuhn.yaml"

    iterations: int = Field(ge=10, le=100_000_000)
    seed: int = Field(default=1, ge=0, lt=2**62)  # of the first run
    seeds: int = Field(default=1, ge=1, le=20)  # runs: with seed, seed + 1, …
    batch: int = Field(default=1, ge=1)  # iterations that read the same regrets
    discount_every: int = Field(default=1000, ge=1)  # iterations between linear discounts
    discount_until: int = Field(default=0, ge=0)  # iteration after which none comes; 0: none at all
    prune_after: int = Field(default=0, ge=0)  # iterations without pruning
    prune_share: float = Field(default=0.0, ge=0, le=1)  # of the later iterations that prune
    prune_below: float = Field(default=-100.0, lt=0)  # chips of regret at which actions are pruned
    # libratus alone: chips below that, at which an action is explored every other time
    prune_half: float = Field(default=0.0, ge=0, exclude_if=lambda half: half == 0)

    @model_validator(mode="after")
    def _whole_batches(self) -> Self:
        if self.iterations % self.batch or self.discount_every % self.batch:
            raise ValueError("iterations and discount_every that are multiples of batch")
        return self

    def checkpoints(self) -> list[int]:
        """Iterations after which the strategy is measured: 1, 3, 10, 30, … and the last."""
        steps = [n * 10**power for power in range(8) for n in (1, 3)]
        inside = [n for n in steps if n < self.iterations and n % self.batch == 0]
        return [*inside, self.iterations]


# The training of the blueprint under a search: `coarse` of config/validate.
POOR = MethodSettings(iterations=100_000, batch=50)
_POOR = ("coarse", *SEARCH)


class GameSettings(Section):
    """One game, and the methods that solve it."""

    explained = "config/validate/kuhn.yaml"

    game: Literal[tuple(GAMES)]
    seats: int = Field(default=2, ge=2, le=5)
    methods: dict[Method, MethodSettings] = Field(min_length=1)

    @property
    def name(self) -> str:
        """The name in files and tables: kuhn, kuhn3, leduc, …"""
        return GAMES[self.game].at(self.seats)

    @model_validator(mode="after")
    def _judge(self) -> Self:
        only = GAMES[self.game].methods
        if unfit := set(self.methods) - set(only):
            raise ValueError(f"{', '.join(only)} for {self.game}, not {min(unfit)}")
        several = self.seats in GAMES[self.game].seats and not set(self.methods) & set(_POOR)
        if self.seats != 2 and not several:
            raise ValueError(f"seats: 2 for {self.game} and these methods, judged for two players")
        for method, settings in self.methods.items():
            exact, small = method in (*FULL_WIDTH, *SEARCH), self.game not in two_round_holdem.NAMES
            if exact and settings.model_fields_set - {"iterations"}:
                raise ValueError(f"for {method}, which samples nothing, iterations and no more")
            if small and not exact and settings.iterations > TOY_ITERATIONS:
                raise ValueError(
                    f"{method}: at most {TOY_ITERATIONS:,} iterations of {self.game}: an int32 "
                    "action counter could be full"
                )
            if (settings.prune_half > 0) != (method == "libratus"):
                raise ValueError("prune_half above 0 for libratus, and for no other method")
        return self


class _CurveForm(Form):
    game: str
    seats: int
    method: str
    settings: dict[str, Any]
    size: dict[str, int]
    uniform: dict[str, float]
    iterations: list[int]
    runs: list[dict[str, list[float]]]


CURVE = RecordKind("a curve of a small game", "sixmax measure", _CurveForm)


def load(folder: str | Path) -> dict[str, GameSettings]:
    """Every ``<name>.yaml`` in ``folder``, by name. Raises UserError with one line."""
    files = sorted(Path(folder).glob("*.yaml"))
    if not files:
        raise UserError(f"{folder}: found no game, wanted a file such as kuhn.yaml")
    games = {file.stem: GameSettings.read(file) for file in files}
    for file, settings in zip(files, games.values(), strict=True):
        if (name := settings.name) != file.stem:
            raise UserError(f"{file}: describes {name}; call the file {name}.yaml")
    return games
