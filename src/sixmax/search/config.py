"""The ``search`` section: when the agent searches, over which raises, and for how long.

A run keeps its section in a file (:mod:`sixmax.search.settings`).
"""

from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from sixmax.base import options
from sixmax.base.config_section import Section
from sixmax.betting.config import MAX_SIZES, RoundSizes, Size
from sixmax.cfr.postprocess import ENDINGS
from sixmax.search.players import PLAYERS, PlayerByName

OFF_TREE_PLAYERS = 4  # left, at most, where a raise off the tree is searched before ``first``
BATCH = 100  # iterations of Monte Carlo CFR that read the same frozen regrets
VECTOR_NODES = 5_000  # decisions, at most, of a subgame that is solved for all hands at once
VECTOR_BOARDS = 1  # that an iteration of it draws of those that follow a board
Iterations = Annotated[int, Field(ge=1, multiple_of=BATCH)]
ByRound = Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=4, max_length=4)]
Bets = list[Annotated[list[Size], Field(max_length=MAX_SIZES)]]  # by betting round


class Fast(Section):
    """The keys of the fast setting; None leaves a key as it is."""

    iterations: Iterations | None = 100_000
    vector_iterations: ByRound | None = Field(default=[500, 300, 300, 200])
    roll_outs: int | None = Field(default=None, ge=1)


NEVER = {"first": 4, "off_tree": None}  # settings of a player that never searches


class SearchConfig(Section):
    """Supplement, "Further details of depth-limited search"; Algorithm 2.

    ``rounds`` are the raises of the subgames by betting round, empty: the blueprint's. ``bets`` are
    more sizes of the first raise of a round in searches that begin there, by betting round.
    """

    player: PlayerByName = PLAYERS["pluribus"]
    blueprint: str = Field("blueprint", pattern=rf"^(blueprint|snapshot-\d{{5}})({ENDINGS})?$")
    first: int = Field(1, ge=0, le=4)  # round from which every decision is searched; 4: none
    off_tree: int | None = Field(default=100, ge=0)  # chips; None: no search before ``first``
    rounds: list[RoundSizes] = Field(default=[], max_length=4)
    bets: Bets = Field(default=[[], [0.33, 1.5], [0.33, 1.5], [0.33, 1.5]], max_length=4)
    flops: Literal["none", "all"] | Annotated[int, Field(ge=1)] = "none"
    buckets: int = Field(default=500, ge=0, le=65535)  # 0 = those of the blueprint
    iterations: Iterations = 200_000  # of Monte Carlo CFR, one traversal a seat each
    vector_iterations: ByRound = Field(default=[500, 1_000, 1_000, 200])  # of all hands at once
    believe_blueprint: float = Field(default=0.5, ge=0, lt=1)  # that a player plays it, a priori
    tremble: float = Field(default=0.01, ge=0, lt=1)  # probability of an action taken by mistake
    seconds: float = Field(default=0.0, ge=0)  # 0 = no limit, and the result is reproducible
    roll_outs: int = Field(default=100_000, ge=1)  # deals, for the leaves of ``player.limited``
    fast: Fast = Fast()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        """A player who walks all boards to the end of the hand does so from the turn on."""
        limited = self.player.limited
        least = next(first for first in range(3) if set(range(first, 2)) <= set(limited))
        if self.player.nested != "none" and self.first < least:
            raise ValueError(
                f"player {self.player.name} goes to the end of the hand from the turn on: found "
                f"first {self.first}, wanted {least} to 4"
            )
        return self

    @property
    def keeps_first_round(self) -> bool:
        """Whether searches take the values that are kept of the first round."""
        return (self.first == 0 or self.off_tree is not None) and 0 in self.player.limited

    def complete(self) -> str:
        """Every key as JSON but ``flops``: no search reads it."""
        return self.model_dump_json(exclude={"flops"})

    def changed(self, **changes: Any) -> Self:
        """The section with other values of keys. Raises UserError for values that do not fit."""
        return self.parse(dict(self) | changes, "search")

    def at_speed(self, setting: str) -> Self:
        """The section as it is (``full``), or with the keys of ``fast`` and without own buckets."""
        if setting == "full":
            return self
        # ASSUME buckets of a flop's own want more iterations: after 300 a flop loses 1.71 % of the
        # pot with them, and .69 with the blueprint's (docs/notebook/search/flops.md).
        return self.model_copy(update=self.fast.model_dump(exclude_none=True) | {"buckets": 0})


class SearchSettings(NamedTuple):
    """The settings of search that a command is told, and the name of their speed."""

    config: Annotated[SearchConfig, options.SEARCH]
    setting: options.Setting = "full"
