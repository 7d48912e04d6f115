"""The strategy of every hand at one decision, in numbers, words and a picture."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from sixmax.api import chart, checks
from sixmax.base.errors import UserError, one_of
from sixmax.betting.state import Betting, spell
from sixmax.cards.deck import classes, format_cards, hole_cards
from sixmax.cards.ranges import hand_holes

DIGITS = 4  # of probabilities in plain values


@dataclass(frozen=True, eq=False)
class Mix:
    """How one hand plays: ``mix["c"]`` is the probability of an action.

    chances: float64[actions]
    weight: the part of the hand's combos that comes to this decision
    """

    hand: str
    actions: tuple[str, ...]
    chances: np.ndarray
    weight: float

    def __getitem__(self, action: str) -> float:
        return float(self.chances[place_of(self.actions, action)])

    def to_dict(self) -> dict[str, float]:
        """The probability of each action."""
        return dict(zip(self.actions, self.chances.tolist(), strict=True))

    def __repr__(self) -> str:
        shares = chart.shares(self.actions, self.chances)
        return f"{self.hand}: {shares}" + ("" if self.weight else " (not in the range)")


@dataclass(frozen=True, eq=False)
class Strategy:
    """The strategy of every hole at one decision. Holes are numbered as by hole_id.

    player: the position to act
    offered: the actions as they are done in the real hand, ascending, each once
    rows: float64[holes, offered]; zeros for blocked holes
    reach: float64[holes], the probability that the player would have come here
    bucket: int32[holes], the blueprint's; -1 for blocked holes
    words: the names of the actions; without them f, c and rN
    """

    player: str
    offered: list[int]
    rows: np.ndarray
    reach: np.ndarray
    bucket: np.ndarray
    ranks: int = 13
    words: tuple[str, ...] = field(default=())

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions, in the order of the columns of ``rows``."""
        return self.words or tuple(map(spell, self.offered))

    @property
    def free(self) -> np.ndarray:
        """Which holes the board leaves: bool[holes]."""
        return self.bucket >= 0

    @property
    def weight(self) -> np.ndarray:
        """The weight of each hole in the range: its reach, or 1 where no hole has any.

        float64[holes]; 0 for blocked holes.
        """
        free = self.free
        return np.where(free, self.reach if (self.reach * free).any() else 1.0, 0.0)

    @property
    def total(self) -> np.ndarray:
        """The frequency of each action over the range: float64[offered]."""
        return self.weight @ self.rows / max(self.weight.sum(), 1e-300)

    @property
    def classes(self) -> np.ndarray:
        """The mean of each hand class by weight: float64[classes, offered], NaN where none is free.

        Classes are in the order of sixmax.cards.deck.class_names.
        """
        return by_class(self.rows, self.weight * self.free, self.free, self.ranks)

    def of(self, hand: str) -> Mix:
        """How ``hand`` plays: a class (``AKs``), a hole (``AhKd``), or words of a range.

        The mean over its combos by their weight in the range; plain where none has any. Raises
        UserError for another word and for cards on the board.
        """
        words = checks.text("hand", hand, "AKs")
        holes = hand_holes(words, self._board_blocks, self.ranks)
        weight = self.weight[holes]
        by = weight if weight.any() else np.ones(len(holes))
        mean = by @ self.rows[holes] / by.sum()
        return Mix(hand, self.actions, mean, float(self.reach[holes].mean()))

    @property
    def _board_blocks(self) -> np.ndarray:
        """The cards that no free hole has: int8[…]."""
        held = np.zeros(4 * self.ranks, bool)
        held[hole_cards(self.ranks)[self.free]] = True
        return np.flatnonzero(~held).astype(np.int8)

    @property
    def _class_reach(self) -> np.ndarray:
        """The mean reach of each class over its free combos: float64[classes], 0 without any."""
        free = self.free
        reach = by_class(self.reach[:, None], free.astype(float), free, self.ranks)[:, 0]
        return np.nan_to_num(reach)

    def to_dict(self) -> dict[str, Any]:
        """The chart as plain JSON values, and from the flop on every combo.

        ``classes``: frequencies by hand class, null for a class that the board leaves no combo of.
        ``reach``: of a class, the mean over its combos.
        """
        free = self.free
        return {
            "actions": list(self.actions),
            "offered": self.offered,
            "total": rounded(self.total),
            "combos_in_range": round(float((self.reach * free).sum()), 1),
            "classes": [None if row[0] != row[0] else row for row in rounded(self.classes)],  # NaN
            "reach": rounded(self._class_reach),
            "combos": np.bincount(classes(self.ranks), free, self.ranks**2).astype(int).tolist(),
            "holes": None if free.all() else _holes(self),
        }

    def text(self, action: str) -> str:
        """The frequency of ``action`` in percent, as a chart of hand classes."""
        rows = self.classes[:, place_of(self.actions, action)]
        return chart.text(np.where(self._class_reach > 0, rows, np.nan), self.ranks)

    def __repr__(self) -> str:
        combos = float((self.reach * self.free).sum())
        shares = chart.shares(self.actions, self.total)
        return f"{self.player} to act, {combos:,.1f} combos: {shares}"

    def _repr_html_(self) -> str:
        values = self.to_dict()
        return chart.html(repr(self), self.actions, values["classes"], values["reach"], self.ranks)


