"""A player's range: the weight of each hole, in numbers, words and a picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sixmax.api import chart, checks
from sixmax.api.strategy import by_class, hole_names, rounded
from sixmax.cards.deck import class_names, classes, holds
from sixmax.cards.ranges import hand_holes

_SHOWN = 8  # classes that a line names
_LEAST = 5e-4  # of the largest weight: words leave smaller ones out


@dataclass(frozen=True, eq=False)
class Range:
    """The hands that a player may hold, with weights.

    Those of a run stand beside the likeliest, which is 1; those of a solved endgame are the given
    ones, times the play.

    weights: float64[holes], 0 for those that the board blocks
    board: int8[cards] seen
    """

    player: str
    weights: np.ndarray
    board: np.ndarray
    ranks: int = 13

    @property
    def combos(self) -> float:
        """The sum of the weights: 1,326 for every hand of a full deck."""
        return float(self.weights.sum())

    @property
    def classes(self) -> np.ndarray:
        """The mean weight of each hand class over the combos that the board leaves: float64[…].

        Classes are in the order of sixmax.cards.deck.class_names; 0 where the board leaves none.
        """
        free = ~holds(self.board, self.ranks)
        mean = by_class(self.weights[:, None], free.astype(float), free, self.ranks)[:, 0]
        return np.nan_to_num(mean)

    @property
    def heights(self) -> np.ndarray:
        """:attr:`classes` beside the largest of them, combo for combo: float64[classes]."""
        return self.classes / max(self.classes.max(), 1e-300)

    def of(self, hand: str) -> float:
        """The mean weight of ``hand``: a class, a hole, or words of a range. Raises UserError."""
        words = checks.text("hand", hand, "AKs")
        return float(self.weights[hand_holes(words, self.board, self.ranks)].mean())

    @property
    def words(self) -> str:
        """The range in words that :func:`sixmax.cards.ranges.parse_range` reads: ``AA,KQs:0.5``.

        A class whose combos differ is written hole by hole. Weights have four digits; those below
        .0005 of the largest are left out.
        """
        label, words, most = classes(self.ranks), [], max(float(self.weights.max()), 1e-300)
        free = ~holds(self.board, self.ranks)
        for k, name in enumerate(class_names(self.ranks)):
            holes = np.flatnonzero((label == k) & free)
            weights = self.weights[holes]
            if len(holes) and np.ptp(weights) < _LEAST * most:
                words += [_word(name, weights.mean(), most)]
            else:
                named = (hole_names(self.ranks)[hole] for hole in holes)
                words += [_word(each, w, most) for each, w in zip(named, weights, strict=True)]
        return ",".join(filter(None, words))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the mean weight by class name, of those above 0."""
        pairs = zip(class_names(self.ranks), rounded(self.classes), strict=True)
        return {
            "player": self.player,
            "combos": round(self.combos, 1),
            "classes": {name: weight for name, weight in pairs if weight > 0},
        }

    def __repr__(self) -> str:
        mean, names = self.classes, class_names(self.ranks)
        first = [k for k in np.argsort(-mean, kind="stable")[:_SHOWN] if mean[k] > 0]
        shown = ", ".join(f"{names[k]} {mean[k]:.2f}" for k in first)
        more = ", …" if np.count_nonzero(mean) > len(first) else ""
        return f"{self.player}, {self.combos:,.1f} combos: {shown}{more}"

    def _repr_html_(self) -> str:
        rows = [[1.0]] * self.ranks**2
        return chart.html(repr(self), ("c",), rows, self.heights.tolist(), self.ranks, "in range")


def relative(player: str, belief: np.ndarray, board: np.ndarray, ranks: int) -> Range:
    """The range of ``belief`` float64[holes], weights of any scale."""
    free = np.where(holds(board, ranks), 0.0, belief)
    return Range(player, free / max(free.max(), 1e-300), board, ranks)


def _word(name: str, weight: float, most: float) -> str:
    if weight < _LEAST * most:
        return ""
    return name if abs(weight - 1) < _LEAST else f"{name}:{weight:.4g}"
