"""The whole config: the sections of all parts, read and checked before any job starts."""

from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from sixmax.abstraction.config import AbstractionConfig
from sixmax.agents.registry import snapshot_name
from sixmax.base.config_section import Section, read_yaml
from sixmax.base.errors import UserError
from sixmax.base.retired import refuse_retired
from sixmax.betting.config import GameConfig
from sixmax.blueprint.config import BlueprintConfig, no_values
from sixmax.cards.deck import ROUNDS
from sixmax.cfr import postprocess
from sixmax.cfr.policy import MOST_IN_MEAN
from sixmax.continuation.generate import GENERATOR, GENERATORS
from sixmax.evaluation.config import EvaluationConfig, League
from sixmax.leaf_function.config import LeafFunctionConfig
from sixmax.leaf_function.config import names as features
from sixmax.search.config import SearchConfig
from sixmax.self_generated.config import SelfGeneratedConfig
from sixmax.studies.improve.config import ImproveConfig

BATCH_ROOM = 140_000_000  # below 2**31 less the largest regret or floor that is allowed
MEASURED_FLOPS = 8  # fewer have no interval that tells anything


class DeckConfig(Section):
    """Four suits of the top ``ranks`` ranks: 13 is the full deck."""

    ranks: int = Field(ge=4, le=13)


class ContinuationConfig(Section):
    """Supplement, "Leaf node values in imperfect-information subgames"."""

    bias: float = Field(gt=1)


class MachineConfig(Section):
    """The resources of the run; nothing here changes a result."""

    threads: int = Field(ge=1)
    memory_gb: float = Field(gt=0)
    speed: float = Field(gt=0)


