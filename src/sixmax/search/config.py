"""The ``search`` section: when the agent searches, over which raises, and for how long.

A run keeps the section of its config in ``search/settings.json``. Commands about the run search by
it, and ``--config`` changes single keys of it.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from sixmax.base import options
from sixmax.base.config_section import Section
from sixmax.base.options import Option
from sixmax.base.stage import stage
from sixmax.betting.config import MAX_SIZES, RoundSizes, Size
from sixmax.cfr.gadget import GADGETS
from sixmax.cfr.methods import METHODS
from sixmax.cfr.postprocess import ENDINGS
from sixmax.store import records

SETTINGS = "search/settings.json"  # in the folder of a run
ROLL_OUTS = 100_000  # deals
Bets = list[Annotated[list[Size], Field(max_length=MAX_SIZES)]]  # by betting round


class Fast(Section):
    """The keys of the fast setting; None leaves a key as it is."""

    iterations: int | None = Field(default=100_000, ge=1)
    buckets: int | None = Field(default=0, ge=0, le=65535)
    board_iterations: int | None = Field(default=150, ge=1)
    vector_iterations: int | None = Field(default=None, ge=1)
    turn_iterations: int | None = Field(
        default=None, ge=1, exclude_if=lambda number: number is None
    )
    roll_outs: int | None = Field(default=None, ge=1, exclude_if=lambda n: n is None)
    limited_iterations: int | None = Field(default=None, ge=1, exclude_if=lambda n: n is None)


class _Settings(records.Form):
    search: dict[str, Any]


KEPT_SETTINGS = records.RecordKind(
    "the search settings of a run", "sixmax stage search-settings", _Settings
)
NEVER = {"first": 4, "off_tree_players": 0}  # settings of a player that never searches


class SearchConfig(Section):
    """Supplement, "Further details of depth-limited search"; Algorithm 2.

    ``rounds`` are the raises of the subgames, by betting round; an empty list takes those of the
    blueprint. ``bets`` are more sizes of the first raise of a round, by betting round, in searches
    that begin there. Without either every leaf lies in the blueprint's tree.
    """

    blueprint: str = Field(
        default="blueprint", pattern=rf"^(blueprint|snapshot-\d{{5}})({ENDINGS})?$"
    )
    first: int = Field(
        default=1, ge=0, le=4
    )  # round from which every decision is searched; 4: none
    off_tree: int = Field(default=100, ge=0)  # chips
    off_tree_players: int = Field(default=4, ge=0, le=10)
    rounds: list[RoundSizes] = Field(default=[], max_length=4)
    bets: Bets = Field(default=[[], [0.33, 1.5], [0.33, 1.5], [0.33, 1.5]], max_length=4)
    flops: Literal["none", "all"] | Annotated[int, Field(ge=1)] = "none"
    buckets: int = Field(default=500, ge=0, le=65535)  # 0 = those of the blueprint
    iterations: int = Field(default=200_000, ge=1)  # of Monte Carlo CFR, one traversal a seat each
    batch: int = Field(default=100, ge=1)
    vector_nodes: int = Field(default=5_000, ge=0)  # decisions; larger ones by Monte Carlo CFR
    exact_from: int = Field(default=3, ge=1, le=3)  # round: all boards, no buckets; 3: the river
    vector_iterations: int = Field(default=200, ge=1)  # there
    turn_iterations: int | None = Field(
        default=None, ge=1, exclude_if=lambda number: number is None
    )  # there, before the river; None: the same
    method: Literal[tuple(METHODS)] = Field(
        default="dcfr", exclude_if=lambda name: name == "dcfr"
    )  # there
    vector_boards: int = Field(default=1, ge=0)  # drawn of the boards after a board; 0: all
    board_iterations: int = Field(default=1_000, ge=1)  # before that
    believe_blueprint: float = Field(default=0.5, ge=0, lt=1)  # that a player plays it, a priori
    tremble: float = Field(default=0.01, ge=0, lt=1)  # probability of an action taken by mistake
    seconds: float = Field(default=0.0, ge=0)  # 0 = no limit, and the result is reproducible
    # Keys at their default are left out of records, which are then as before they were made.
    nested: Literal["none", *GADGETS] = Field(
        default="none", exclude_if=lambda name: name == "none"
    )
    nested_bets: Literal["all", "off_tree"] = Field(
        default="all", exclude_if=lambda bets: bets == "all"
    )  # the opponent's bets that get a subgame of their own
    begin: Literal["safe", "beliefs"] = Field(
        default="safe", exclude_if=lambda way: way == "safe"
    )  # nested solving after the first searched round; safe: with the solution of the round before
    shift: float = Field(default=0.0, ge=0, lt=1, exclude_if=lambda share: share == 0)
    choosers: Literal["all", "opponents"] = Field(
        default="all", exclude_if=lambda seats: seats == "all"
    )
    limited: list[Annotated[int, Field(ge=0, le=2)]] = Field(
        default=[], exclude_if=lambda rounds: not rounds
    )  # rounds with which two players' searches end; 0: by kept values of the first round
    leaf_values: int | None = Field(default=None, ge=1, exclude_if=lambda number: number is None)
    roll_outs: int = Field(default=ROLL_OUTS, ge=1, exclude_if=lambda n: n == ROLL_OUTS)
    limited_iterations: int = Field(default=500, ge=1, exclude_if=lambda n: n == 500)
    leaf: Literal["rollout", "learned"] = Field(
        default="rollout", exclude_if=lambda kind: kind == "rollout"
    )
    average: bool = False  # play the average strategy instead of the last iterate
    fast: Fast = Fast()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.iterations % self.batch:
            raise ValueError(f"iterations must be a multiple of batch = {self.batch}")
        walked = {r for r in range(self.first, 4) if r not in self.limited}
        if self.nested != "none" and not {0, 1}.isdisjoint(walked):
            raise ValueError(
                "nested solving goes to the end of the hand from the turn on: wanted first 2 or "
                "3, or 1 with limited [1], or 0 with limited [0, 1], or nested none"
            )
        if self.nested != "none" and self.limited and self.choosers == "all":
            raise ValueError("nested with limited: found choosers all, wanted opponents")
        if 0 in self.limited and self.choosers == "all":
            raise ValueError(
                "limited with 0 takes values where one player chooses: found choosers all, wanted "
                "opponents"
            )
        if self.nested != "none" and not (
            self.average and self.exact_from <= min(walked, default=3)
        ):
            raise ValueError(
                f"nested is {self.nested}, which solves all boards and plays the average: wanted "
                f"average true (found {str(self.average).lower()}) and exact_from "
                f"{min(walked, default=3)} at "
                f"most (found {self.exact_from})"
            )
        if self.leaf == "learned" and self.limited:
            raise ValueError(
                f"leaf is learned, for the leaves of Monte Carlo CFR; limited {self.limited} rolls "
                "out: wanted leaf rollout"
            )
        if (self.fast.iterations or 0) % self.batch:
            raise ValueError(f"fast.iterations must be a multiple of batch = {self.batch}")
        return self

    @property
    def by_seat(self) -> bool:
        """Whether a search is from the point of view of a seat."""
        return self.nested != "none" or self.choosers == "opponents"

    def complete(self) -> str:
        """Every key as JSON, those at their default too, but ``flops``: no search reads it."""
        values = {name: value for name, value in self if name != "flops"}
        return json.dumps(values, default=dict)

    def all_boards(self, rounds: int) -> int:
        """Iterations over all boards of a subgame of so many rounds to the end of the hand."""
        return (
            self.vector_iterations
            if rounds == 1
            else self.turn_iterations or self.vector_iterations
        )

    def at_speed(self, setting: str, on_flops: bool = False) -> Self:
        """The section as it is (``full``), or with the keys of ``fast``.

        With ``on_flops``, where flops with buckets of their own are played alone, ``fast`` keeps
        those buckets.
        """
        changes = {} if setting == "full" else self.fast.model_dump(exclude_none=True)
        if on_flops:
            changes.pop("buckets", None)
        return self.model_copy(update=changes)


class SearchSettings(NamedTuple):
    """The settings of search that a command is told, and the name of their speed."""

    config: Annotated[SearchConfig, options.SEARCH]
    setting: options.Setting = "full"


def search_config(
    text: str | None, setting: str = "full", on_flops: bool = False, folder: Path | None = None
) -> SearchConfig:
    """The section that the run in ``folder`` keeps, with the keys of ``text`` changed.

    ``text`` is a JSON object, or None. Where the run keeps none, as without a run, the other keys
    are the defaults of SearchConfig. Raises UserError for keys and values that there are not.
    """
    changes = _object(text or "{}")
    if changes is None:
        return SearchConfig.parse_json(text or "{}", "search")  # raises: it is no object
    kept = kept_settings(folder) if folder else {}
    if isinstance(fast := changes.get("fast"), dict):
        changes["fast"] = kept.get("fast", {}) | fast
    return SearchConfig.parse(kept | changes, "search").at_speed(setting, on_flops)


def _object(text: str) -> dict[str, Any] | None:
    try:
        values = json.loads(text)
    except ValueError:
        return None
    return values if isinstance(values, dict) else None


def kept_settings(folder: Path) -> dict[str, Any]:
    """The section `search` that the run in ``folder`` keeps; empty where it keeps none."""
    file = folder / SETTINGS
    return records.read(file, KEPT_SETTINGS)["search"] if file.exists() else {}


def settings_for_copies(folder: Path) -> dict[str, Any]:
    """The content of SETTINGS for a copy without snapshots; empty where the run keeps none.

    Search by a snapshot becomes search by the blueprint.
    """
    kept = kept_settings(folder)
    if kept.get("blueprint", "").startswith("snapshot"):
        kept["blueprint"] = "blueprint"
    return _record(kept) if kept else {}


@stage
def keep(
    config: Annotated[
        SearchConfig, Option("The section `search`, as JSON.", kind="search section")
    ],
    out: options.Out,
) -> None:  # fmt: skip
    """Keep the settings of search in the run.

    \b
    sixmax stage search-settings --config '{"first": 2}' --out results/default/search/settings.json
    """
    records.write(out, KEPT_SETTINGS, _record(json.loads(config.complete())))


def _record(section: dict[str, Any]) -> dict[str, Any]:
    return {"search": section}
