"""A spot of a hand: the strategy there, ranges, EV by roll-outs, and a search."""

import functools
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from sixmax.api import checks
from sixmax.api.decision import EV, DecisionPoint
from sixmax.api.strategy import Strategy, relative
from sixmax.api.walk import Address, Walk
from sixmax.base.errors import UserError
from sixmax.betting.state import spell
from sixmax.blueprint.run import Run
from sixmax.cards.deck import ROUNDS
from sixmax.ongoing.policies import Side
from sixmax.search.advice import Point, hand_at, position
from sixmax.search.config import SearchConfig, SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import Solution
from sixmax.search.settings import kept_settings, search_config
from sixmax.search.solvers.problem import Begin, quiet
from sixmax.session.range_worth import PARTS, range_worth

if TYPE_CHECKING:
    from sixmax.api.run import OpenedRun

DEALS = 16_384  # of an EV


class Spot(DecisionPoint):
    """A point of a hand where somebody is to act, and everybody plays one agent.

    Raises UserError where nobody is to act.
    """

    def __init__(self, walk: Walk):
        super().__init__(walk.betting, walk.board, walk.run.ranks)
        self.agent, self.walk = walk.agent, walk
        walk.here()  # refuses a spot at which nobody is to act

    @property
    def players(self) -> list[str]:
        """The positions that are left."""
        return [self.positions[seat] for seat in self.betting.left]

    @functools.cached_property
    def chart(self) -> Strategy:
        """The agent's strategy here."""
        return self.walk.here().strategy

    def _weights(self, seat: int) -> np.ndarray:
        return relative(self.walk.reach[seat], self.cards, self.ranks)

    def ev(
        self, deals: int = DEALS, seed: int = 1, begin: Begin = quiet, tremble: float | None = None
    ) -> EV:
        """The EV of each action with every hand, where all play the agent's strategy afterwards.

        By roll-outs of about ``deals`` deals (a multiple of 64): the others' hands by their
        :meth:`beliefs`, the rest of the board at random. All hands and actions meet the same deals.
        The same ``seed`` gives the same values. Raises UserError where no deal agrees with the
        beliefs.
        """
        of_part = -(-checks.whole("deals", deals) // PARTS)
        result = range_worth(
            self.walk, Side(self.agent.game, self.agent.policy), self.beliefs(tremble),
            self.chart.offered, checks.whole("seed", seed, 0), deals=of_part,
            progress=begin(PARTS * of_part),
        )  # fmt: skip
        if result is None:
            raise UserError("no deal of the cards agrees with the hands that play this way")
        return EV(self.chart, result.mean, result.off, PARTS * of_part)

    def beliefs(self, tremble: float | None = None) -> np.ndarray:
        """The probability of each hole of each seat, by Bayes' rule: float64[seats, holes].

        Each action may be a mistake with the probability ``tremble``; None: that of a search.
        """
        if tremble is None:
            tremble = SearchConfig.parse(kept_settings(self.walk.run.folder), "search").tremble
        return self.walk.beliefs(tremble)

    def search(
        self, seed: int = 1, setting: str = "full", begin: Begin = quiet, **settings: Any
    ) -> "SearchedSpot":
        """Search here, as `sixmax advise` does, and return the strategy that is found.

        ``setting`` is "full" or "fast"; ``settings`` are keys of the config's section `search`.
        The same ``seed`` gives the same strategy. Raises UserError for unknown keys, for a run
        without continuations, and for the spot of another agent than the blueprint: a search begins
        with beliefs by that.
        """
        seed, agent = checks.whole("seed", seed, 0), self.agent
        config = settings_of(self.walk.run, {**settings, "setting": setting})
        if agent.name not in ("blueprint", config.blueprint):
            raise UserError(
                f"agent {agent.name!r}: a search begins with beliefs by the blueprint; wanted the "
                "spot of run.at(…) without an agent"
            )
        search = SearchSettings(config, setting)
        return search_at(agent.of, self.path, self.board, search, seed, begin)

    def after(self, actions: str, board: str = "") -> "Spot":
        """The spot after more ``actions``, with the ``board`` of the rounds that they begin.

        ``board`` are the new cards alone. Raises UserError as :meth:`sixmax.api.run.OpenedRun.at`.
        """
        words = self.path + checks.text("actions", actions, "c / c")
        seen = self.board + checks.text("board", board, "Qh")
        return self.agent.of.at(words, seen, self.agent.name)

    @property
    def path(self) -> str:
        """The betting so far, in ACPC notation: ``ffr225ffc/c``."""
        parts = [""] * (self.betting.round + 1)
        for decision in self.walk.decisions:
            parts[decision.before.round] += spell(decision.action)
        return "/".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the address, the table, and the strategy."""
        return {
            **Address(self.path, self.board, self.agent.name).fields(),
            "player": self.player, "pot": self.pot, "to_call": self.to_call,
            "strategy": self.chart.to_dict(),
        }  # fmt: skip

    def __repr__(self) -> str:
        seen = f"board {self.board}" if self.board else "before the flop"
        return (
            f"{seen}, {self.path or 'no action yet'}: pot {self.pot:,}, {self.to_call:,} to call; "
            f"{self.chart!r}"
        )


class SearchedSpot(DecisionPoint):
    """The result of a search; ``hand`` is the public hand at the spot."""

    def __init__(self, hand: PublicHand, label: str = "search"):
        super().__init__(hand.betting, hand.board, hand.run.ranks)
        self.hand, self.label = hand, label

    @functools.cached_property
    def beliefs(self) -> np.ndarray:
        """The probability of each hole of each seat here: float64[seats, holes]."""
        return self.hand.now()

    @functools.cached_property
    def chart(self) -> Strategy:
        """The strategy that is played."""
        own = self.range(self.positions[self.betting.actor])
        return Strategy(own, *self.hand.play())

    def _weights(self, seat: int) -> np.ndarray:
        return relative(self.beliefs[seat], self.cards, self.ranks)

    @property
    def has_values(self) -> bool:
        """Whether the search has exact values of hands: the solver of all hands at once has."""
        result = self.hand.search()
        return isinstance(result, Solution) and result.next_round is not None

    @functools.cached_property
    def chips(self) -> np.ndarray:
        """The value of each hole of the player to act: float64[holes], chips from here on.

        All play the strategy of the search from here on, so a fold is worth 0. NaN for
        hands that cannot be held. Raises UserError unless the search :meth:`has_values`.
        """
        if not self.has_values:
            raise UserError(
                "this search has no exact values: it drew deals; wanted two players on flop, turn "
                "or river"
            )
        result, actor = self.hand.search(), self.betting.actor
        node = result.tree.find(tuple(self.hand.rounds[-1].done))
        return result.values_at(node)[actor] + self.betting.contributed[actor]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the strategy that is played."""
        return {"player": self.player, "label": self.label, "strategy": self.chart.to_dict()}

    def __repr__(self) -> str:
        first = self.hand.config.first
        early = self.betting.round < first
        note = f" (agents of this run search from the {ROUNDS[first]} on)" if early else ""
        return f"{self.label}{note}: {self.chart!r}"


def settings_of(run: Run, keys: dict[str, Any]) -> SearchConfig:
    """The settings by which ``run`` searches, with some ``keys`` changed, and its ``setting``.

    Raises UserError for unknown keys, values and settings.
    """
    changes = dict(keys)
    setting = changes.pop("setting", "full")
    try:
        text = json.dumps(changes)
    except TypeError as error:
        raise UserError(f"search: {error}; wanted plain values") from None
    return search_config(text, setting, folder=run.folder)


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
