"""A decision of a hand: its table, strategy and ranges, and the EV of its actions."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np

from sixmax.api import checks
from sixmax.api.strategy import Mix, Range, Strategy, by_class, place_of
from sixmax.base.errors import UserError, one_of
from sixmax.betting.state import Betting
from sixmax.cards.deck import class_names, format_cards
from sixmax.scores.statistics import LEVEL
from sixmax.session.range_worth import standard_error


class MeanChips(NamedTuple):
    """A mean in chips, and half of its 95 % interval: 0 where it is exact.

    NaN where the hand cannot come here: it is not in the range, or blocks the opponent's.
    """

    mean: float
    half: float

    def __repr__(self) -> str:
        if math.isnan(self.mean):
            return "unknown"
        return f"{round(self.mean, 1) + 0.0:+,.1f}" + (f" ± {self.half:,.1f}" if self.half else "")


@dataclass(frozen=True)
class HandEV:
    """The EV of each action with a hand, in chips from the decision on: a fold is worth 0.

    ``values["c"]`` is that of an action, ``mixed`` that of the strategy itself.
    """

    hand: str
    mixed: MeanChips
    by_action: dict[str, MeanChips]

    def __getitem__(self, action: str) -> MeanChips:
        place_of(tuple(self.by_action), action)  # refuses another
        return self.by_action[action]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: [mean, half of the interval] by action, ``mixed`` among them.

        Null where it is unknown.
        """
        every = {"mixed": self.mixed, **self.by_action}
        return {name: None if math.isnan(e.mean) else list(e) for name, e in every.items()}

    def __repr__(self) -> str:
        each = ", ".join(f"{action} {value!r}" for action, value in self.by_action.items())
        return f"{self.hand}: {self.mixed!r}; {each}"


@dataclass(frozen=True, eq=False)
class EV:
    """The EV of each action at a decision, with every hole; chips from there on.

    strategy: of the player
    mean: float64[actions, holes]; NaN where a hole cannot be held
    off: float64[parts, actions, holes], how far each part of the sample moves the means; None
        where they are exact
    deals: the number of them that were played; 0 where the values are exact
    """

    strategy: Strategy
    mean: np.ndarray
    off: np.ndarray | None = None
    deals: int = 0

    def of(self, hand: str) -> HandEV:
        """The EV with ``hand``: a class (``AKs``), a hole (``AhKd``), or words of a range.

        Its combos count by their weight in the range, alike where none has any. Raises UserError
        for another word, and for cards on the board.
        """
        holes, own = self.strategy.range.holes(hand), self.strategy.weight
        weight = np.zeros(len(own))
        weight[holes] = own[holes] if own[holes].any() else 1.0
        return self._by(hand, weight)

    @property
    def classes(self) -> np.ndarray:
        """The EV of the strategy by hand class, in chips: float64[classes], NaN where unknown."""
        mixed, none = self.every[0][:1].T, np.zeros(len(self.known))
        weight, ranks = self.strategy.weight * self.known, self.strategy.range.ranks
        return by_class(mixed, weight, none, ranks)[:, 0]

    @property
    def range(self) -> HandEV:
        """The EV with the whole range."""
        return self._by(f"{self.strategy.range.player}'s range", self.strategy.weight)

    @functools.cached_property
    def known(self) -> np.ndarray:
        """Which holes can be held: bool[holes]."""
        return np.isfinite(self.mean).all(axis=0)

    @functools.cached_property
    def every(self) -> tuple[np.ndarray, np.ndarray | None]:
        """``mean`` and ``off`` with a first row for the strategy's own mix; 0 where unknown."""
        mean, mix, off = np.where(self.known, self.mean, 0.0), self.strategy.rows.T, self.off
        mean = np.concatenate([(mix * mean).sum(axis=0, keepdims=True), mean])
        if off is not None:
            off = np.concatenate([(mix * off).sum(axis=1, keepdims=True), off], axis=1)
        return mean, off

    def _by(self, name: str, weight: np.ndarray) -> HandEV:
        weight = weight * self.known
        if not weight.any():
            unknown = MeanChips(math.nan, 0.0)
            return HandEV(name, unknown, dict.fromkeys(self.strategy.actions, unknown))
        share, (mean, off) = weight / weight.sum(), self.every
        mixed, *each = (
            MeanChips(float(row @ share), 0.0 if off is None else half_interval(off[:, k] @ share))
            for k, row in enumerate(mean)
        )
        return HandEV(name, mixed, dict(zip(self.strategy.actions, each, strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: of the range, by action; and of each class that comes here, chips."""
        pairs = zip(class_names(self.strategy.range.ranks), self.classes.tolist(), strict=True)
        classes = {name: value for name, value in pairs if not math.isnan(value)}
        return {
            "player": self.strategy.range.player, "deals": self.deals,
            "range": self.range.to_dict(), "classes": classes,
        }  # fmt: skip

    def __repr__(self) -> str:
        how = f"{self.deals:,} deals" if self.deals else "exact"
        return f"EV in chips from here on, {how}: {self.range!r}"


def half_interval(off: np.ndarray) -> float:
    """Half of the 95 % interval of a mean that the parts of a sample move by ``off`` float64[…]."""
    from sixmax.scores.distributions import stdtrit

    return float(stdtrit(len(off) - 1, (1 + LEVEL) / 2) * standard_error(off))


class DecisionPoint:
    """A point of a game at which a player is to act, with a strategy for every hand.

    Amounts are chips. ``betting`` is the hand so far, ``cards`` int8[cards] its board, and
    ``positions`` are the names of the seats.
    """

    def __init__(
        self, betting: Betting, cards: np.ndarray, ranks: int, positions: Sequence[str] = ()
    ):
        self.betting, self.cards, self.ranks = betting, cards, ranks
        self.positions = positions or betting.names

    @property
    def board(self) -> str:
        """The cards seen: ``8d4d3s``."""
        return format_cards(self.cards, self.ranks)

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return int(self.betting.contributed.sum())

    @property
    def to_call(self) -> int:
        """Chips that the player has to add to call."""
        return self.betting.to_call

    @property
    def chart(self) -> Strategy:
        """The strategy that is played here."""
        raise NotImplementedError

    @property
    def player(self) -> str:
        """The position to act."""
        return self.chart.range.player

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions, in the order of the strategy's columns."""
        return self.chart.actions

    @overload
    def strategy(self) -> Strategy: ...
    @overload
    def strategy(self, hand: str) -> Mix: ...
    def strategy(self, hand: str | None = None) -> Strategy | Mix:
        """The strategy of every hand, or how one ``hand`` plays.

        ``hand`` is a class (``AKs``), a hole (``AhKd``), or words of a range (``77+,AQs``). Raises
        UserError for another word, and for cards on the board.
        """
        return self.chart if hand is None else self.chart.of(hand)

    def range(self, player: str | None = None) -> Range:
        """The hands with which ``player`` comes here; default: the player to act.

        Raises UserError for a position that is not at the table.
        """
        name, names = player or self.player, list(self.positions)
        if (known := checks.text("player", name, names[0]).upper()) not in names:
            raise UserError(f"player {name!r}: unknown; {one_of(known, names)}")
        return Range(known, self._weights(names.index(known)), self.cards, self.ranks)

    def _weights(self, seat: int) -> np.ndarray:
        """The range of ``seat`` as weights float64[holes]."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self.chart._repr_html_()
