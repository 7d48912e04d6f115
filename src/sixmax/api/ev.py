"""The EV of actions, with its error: of a range, of hand classes, of single hands."""

import functools
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sixmax.api import checks
from sixmax.api.strategy import Strategy, by_class, place_of
from sixmax.cards.deck import class_names
from sixmax.cards.ranges import hand_holes
from sixmax.scores.statistics import LEVEL
from sixmax.session.range_worth import RangeWorth, standard_error


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

    actions: their names
    mean: float64[actions, holes]; NaN where a hole cannot be held
    rows, weight: the strategy float64[holes, actions] and the range float64[holes] of the player
    off: float64[parts, actions, holes], how far each part of the sample moves the means; None
        where they are exact
    deals: the number of them that were played; 0 where the values are exact
    """

    player: str
    actions: tuple[str, ...]
    mean: np.ndarray
    rows: np.ndarray
    weight: np.ndarray
    board: np.ndarray
    ranks: int
    off: np.ndarray | None = None
    deals: int = 0

    def of(self, hand: str) -> HandEV:
        """The EV with ``hand``: a class (``AKs``), a hole (``AhKd``), or words of a range.

        Its combos count by their weight in the range, alike where none has any. Raises UserError
        for another word, and for cards on the board.
        """
        holes = hand_holes(checks.text("hand", hand, "AKs"), self.board, self.ranks)
        weight = np.zeros(len(self.weight))
        weight[holes] = self.weight[holes] if self.weight[holes].any() else 1.0
        return self._by(hand, weight)

    @property
    def classes(self) -> np.ndarray:
        """The EV of the strategy by hand class, in chips: float64[classes], NaN where unknown."""
        mixed, none = self.every[0][:1].T, np.zeros(len(self.known))
        return by_class(mixed, self.weight * self.known, none, self.ranks)[:, 0]

    @property
    def range(self) -> HandEV:
        """The EV with the whole range."""
        return self._by(f"{self.player}'s range", self.weight)

    @functools.cached_property
    def known(self) -> np.ndarray:
        """Which holes can be held: bool[holes]."""
        return np.isfinite(self.mean).all(axis=0)

    @functools.cached_property
    def every(self) -> tuple[np.ndarray, np.ndarray | None]:
        """``mean`` and ``off`` with a first row for the strategy's own mix; 0 where unknown."""
        mean, mix, off = np.where(self.known, self.mean, 0.0), self.rows.T, self.off
        mean = np.concatenate([(mix * mean).sum(axis=0, keepdims=True), mean])
        if off is not None:
            off = np.concatenate([(mix * off).sum(axis=1, keepdims=True), off], axis=1)
        return mean, off

    def _by(self, name: str, weight: np.ndarray) -> HandEV:
        weight = weight * self.known
        if not weight.any():
            unknown = MeanChips(math.nan, 0.0)
            return HandEV(name, unknown, dict.fromkeys(self.actions, unknown))
        share, (mean, off) = weight / weight.sum(), self.every
        mixed, *each = (
            MeanChips(float(row @ share), _half(None if off is None else off[:, k] @ share))
            for k, row in enumerate(mean)
        )
        return HandEV(name, mixed, dict(zip(self.actions, each, strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: of the range, by action; and of each class that comes here, chips."""
        pairs = zip(class_names(self.ranks), self.classes.tolist(), strict=True)
        classes = {name: value for name, value in pairs if not math.isnan(value)}
        return {
            "player": self.player, "deals": self.deals, "range": self.range.to_dict(),
            "classes": classes,
        }  # fmt: skip

    def __repr__(self) -> str:
        how = f"{self.deals:,} deals" if self.deals else "exact"
        return f"EV in chips from here on, {how}: {self.range!r}"


def sampled(worth: RangeWorth, strategy: Strategy, board: np.ndarray, deals: int) -> EV:
    """The EV by roll-outs of ``deals`` deals."""
    return EV(
        strategy.player, strategy.actions, worth.mean, strategy.rows, strategy.weight, board,
        strategy.ranks, worth.off, deals,
    )  # fmt: skip


def _half(off: np.ndarray | None) -> float:
    """Half of the interval of a mean that the parts of a sample move by ``off`` float64[parts]."""
    from sixmax.scores.distributions import stdtrit

    if off is None:
        return 0.0
    return float(stdtrit(len(off) - 1, (1 + LEVEL) / 2) * standard_error(off))
