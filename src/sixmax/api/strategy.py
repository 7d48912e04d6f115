"""The strategy and the range of every hand at one decision: numbers, words, a picture."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sixmax.api import chart, checks
from sixmax.base.errors import UserError
from sixmax.betting.state import spell
from sixmax.cards.deck import class_names, classes, format_cards, holds, hole_cards
from sixmax.cards.ranges import hand_holes

DIGITS = 4  # of probabilities in plain values
_SHOWN = 8  # classes that a line names
_LEAST = 5e-4  # of the largest weight: words leave smaller ones out


@dataclass(frozen=True, eq=False)
class Range:
    """The hands that a player may hold, with weights.

    Weights at a spot are relative to the likeliest hand, which has 1; those of a solved endgame are
    the given ones times the play; those of a strategy are the probability of coming there.

    weights: float64[holes], 0 for those that the board blocks
    board: int8[cards] seen
    """

    player: str
    weights: np.ndarray
    board: np.ndarray
    ranks: int = 13

    @property
    def free(self) -> np.ndarray:
        """Which holes the board leaves: bool[holes]."""
        return ~holds(self.board, self.ranks)

    def holes(self, hand: str) -> np.ndarray:
        """The free holes of ``hand``: a class, a hole, or words of a range. Raises UserError."""
        return hand_holes(checks.text("hand", hand, "AKs"), self.board, self.ranks)

    @property
    def combos(self) -> float:
        """The sum of the weights: 1,326 for every hand of a full deck."""
        return float(self.weights.sum())

    @property
    def classes(self) -> np.ndarray:
        """The mean weight of each hand class over the combos that the board leaves: float64[…].

        Classes are in the order of sixmax.cards.deck.class_names; 0 where the board leaves none.
        """
        free = self.free
        mean = by_class(self.weights[:, None], free.astype(float), free, self.ranks)[:, 0]
        return np.nan_to_num(mean)

    @property
    def heights(self) -> np.ndarray:
        """:attr:`classes` relative to the largest of them: float64[classes]."""
        return self.classes / max(self.classes.max(), 1e-300)

    def of(self, hand: str) -> float:
        """The mean weight of the :meth:`holes` of ``hand``."""
        return float(self.weights[self.holes(hand)].mean())

    @property
    def words(self) -> str:
        """The range in words that :func:`sixmax.cards.ranges.parse_range` reads: ``AA,KQs:0.5``.

        A class whose combos differ is written hole by hole. Weights have four digits; those below
        .0005 of the largest are left out.
        """
        label, words, most = classes(self.ranks), [], max(float(self.weights.max()), 1e-300)
        free, named = self.free, hole_names(self.ranks)
        for k, name in enumerate(class_names(self.ranks)):
            holes = np.flatnonzero((label == k) & free)
            weights = self.weights[holes]
            if len(holes) and np.ptp(weights) < _LEAST * most:
                words += [_word(name, weights.mean(), most)]
            else:
                words += [_word(named[hole], self.weights[hole], most) for hole in holes]
        return ",".join(filter(None, words))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the mean weight by class name, of those above 0."""
        pairs = zip(class_names(self.ranks), rounded(self.classes), strict=True)
        return {
            "player": self.player, "combos": round(self.combos, 1),
            "classes": {name: weight for name, weight in pairs if weight > 0},
        }  # fmt: skip

    def __repr__(self) -> str:
        mean, names = self.classes, class_names(self.ranks)
        first = [k for k in np.argsort(-mean, kind="stable")[:_SHOWN] if mean[k] > 0]
        shown = ", ".join(f"{names[k]} {mean[k]:.2f}" for k in first)
        more = ", …" if np.count_nonzero(mean) > len(first) else ""
        return f"{self.player}, {self.combos:,.1f} combos: {shown}{more}"

    def _repr_html_(self) -> str:
        rows = [[1.0]] * self.ranks**2
        return chart.html(repr(self), ("c",), rows, self.heights.tolist(), self.ranks, "in range")


def _word(name: str, weight: float, most: float) -> str:
    if weight < _LEAST * most:
        return ""
    return name if abs(weight - 1) < _LEAST else f"{name}:{weight:.4g}"


