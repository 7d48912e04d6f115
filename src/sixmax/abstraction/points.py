"""Features of one round as points for k-means, and distances back in units that people read."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.clustering.emd import cumulative, fractions, mass
from sixmax.abstraction.features import win_scale
from sixmax.abstraction.features_kernels import FULL
from sixmax.base.errors import UserError
from sixmax.cards.deck import BOARD_CARDS, ROUNDS
from sixmax.cards.isomorphism import situation_weights
from sixmax.store import read

WIN_BINS = 50  # of histograms of win probability


class Space(NamedTuple):
    """Every situation of one round, as k-means sees it; ``rows`` below are int64[n] or a slice."""

    round_name: str
    metric: str  # "emd" before the river, "l2" on it
    rows: np.ndarray  # histograms [situation, bin], on the river uint16[situation, cluster]
    win: np.ndarray  # uint32 or uint16[situation]: as win probability, see win_probability
    certain: int  # ``win`` of a certain win
    weight: np.ndarray  # int16[situation]: deals that it stands for
    total: int  # mass of a point's histogram; on the river the number for a certain win

    def points(self, rows: np.ndarray | slice) -> np.ndarray:
        """The situations ``rows`` as points: uint16[n, columns]."""
        chosen = self.rows[rows]
        return chosen if self.round_name == "river" else cumulative(chosen)

    def win_probability(self, rows: np.ndarray | slice) -> np.ndarray:
        """Win probability of the situations ``rows`` against a random hand: float64[n]."""
        return self.win[rows] / self.certain

    def as_features(self, centroid: np.ndarray) -> np.ndarray:
        """``centroid`` uint16[k, columns] as shares of bins: float32[k, features].

        On the river, as win probabilities.
        """
        if self.round_name == "river":
            return centroid.astype(np.float32) / np.float32(FULL)
        return fractions(centroid, self.total)

    def as_points(self, feature: np.ndarray) -> np.ndarray:
        """The inverse of :meth:`as_features`: uint16[k, columns]."""
        if self.round_name != "river":
            feature = np.cumsum(feature[:, :-1], axis=1, dtype=np.float64)
        return np.rint(feature.astype(np.float64) * self.total).astype(np.uint16)

    def in_units(self, distance: np.ndarray) -> np.ndarray:
        """Distances int64[n] of kmeans.nearest as float64[n]: bins.

        On the river, Euclidean in win probability.
        """
        distance = distance.astype(np.float64)
        return (np.sqrt(distance) if self.metric == "l2" else distance) / self.total


def open_space(folder: Path, round_name: str, ranks: int) -> Space:
    """Features of the round (not preflop) from the stores in ``folder``, all in memory.

    Raises UserError where there are none, or where they are of another deck.
    """
    if round_name not in ROUNDS[1:]:
        raise UserError(f"round {round_name!r}: wanted one of {', '.join(ROUNDS[1:])}")
    path = Path(folder) / f"{round_name}.zarr"
    features = read(path, f"features-{round_name}")
    river = round_name == "river"
    rows, win = features["ochs" if river else "histogram"], features["win"]
    weight = situation_weights(ranks, BOARD_CARDS[round_name])
    if len(weight) != len(rows):
        raise UserError(
            f"{path}: found {len(rows):,} situations, wanted {len(weight):,} for a deck of "
            f"{ranks} ranks; name the features of that deck"
        )
    metric, total = ("l2", FULL) if river else ("emd", mass(rows))
    return Space(round_name, metric, rows, win, win_scale(ranks, round_name), weight, total)


def sample_rows(total: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """``size`` different rows of ``total``, ascending: one drawn from each of equal stretches.

    Returns int64[size], or all rows where ``total`` is no larger.
    """
    if size >= total:
        return np.arange(total)
    edge = np.arange(size + 1, dtype=np.int64) * total // size
    return edge[:-1] + (rng.random(size) * np.diff(edge)).astype(np.int64)


def win_histograms(
    row: np.ndarray, win: np.ndarray, rows: int, weight: np.ndarray | None = None
) -> np.ndarray:
    """The weight of hands by ``row`` int[n] and win probability: [rows, WIN_BINS].

    ``win`` float[n] is that of each hand, ``weight`` its weight; one each without.
    """
    column = np.minimum((win * WIN_BINS).astype(np.int64), WIN_BINS - 1)
    cells = row.astype(np.int64) * WIN_BINS + column
    return np.bincount(cells, weight, minlength=rows * WIN_BINS).reshape(rows, WIN_BINS)
