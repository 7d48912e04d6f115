"""A spot that was searched: strategy, beliefs, exact values where there are any."""

import functools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sixmax.api.range import Range, relative
from sixmax.api.strategy import DecisionPoint, Strategy, seat_of
from sixmax.base.errors import UserError
from sixmax.betting.config import ROUNDS
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import format_cards, holds
from sixmax.ongoing.hand import Play
from sixmax.search.advice import Point, hand_at, position
from sixmax.search.config import SearchConfig, SearchSettings, search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import Solution
from sixmax.search.solvers.problem import Begin

if TYPE_CHECKING:
    from sixmax.api.run import OpenedRun
    from sixmax.api.spots.spot import Spot

SETTINGS = ("full", "fast")


class SearchedSpot(DecisionPoint):
    """The result of a search; ``hand`` is the public hand at the spot."""

    def __init__(self, hand: PublicHand, label: str = "search"):
        self.hand, self.label = hand, label

    @property
    def betting(self) -> Betting:
        return self.hand.betting

    @property
    def board(self) -> str:
        return format_cards(self.hand.board, self.hand.run.ranks)

    @functools.cached_property
    def _play(self) -> Play:
        return self.hand.play()

    @functools.cached_property
    def beliefs(self) -> np.ndarray:
        """The probability of each hole of each seat here: float64[seats, holes]."""
        return self.hand.now()

    @functools.cached_property
    def chart(self) -> Strategy:
        """The strategy that is played."""
        hand = self.hand
        actor, free = hand.betting.actor, ~holds(hand.board, hand.run.ranks)
        mine = self.beliefs[actor]
        return Strategy(
            hand.betting.names[actor], self._play.offered, self._play.played,
            mine / max(mine.max(), 1e-300), np.where(free, 0, -1), hand.run.ranks,
        )  # fmt: skip

    @property
    def average(self) -> Strategy:
        """The average over the iterations of the search."""
        return replace(self.chart, rows=self._play.believed)

    def range(self, player: str | None = None) -> Range:
        """The belief about the hands of ``player``; default: the player to act. UserError."""
        names = self.hand.betting.names
        seat = seat_of(names, player or self.player)
        return relative(names[seat], self.beliefs[seat], self.hand.board, self.hand.run.ranks)

    @property
    def has_values(self) -> bool:
        """Whether the search has the exact value of each hand at each decision.

        The solver of all hands at once has, as it alone keeps strategies of later rounds. The
        sampled one estimates values by 200 hands of poker each, which is too coarse to show.
        """
        result = self.hand.search()
        return isinstance(result, Solution) and result.next_round is not None

    @functools.cached_property
    def chips(self) -> np.ndarray:
        """The value of each hole of the player to act: float64[holes], chips from here on.

        All play the average strategy of the search from here on, so a fold is worth 0. NaN for
        hands that cannot be held. Raises UserError where the search :meth:`has_values` of none.
        """
        if not self.has_values:
            raise UserError(
                "this search has no exact values: it drew deals; wanted two players on flop, turn "
                "or river"
            )
        hand = self.hand
        result, done = hand.search(), tuple(hand.rounds[-1].done)
        net = result.values_at(result.tree.find(done))
        return net[hand.betting.actor] + hand.betting.contributed[hand.betting.actor]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the strategy that is played."""
        return {"player": self.player, "label": self.label, "strategy": self.chart.to_dict()}

    def __repr__(self) -> str:
        from_round = self.hand.config.first
        early = self.hand.betting.round < from_round
        note = f" (agents of this run search from the {ROUNDS[from_round]} on)" if early else ""
        return f"{self.label}{note}: {self.chart!r}"


def settings_of(run: Run, keys: dict[str, Any]) -> SearchConfig:
    """The settings by which ``run`` searches, with some ``keys`` changed, and its ``setting``.

    Raises UserError for keys, values and settings that there are not.
    """
    setting = keys.get("setting", "full")
    if setting not in SETTINGS:
        raise UserError(f"setting {setting!r}: wanted {' or '.join(SETTINGS)}")
    changes = {name: value for name, value in keys.items() if name != "setting"}
    try:
        text = json.dumps(changes)
    except TypeError as error:
        raise UserError(f"search: {error}; wanted plain values") from None
    return search_config(text, setting, folder=run.folder)


def searched(
    spot: "Spot", seed: int, setting: str, settings: dict[str, Any], begin: Begin
) -> SearchedSpot:
    """Search ``spot``: see :meth:`sixmax.api.spots.spot.Spot.search`."""
    run = spot.walk.run
    config = settings_of(run, {**settings, "setting": setting})
    if spot.agent.name not in ("blueprint", config.blueprint):
        raise UserError(
            f"agent {spot.agent.name!r}: a search begins with beliefs by the blueprint; wanted the "
            "spot of run.at(…) without an agent"
        )
    search = SearchSettings(config, setting)
    return search_at(spot.agent.of, spot.path, spot.board, search, seed, begin)


def why_not(opened: "OpenedRun") -> str:
    """The reason why this run cannot be searched; "" where it can."""
    if opened.continuations:
        return ""
    return "a search wants continuations, the run has none; run `snakemake continuation`"


def search_at(
    opened: "OpenedRun", actions: str, board: str, search: SearchSettings, seed: int, begin: Begin
) -> SearchedSpot:
    """Search after ``actions`` on ``board``, whether or not an agent would search there.

    Raises UserError for an impossible position, and for a run without continuations.
    """
    if reason := why_not(opened):
        raise UserError(f"{opened.folder}: {reason}")
    hand = hand_at(opened.run, search.config, Point(*position(actions, board)), seed, begin)
    hand.rounds[-1].searching = True
    hand.play()
    return SearchedSpot(hand, f"search, {search.setting}")