def relative(belief: np.ndarray, board: np.ndarray, ranks: int) -> np.ndarray:
    """``belief`` float64[holes] of any scale as weights of a range, the largest 1."""
    free = np.where(holds(board, ranks), 0.0, belief)
    return free / max(free.max(), 1e-300)


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

    range: of the player to act: how often each hole comes here
    offered: the actions as they are done in the real hand, ascending, each once
    rows: float64[holes, offered]; zeros for blocked holes
    bucket: int32[holes], the blueprint's; None without any
    words: the names of the actions; without them f, c and rN
    """

    range: Range
    offered: list[int]
    rows: np.ndarray
    bucket: np.ndarray | None = None
    words: tuple[str, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions, in the order of the columns of ``rows``."""
        return self.words or tuple(map(spell, self.offered))

    @property
    def weight(self) -> np.ndarray:
        """The weight of each hole, 1 for all that are free where no hole comes: float64[holes]."""
        reach = self.range.weights
        return reach if reach.any() else self.range.free.astype(float)

    @property
    def total(self) -> np.ndarray:
        """The frequency of each action over the range: float64[offered]."""
        return self.weight @ self.rows / max(self.weight.sum(), 1e-300)

    @property
    def classes(self) -> np.ndarray:
        """The mean of each hand class by weight: float64[classes, offered], NaN where none is free.

        Classes are in the order of sixmax.cards.deck.class_names.
        """
        return by_class(self.rows, self.weight, self.range.free, self.range.ranks)

    def of(self, hand: str) -> Mix:
        """How ``hand`` plays: a class (``AKs``), a hole (``AhKd``), or words of a range.

        A mean of its combos by weight, plain where none has any. Raises UserError for other words.
        """
        holes = self.range.holes(hand)
        weight = self.weight[holes]
        by = weight if weight.any() else np.ones(len(holes))
        return Mix(hand, self.actions, by @ self.rows[holes] / by.sum(), self.range.of(hand))

    def to_dict(self) -> dict[str, Any]:
        """The chart as plain JSON values, and from the flop on every combo.

        ``classes``: frequencies by hand class, null for a class that the board leaves no combo of.
        ``reach``: of a class, the mean over its combos.
        """
        reach, free = self.range, self.range.free
        combos = np.bincount(classes(reach.ranks), free, reach.ranks**2)
        return {
            "actions": list(self.actions), "offered": self.offered, "total": rounded(self.total),
            "combos_in_range": round(reach.combos, 1),
            "classes": [None if row[0] != row[0] else row for row in rounded(self.classes)],  # NaN
            "reach": rounded(reach.classes), "combos": combos.astype(int).tolist(),
            "holes": None if free.all() else self._holes(),
        }  # fmt: skip

    def _holes(self) -> dict[int, list]:
        """By class, its free combos: cards, bucket, reach, frequencies."""
        label, names = classes(self.range.ranks), hole_names(self.range.ranks)
        rows, reach, holes = rounded(self.rows), rounded(self.range.weights), dict[int, list]()
        for hole in np.flatnonzero(self.range.free).tolist():
            number = 0 if self.bucket is None else int(self.bucket[hole])
            combo = [names[hole], number, reach[hole], rows[hole]]
            holes.setdefault(int(label[hole]), []).append(combo)
        return holes

    def text(self, action: str) -> str:
        """The frequency of ``action`` in percent, as a chart of hand classes."""
        rows = self.classes[:, place_of(self.actions, action)]
        return chart.text(np.where(self.range.classes > 0, rows, np.nan), self.range.ranks)

    def __repr__(self) -> str:
        shares = chart.shares(self.actions, self.total)
        return f"{self.range.player} to act, {self.range.combos:,.1f} combos: {shares}"

    def _repr_html_(self) -> str:
        values, ranks = self.to_dict(), self.range.ranks
        return chart.html(repr(self), self.actions, values["classes"], values["reach"], ranks)


def place_of(actions: Sequence[str], action: str) -> int:
    """The place of ``action`` among the names ``actions``. Raises UserError."""
    if action not in actions:
        raise UserError(f"action {action!r}: unknown; there are {', '.join(actions)}")
    return list(actions).index(action)


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


@functools.cache
def hole_names(ranks: int) -> list[str]:
    """The cards of each hole, the higher first: "AhKd"."""
    return [format_cards(pair[::-1], ranks) for pair in hole_cards(ranks)]


def rounded(values: np.ndarray) -> list:
    """``values``, floats of any shape, as a list, to DIGITS places."""
    return np.round(values, DIGITS).tolist()
