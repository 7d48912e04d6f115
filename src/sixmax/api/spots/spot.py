"""A spot of a run's game: the strategy there, ranges, EV by roll-outs, and a search."""

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from sixmax.api import checks
from sixmax.api.ev import EV, sampled
from sixmax.api.range import Range, relative
from sixmax.api.spots.address import Address
from sixmax.api.spots.walk import Walk
from sixmax.api.strategy import DecisionPoint, Strategy, seat_of
from sixmax.base.errors import UserError
from sixmax.betting.state import Betting, spell
from sixmax.cards.deck import format_cards
from sixmax.ongoing.policies import Side
from sixmax.search.config import search_config
from sixmax.search.solvers.problem import Begin, quiet
from sixmax.session.range_worth import PARTS, RangeWorth, range_worth

if TYPE_CHECKING:
    from sixmax.api.spots.searched import SearchedSpot

DEALS = 16_384  # of an EV


class Spot(DecisionPoint):
    """A point of a hand where somebody is to act, and everybody plays one agent.

    Amounts are chips. Raises UserError where nobody is to act.
    """

    def __init__(self, walk: Walk):
        self.agent, self.walk = walk.agent, walk
        walk.here()  # refuses a spot at which nobody is to act

    @property
    def players(self) -> list[str]:
        """The positions that are left."""
        betting = self.walk.betting
        return [name for seat, name in enumerate(betting.names) if betting.contenders >> seat & 1]

    @property
    def betting(self) -> Betting:
        return self.walk.betting

    @property
    def board(self) -> str:
        return format_cards(self.walk.board, self.walk.run.ranks)

    @functools.cached_property
    def chart(self) -> Strategy:
        """The agent's strategy here."""
        return self.walk.here().strategy

    def range(self, player: str | None = None) -> Range:
        """The hands with which ``player`` would have come here; default: the player to act.

        Raises UserError for a position that is not at the table.
        """
        names = self.walk.betting.names
        seat = seat_of(names, player or self.player)
        return relative(names[seat], self.walk.reach[seat], self.walk.board, self.walk.run.ranks)

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
        result = self.roll_out(of_part, checks.seed(seed), begin, tremble)
        return sampled(result, self.chart, self.walk.board, PARTS * of_part)

    def beliefs(self, tremble: float | None = None) -> np.ndarray:
        """The probability of each hole of each seat, by Bayes' rule: float64[seats, holes].

        Each action may be a mistake with the probability ``tremble``; None: that of a search.
        """
        if tremble is None:
            tremble = search_config(None, folder=self.walk.run.folder).tremble
        return self.walk.beliefs(tremble)

    def roll_out(
        self, deals: int, seed: int, begin: Begin = quiet, tremble: float | None = None
    ) -> RangeWorth:
        """The roll-outs behind :meth:`ev`: PARTS times ``deals`` deals. Raises UserError."""
        result = range_worth(
            self.walk, Side(self.agent.game, self.agent.policy), self.beliefs(tremble),
            self.chart.offered, seed, deals=deals, progress=begin(PARTS * deals),
        )  # fmt: skip
        if result is None:
            raise UserError("no deal of the cards agrees with the hands that play this way")
        return result

    def search(
        self, seed: int = 1, setting: str = "full", begin: Begin = quiet, **settings: Any
    ) -> "SearchedSpot":
        """Search here, as `sixmax advise` does, and return the strategy that is found.

        ``setting`` is "full" or "fast"; ``settings`` are keys of the config's section `search`.
        The same ``seed`` gives the same strategy. Raises UserError for keys that there are not,
        for a run without continuations, and for the spot of another agent than the blueprint: a
        search begins with beliefs by that.
        """
        from sixmax.api.spots.searched import searched

        return searched(self, checks.seed(seed), setting, settings, begin)

    def after(self, actions: str, board: str = "") -> "Spot":
        """The spot after more ``actions``, with the ``board`` of the rounds that they begin.

        ``board`` are the new cards alone. Raises UserError as :meth:`sixmax.api.run.OpenedRun.at`.
        """
        words = self.path + checks.text("actions", actions, "c / c")
        return self.agent.of.at(
            words, self.board + checks.text("board", board, "Qh"), self.agent.name
        )

    @property
    def path(self) -> str:
        """The betting so far, in ACPC notation: ``ffr225ffc/c``."""
        parts = [""] * (self.walk.betting.round + 1)
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
