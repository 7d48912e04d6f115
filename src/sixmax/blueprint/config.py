"""The ``blueprint`` section: the schedule of training, in iterations."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from sixmax.base.config_section import Section
from sixmax.betting.config import GameConfig
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.sampled.schedule import Schedule

VALUES_BOARDS = 1000  # sampled for values of nodes; twice the error takes a quarter
PRUNE_SHARE = 0.95  # of the iterations after ``prune_after``: the paper's


class BlueprintConfig(Section):
    """Supplement, "Further details of the blueprint computation algorithm".

    With ``prune_half`` Libratus's supplement, "Further details of the equilibrium-finding
    algorithm". Keys at their default are left out of what a run keeps, so that runs from before
    they were made keep their identity.
    """

    intervals: int = Field(ge=1, le=1000)
    iterations: int = Field(ge=1)  # an interval
    batch: int = Field(ge=1)
    shards: int = Field(default=1, ge=1, le=1000)  # jobs that an interval is dealt out to
    boards: int = Field(ge=1)
    discount_every: int = Field(ge=1)
    discount_until: int = Field(ge=0)
    count_every: int = Field(ge=1)
    count_after: int = Field(ge=0)
    prune_after: int = Field(ge=0)
    # No key of the config: runs of tests, and those of before, may have another.
    prune_share: float = Field(
        default=PRUNE_SHARE, ge=0, lt=1, exclude_if=lambda share: share == PRUNE_SHARE
    )
    prune_threshold: int = Field(lt=0)
    # Libratus's K in regret units; 0: Pluribus's pruning.
    prune_half: int = Field(default=0, ge=0, exclude_if=lambda half: half == 0)
    regret_floor: int = Field(lt=0, ge=-2_000_000_000)
    scale: float = Field(gt=0)
    count_rounds: int = Field(default=1, ge=0, le=len(ROUNDS))  # whose average is counted
    snapshot_every: int = Field(ge=1)  # intervals
    average_after: int = Field(ge=0)  # intervals, of snapshots or of the running mean
    mean_every: int = Field(default=0, ge=0)  # iterations between strategies of the running mean
    values: list[Literal[ROUNDS]] = Field(default=[])  # rounds whose nodes get values

    @model_validator(mode="after")
    def _agree(self) -> Self:
        for name in ("iterations", "discount_every", "count_after", "prune_after"):
            if getattr(self, name) % self.batch:
                raise ValueError(f"{name} must be a multiple of batch = {self.batch}")
        if self.shards > self.iterations // self.batch:
            raise ValueError(
                f"shards = {self.shards} is more than the {self.iterations // self.batch} batches "
                "of an interval; take fewer shards or more iterations"
            )
        self._check_algorithm()
        if self.mean_every:
            self._check_mean()
        if self.regret_floor >= self.prune_threshold:
            raise ValueError(
                f"regret_floor must lie below prune_threshold = {self.prune_threshold}, "
                "or a pruned action never returns"
            )
        return self

    def _check_algorithm(self) -> None:
        """Libratus samples what it prunes, and its counters are the average of every round."""
        if not self.prune_half:
            return
        if self.mean_every or self.count_every != 1:
            raise ValueError(
                "prune_half, of Libratus, counts every action that is met: wanted count_every 1 "
                "and mean_every 0"
            )
        if self.prune_threshold - self.regret_floor < 49 * self.prune_half:
            raise ValueError(
                f"regret_floor = {self.regret_floor}: an action there is explored more often than "
                "in 2 %; wanted a floor 49 prune_half below prune_threshold, "
                f"{self.prune_threshold - 49 * self.prune_half}"
            )

    def _check_mean(self) -> None:
        """The running mean takes in strategies at the same iterations however the run is cut."""
        if self.mean_every % self.batch or self.iterations % self.mean_every:
            raise ValueError(
                f"mean_every must be a multiple of batch = {self.batch} that divides "
                f"iterations = {self.iterations}"
            )
        if self.shards > 1 and self.mean_every != self.iterations:
            raise ValueError(
                "mean_every must be the iterations of an interval where shards train it: between "
                "merges there is no strategy of them all"
            )

    def frozen(self) -> dict[str, Any]:
        """The settings that training is a function of, as the first runs kept them."""
        # A key with a default is younger than the first runs, and for them has that value.
        own = self.model_dump(
            mode="json", exclude={"intervals", "average_after", "values"}, exclude_defaults=True
        )
        own["prune_share"] = self.prune_share
        if self.prune_half:
            own["algorithm"] = "libratus"
        if self.mean_every and self.average_after:
            own["mean_after"] = self.average_after
        return own

    @classmethod
    def of_frozen(cls, settings: dict[str, Any]) -> Self:
        """The section of :meth:`frozen` settings, without those that are no part of them."""
        own = {name: value for name, value in settings.items() if name != "algorithm"}
        after = own.pop("mean_after", 0)
        return cls.parse(own | {"intervals": 1, "average_after": after}, "blueprint")

    @property
    def total(self) -> int:
        """Iterations of the whole training."""
        return self.intervals * self.iterations

    @property
    def taken(self) -> int:
        """Strategies that the running mean takes in."""
        if not self.mean_every:
            return 0
        return max(self.intervals - self.average_after, 0) * (self.iterations // self.mean_every)

    def tables(self) -> tuple[int, bool]:
        """The size of its tables, as ``training_bytes`` wants it: counted rounds, mean."""
        return self.count_rounds, self.mean_every > 0

    def schedule(self) -> Schedule:
        """The part that training itself looks at; neither its length nor its snapshots."""
        return Schedule(**{name: getattr(self, name) for name in Schedule._fields})

    def stretch(self, interval: int) -> tuple[int, int]:
        """The first and the last iteration of ``interval``, both counted from 1."""
        return (interval - 1) * self.iterations + 1, interval * self.iterations

    def snapshots(self) -> list[int]:
        """The intervals after which the current strategy is kept."""
        return list(range(self.snapshot_every, self.intervals + 1, self.snapshot_every))

    def averaged(self) -> list[int]:
        """Those of the snapshots whose mean is the blueprint after the counted rounds.

        Empty where a running mean takes their place.
        """
        if self.mean_every:
            return []
        return [k for k in self.snapshots() if k > self.average_after]

    def rivals(self) -> list[int]:
        """The snapshots that the blueprint is compared with: not the one that it is made of."""
        taken = self.snapshots()
        one = self.count_rounds == 0 and self.averaged() == taken[-1:]
        return taken[:-1] if one and len(taken) > 1 else taken


def no_values(names: list[str], game: GameConfig) -> str:
    """Why ``game`` has no values of nodes in the rounds ``names``; empty where it has."""
    rounds = ROUNDS[: len(game.rounds)]
    if len(set(names)) < len(names):
        return f"found {', '.join(names)}, wanted each round once"
    if names and (game.cards, game.seats) != ("holdem", 2):
        return f"found {game.seats} seats of {game.cards}, wanted 2 of holdem"
    if unknown := [name for name in names if name not in rounds]:
        return f"found the round {unknown[0]!r}, wanted one of {', '.join(rounds)}"
    return ""