class DecisionPoint:
    """A point of a game at which a player is to act, with a strategy for every hand."""

    @property
    def betting(self) -> Betting:
        """The hand so far; amounts are chips."""
        raise NotImplementedError

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
        return self.chart.player

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

    def _repr_html_(self) -> str:
        return self.chart._repr_html_()


def place_of(actions: Sequence[str], action: str) -> int:
    """The place of ``action`` among the names ``actions``. Raises UserError."""
    if action not in actions:
        raise UserError(f"action {action!r}: unknown; there are {', '.join(actions)}")
    return list(actions).index(action)


def seat_of(names: Sequence[str], player: str) -> int:
    """The place of ``player`` among ``names`` of positions. Raises UserError."""
    checks.text("player", player, names[0])
    if player.upper() not in names:
        raise UserError(f"player {player!r}: unknown; {one_of(player.upper(), names)}")
    return list(names).index(player.upper())


def by_class(rows: np.ndarray, weight: np.ndarray, free: np.ndarray, ranks: int) -> np.ndarray:
    """The mean of ``rows`` float64[holes, …] in each hand class by ``weight`` float64[holes].

    Where no hole of a class has weight, that of its ``free`` ones, bool[holes] or 0 and 1; NaN
    where none is free. Returns float64[classes, …].
    """
    label, count = classes(ranks), ranks * ranks
    some = np.bincount(label, weight, count) > 0
    by = np.where(some[label], weight, free)
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = [np.bincount(label, by * column, count) for column in rows.T]
        return np.stack(sums, axis=1) / np.bincount(label, by, count)[:, None]


def _holes(strategy: Strategy) -> dict[int, list]:
    """By class, its free combos: cards, bucket, reach, frequencies."""
    label, names, holes = classes(strategy.ranks), hole_names(strategy.ranks), {}
    free = np.flatnonzero(strategy.free)
    rows = np.round(strategy.rows[free], DIGITS).tolist()
    reach = np.round(strategy.reach[free], DIGITS).tolist()
    for hole, part, row in zip(free, reach, rows, strict=True):
        combo = [names[hole], int(strategy.bucket[hole]), part, row]
        holes.setdefault(int(label[hole]), []).append(combo)
    return holes


@functools.cache
def hole_names(ranks: int) -> list[str]:
    """The cards of each hole, the higher first: "AhKd"."""
    return [format_cards(pair[::-1], ranks) for pair in hole_cards(ranks)]


def rounded(values: np.ndarray) -> list:
    """``values``, floats of any shape, as a list, to DIGITS places."""
    return np.round(values, DIGITS).tolist()