class Config(Section):
    """One run. ``config/default.yaml`` explains every key; a preset overrides some."""

    run: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")
    seed: int = Field(ge=0, lt=2**63)
    deck: DeckConfig
    game: GameConfig
    abstraction: AbstractionConfig
    blueprint: BlueprintConfig
    continuation: ContinuationConfig
    leaf_function: LeafFunctionConfig
    self_generated: SelfGeneratedConfig
    search: SearchConfig
    evaluation: EvaluationConfig
    improve: ImproveConfig
    league: League
    machine: MachineConfig

    def _check_regrets(self) -> None:
        """One traversal adds at most all chips to a regret: a batch of them must fit beside the
        bounds of int32, and regrets on the floor must not need many to return."""
        section = self.blueprint
        largest = section.scale * sum(self.game.stacks)
        if section.batch * largest > BATCH_ROOM:
            raise ValueError(
                f"blueprint.batch x scale x all chips is {section.batch * largest:.3g}, at most "
                f"{BATCH_ROOM:,} fit an int32 beside its bounds; take a smaller batch or scale"
            )
        if section.prune_share > 0 and section.prune_threshold - section.regret_floor < largest:
            raise ValueError(
                f"blueprint.regret_floor must lie at least {largest:,.0f} (scale x all chips, the "
                "most that one traversal adds) below prune_threshold"
            )

    def _check_snapshots(self) -> None:
        trained, taken = self.blueprint, self.blueprint.snapshots()
        if not trained.averaged() and not trained.mean_every:
            raise ValueError(
                f"blueprint.average_after is {trained.average_after}, but no snapshot is "
                "taken after that interval; lower it or snapshot_every"
            )
        if not taken:
            raise ValueError(
                f"blueprint.snapshot_every is {trained.snapshot_every}, but training ends after "
                f"{trained.intervals} intervals, without a snapshot; lower it"
            )
        played, _ = postprocess.parse(self.search.blueprint)
        if played not in ("blueprint", *map(snapshot_name, taken)):
            raise ValueError(
                f"search.blueprint is {self.search.blueprint}, but training takes snapshots after "
                f"the intervals {', '.join(str(k) for k in taken)}"
            )

    def _check_mean(self) -> None:
        """A running mean takes in some strategies, and no more than its two bytes hold."""
        section = self.blueprint
        if section.mean_every and not section.taken:
            raise ValueError(
                f"blueprint.average_after is {section.average_after} of {section.intervals} "
                "intervals, which leaves the running mean none; lower it"
            )
        if section.taken > MOST_IN_MEAN:
            raise ValueError(
                f"blueprint.mean_every has the running mean take in {section.taken:,} strategies, "
                f"at most {MOST_IN_MEAN} fit its two bytes; raise it or average_after under "
                "another run name, or train fewer intervals"
            )

    def _check_leaf_function(self) -> None:
        """A learned leaf function is there where search wants it, and can be made."""
        player = self.search.player
        if player.leaf == "learned" and not self.leaf_function.states:
            raise ValueError(
                f"search.player is {player.name}, and leaf_function.states is 0, which makes no "
                "leaf function; wanted 2,000,000 states, or player: pluribus"
            )
        if self.leaf_function.states:
            try:
                features(self.game.seats, len(GENERATORS[GENERATOR].names))
            except UserError as error:
                raise ValueError(f"leaf_function.states: {error}; or 0 states") from None

    def _check_first_round(self) -> None:
        """The values of the first round are there where search wants them, and can be made."""
        values, wanted = self.self_generated.values, self.search.keeps_first_round
        if wanted and values < 2:
            raise ValueError(
                f"search.player is {self.search.player.name}, which searches before the flop, and "
                f"self_generated.values is {values}; wanted 10, or search.first from 1 on and "
                "search.off_tree null"
            )
        if values and (values < 2 or self.game.seats != 2 or len(self.game.rounds) != len(ROUNDS)):
            raise ValueError(
                f"self_generated.values: found {values} in a game of {self.game.seats} seats and "
                f"{len(self.game.rounds)} rounds; wanted 0, or 2 to 16 for two players and four"
            )

    @property
    def on_flops(self) -> bool:
        """Whether the gain is measured on the flops of ``search.flops`` alone, by their buckets."""
        flops, own = self.search.flops, self.search.at_speed(self.evaluation.search_setting).buckets
        return own > 0 and isinstance(flops, int) and flops >= MEASURED_FLOPS

    @property
    def bucket_counts(self) -> list[int]:
        """Buckets of each betting round; the first is lossless."""
        later = self.abstraction.buckets
        return [self.deck.ranks**2, later.flop, later.turn, later.river][: len(self.game.rounds)]

    @model_validator(mode="after")
    def _agree(self) -> Self:
        self._check_game()
        self._check_regrets()
        self._check_leaf_function()
        self._check_two_players()
        self._check_first_round()
        self._check_search()
        self._check_mean()
        self._check_snapshots()
        self._check_counts()
        return self

    def _check_game(self) -> None:
        """The name of the run, and a game and a deck that this pipeline can train."""
        if self.run in ("shared", "validate", "league", "libratus", "modicum"):
            raise ValueError(f"run must not be {self.run!r}, a folder that is no run's")
        if self.game.cards != "holdem":
            raise ValueError(
                f"game.cards is {self.game.cards!r}: this pipeline abstracts hold'em; the small "
                "games have known answers and are played by the tests"
            )
        if not all(r.limps for r in self.game.rounds):
            raise ValueError(
                "game.rounds has limps: false, which leaves the small blind no call; wanted true "
                "or blinds, who then limp alone; push or fold is for validation"
            )
        boards = self.blueprint.boards
        need = 2 * self.game.seats + self.game.board_cards * boards
        have = 4 * self.deck.ranks
        if need > have:
            raise ValueError(
                f"{self.game.seats} seats and blueprint.boards = {boards} need {need} cards, "
                f"the deck has {have}"
            )

    def _check_two_players(self) -> None:
        """Algorithms, searches and values that are for two players."""
        if self.blueprint.prune_half and self.game.seats != 2:
            raise ValueError(
                f"blueprint.prune_half is of Libratus, and game has {self.game.seats} seats: its "
                "counts are an average strategy for two; wanted 0"
            )
        player = self.search.player
        if player.nested != "none" and self.game.seats != 2:
            raise ValueError(
                f"search.player is {player.name}, and game has {self.game.seats} seats: it is for "
                "two players; wanted pluribus"
            )
        if self.evaluation.subgame_hands and player.nested == "none":
            raise ValueError(
                "evaluation.subgame_hands measures nested solving, and search.player is "
                f"{player.name}; wanted 0, or player: libratus"
            )
        if reason := no_values(self.blueprint.values, self.game):
            raise ValueError(f"blueprint.values: {reason}; leave it empty")

    def _check_search(self) -> None:
        """The rounds and the flops of searches."""
        rounds = len(self.search.rounds)
        if rounds not in (0, len(self.game.rounds)):
            raise ValueError(
                f"search.rounds has {rounds} rounds, wanted {len(self.game.rounds)}, those of the "
                "game, or an empty list for the blueprint's own raises"
            )
        least = 0 if self.game.seats == 2 else 1
        if self.evaluation.search_hands and not least <= self.search.first <= 3:
            raise ValueError(
                "evaluation.search_hands measures search from a round on: wanted search.first "
                f"{least} to 3, or 0 hands"
            )
        flops = self.search.flops
        if flops != "none" and not self.search.buckets:
            raise ValueError(
                f"search.flops: found {flops!r} with search.buckets 0, the blueprint's; wanted "
                "none, or buckets for them"
            )

    def _check_counts(self) -> None:
        """The iterations and rounds whose actions are counted."""
        trained, every_round = self.blueprint, len(self.game.rounds)
        if trained.count_rounds > every_round:
            raise ValueError(
                f"blueprint.count_rounds is {trained.count_rounds}, the game has {every_round} "
                "rounds; lower it"
            )
        if trained.prune_half and trained.count_after >= trained.total:
            raise ValueError(
                f"blueprint.count_after is {trained.count_after}, which leaves no iteration of "
                f"{trained.total} to count; the paper counts the second half: wanted "
                f"{trained.total // 2}"
            )
        if trained.prune_half and trained.count_rounds != every_round:
            raise ValueError(
                f"blueprint.prune_half, of Libratus, counts every round: wanted count_rounds "
                f"{every_round}, found {trained.count_rounds}"
            )


def check(values: dict[str, Any]) -> Config:
    """Validate merged plain values. Raises UserError with one line."""
    refuse_retired(values)
    return Config.parse(values, "config")


def load(*files: str | Path) -> Config:
    """Read YAML files, later ones overriding earlier ones key by key, and validate the whole.

    Raises UserError for a file that is no mapping of sections, and as :func:`check`.
    """
    every: dict[str, Any] = {}
    for file in files:
        values = read_yaml(file)
        if not isinstance(values, dict):
            raise UserError(f"{file}: found {type(values).__name__}, wanted a mapping of sections")
        every = merged(every, values)
    return check(every)


def merged(low: dict[str, Any], high: dict[str, Any]) -> dict[str, Any]:
    """The values of ``low``, those of ``high`` in their place, key by key in every section."""
    both = low | high
    for key in low.keys() & high.keys():
        if isinstance(low[key], dict) and isinstance(high[key], dict):
            both[key] = merged(low[key], high[key])
    return both
