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


class Space(NamedTuple):
    """Every situation of one round, as k-means sees it."""

    round_name: str
    metric: str  # "emd" before the river, "l2" on it
    rows: np.ndarray  # histograms [situation, bin], on the river uint16[situation, cluster]
    win: np.ndarray  # uint32 or uint16[situation]: as win probability, see win_probability
    certain: int  # ``win`` of a certain win
    weight: np.ndarray  # int16[situation]: deals that it stands for
    total: int  # mass of a point's histogram; on the river the number for a certain win


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


def points(space: Space, rows: np.ndarray | slice) -> np.ndarray:
    """The situations ``rows``, int64[chosen] or a slice, as points: uint16[chosen, columns]."""
    chosen = space.rows[rows]
    return chosen if space.round_name == "river" else cumulative(chosen)


def win_probability(space: Space, rows: np.ndarray | slice) -> np.ndarray:
    """Win probability of the situations ``rows`` against a random hand: float64[chosen].

    ``rows`` is int64[chosen] or a slice.
    """
    return space.win[rows] / space.certain


def as_features(space: Space, centroid: np.ndarray) -> np.ndarray:
    """Centroids as shares of bins, or on the river as win probabilities: float32[k, features].

    ``centroid`` is uint16[k, columns].
    """
    if space.round_name == "river":
        return centroid.astype(np.float32) / np.float32(FULL)
    return fractions(centroid, space.total)


def as_points(space: Space, feature: np.ndarray) -> np.ndarray:
    """The inverse of :func:`as_features`: uint16[k, columns].

    ``feature`` is float32[k, features].
    """
    if space.round_name != "river":
        feature = np.cumsum(feature[:, :-1], axis=1, dtype=np.float64)
    return np.rint(feature.astype(np.float64) * space.total).astype(np.uint16)


def in_units(space: Space, distance: np.ndarray) -> np.ndarray:
    """Distances of k-means as float64[n]: bins, on the river Euclidean in win probability.

    ``distance`` int64[n] is as :func:`sixmax.abstraction.clustering.kmeans.nearest` gives it.
    """
    distance = distance.astype(np.float64)
    return (np.sqrt(distance) if space.metric == "l2" else distance) / space.total


def sample_rows(total: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """``size`` different rows of ``total``, ascending: one drawn from each of equal stretches.

    Returns int64[size], or all rows where ``total`` is no larger.
    """
    if size >= total:
        return np.arange(total)
    edge = np.arange(size + 1, dtype=np.int64) * total // size
    return edge[:-1] + (rng.random(size) * np.diff(edge)).astype(np.int64)
