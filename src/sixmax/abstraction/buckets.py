"""Buckets of one round: cluster its features, give each situation a bucket, look hands up.

A round's table is board-major, so all hands on a board are read from one row: canonicalise the
board once, rename the suits of each hole, read ``table[board, hole]``. A table has a byte a hand,
or two where its buckets need them; its largest number says that the board blocks the hole.
"""

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from sixmax.abstraction.clustering.kmeans import Clustering, cluster, nearest
from sixmax.abstraction.config import MAX_BUCKETS
from sixmax.abstraction.features import Round, win_scale
from sixmax.abstraction.points import Space, open_space, sample_rows
from sixmax.base import options
from sixmax.base.code_digest import made_by
from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.base.progress import Progress
from sixmax.base.rng import generator
from sixmax.cards.deck import BOARD_CARDS, ROUNDS, classes, n_holes
from sixmax.cards.isomorphism import boards, offsets, orbits
from sixmax.store import Store, read, write

_ROWS = 1 << 20  # situations given their buckets at a time


class Buckets(NamedTuple):
    """Bucket of every hand, for kernels that deal; memory-mapped and read-only."""

    preflop: np.ndarray  # uint8[1, H]: sixmax.cards.deck.classes
    flop: np.ndarray  # uint8 or uint16[1755, H] for the full deck: by board and hole
    turn: np.ndarray  # uint8 or uint16[16432, H], see table_dtype
    river: np.ndarray  # uint8 or uint16[134459, H]
    counts: np.ndarray  # int32[4]: buckets of each round
    strength: np.ndarray  # float32[4, max(counts)]: mean win probability; NaN beyond counts


def table_dtype(buckets: int) -> np.dtype:
    """The numbers of a table of so many buckets: uint8 for up to 255, uint16 for more."""
    return np.dtype(np.uint8 if buckets <= blocked(np.uint8) else np.uint16)


def blocked(dtype: DTypeLike) -> int:
    """The number, in a table of ``dtype``, of a hole that shares a card with the board."""
    return int(np.iinfo(dtype).max)


@options.stage
def make(
    round_name: Round, features: options.Features, out: options.Store,
    ranks: options.Ranks,
    buckets: Annotated[int, options.Option("How many; 30,000 at most.", least=1, default=200)],
    sample: options.Sample, restarts: options.Restarts, max_iterations: options.MaxIterations,
    seed: options.SeedOfRun, threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Cluster the hands of a betting round into buckets.

    k-means on a sample of situations; then every situation joins its nearest centroid. Preflop is
    lossless (one bucket for each class) and needs no more than --ranks.

    \b
    sixmax stage cluster turn --features /tmp/features --ranks 6 --out /tmp/turn.zarr
    sixmax show /tmp/turn.zarr                           the arrays of the store

    Raises UserError for more than 30,000 buckets, or more than there are different situations.
    """
    shaped_by = {"ranks": ranks}
    if round_name != "preflop":
        shaped_by |= {
            "buckets": buckets, "sample": sample, "restarts": restarts,
            "max_iterations": max_iterations, "seed": seed,
        }  # fmt: skip
    attributes = made_by("abstraction.buckets", round=round_name, **shaped_by)
    if round_name == "preflop":
        write(out, "buckets", _preflop(features, ranks), **attributes)
        return
    check_count(round_name, buckets)
    space = open_space(features, round_name, ranks)
    clustering = cluster_sample(space, buckets, sample, restarts, max_iterations, seed)
    assigned = assign(space, clustering.centroid)
    arrays = _describe(space, clustering.centroid, assigned, ranks)
    about = {
        "objective_sample": clustering.objective,
        "objective_all": assigned.objective,
        "iterations": clustering.iterations,
        "reseeded": clustering.reseeded,
    }
    write(out, "buckets", arrays, kmeans=about, **attributes)


def check_count(round_name: str, buckets: int) -> None:
    """Raise UserError for a number of buckets that no table has."""
    if not 1 <= buckets <= MAX_BUCKETS:
        raise UserError(
            f"{round_name}: found {buckets} buckets, wanted 1 to {MAX_BUCKETS}; ask for "
            f"{'fewer' if buckets > 1 else 'more'}"
        )


def cluster_sample(
    space: Space, buckets: int, sample: int, restarts: int, max_iterations: int, seed: int
) -> Clustering:
    """k-means on ``sample`` situations, each weighted by the deals that it stands for.

    Raises UserError where the sample has fewer different situations than ``buckets``.
    """
    stream = (seed, "abstraction", space.round_name)
    rows = sample_rows(len(space.rows), sample, generator(*stream, "sample"))
    own, weight = int(generator(*stream).integers(1 << 62)), space.weight[rows]
    try:
        return cluster(
            space.points(rows), weight, buckets, space.metric, own, restarts, max_iterations
        )
    except ValueError as error:
        raise UserError(f"{space.round_name}: {error}; ask for fewer buckets") from error


class Assigned(NamedTuple):
    """Every situation with its nearest centroid."""

    label: np.ndarray  # uint8 or uint16[situation], see table_dtype
    size: np.ndarray  # int64[k]: situations of each centroid
    deals: np.ndarray  # int64[k]: the deals that they stand for
    strength: np.ndarray  # float64[k]: their mean win probability, weighted by deals
    objective: float  # mean distance, weighted by deals


def assign(space: Space, centroid: np.ndarray) -> Assigned:
    """The nearest of the centroids uint16[k, columns] for every situation."""
    k, cost = len(centroid), 0.0
    label = np.empty(len(space.rows), table_dtype(k))
    size, deals, win = np.zeros(k, np.int64), np.zeros(k, np.int64), np.zeros(k)
    with Progress(len(label), f"{space.round_name} buckets", "situations") as progress:
        for first in range(0, len(label), _ROWS):
            block = slice(first, min(first + _ROWS, len(label)))
            near, distance = nearest(space.points(block), centroid, space.metric)
            label[block] = near
            weight = space.weight[block]
            size += np.bincount(near, minlength=k)
            deals += np.bincount(near, weight, minlength=k).astype(np.int64)
            win += np.bincount(near, weight * space.win_probability(block), minlength=k)
            cost += float((distance.astype(np.float64) * weight).sum())
            progress.add(len(near))
    return Assigned(label, size, deals, win / np.maximum(deals, 1), cost / float(deals.sum()))


def _describe(space: Space, centroid: np.ndarray, assigned: Assigned, ranks: int) -> dict:
    """The arrays of a store: buckets renumbered by ascending strength, sizes and centroids."""
    order = np.argsort(assigned.strength, kind="stable")
    number = np.argsort(order).astype(assigned.label.dtype)
    board_cards = BOARD_CARDS[space.round_name]
    tables = boards(ranks, board_cards)
    bucket = np.empty((len(tables.count), n_holes(ranks)), number.dtype)
    label, offset = number[assigned.label], offsets(ranks, board_cards)
    spread(tables, offset, label, blocked(bucket.dtype), bucket)
    return {
        "bucket": bucket,
        "centroid": space.as_features(centroid[order]),
        "size": assigned.size[order],
        "deals": assigned.deals[order],
        "strength": assigned.strength[order].astype(np.float32),
    }


@njit
def spread(tables, offset, label, taken, bucket):
    """Write ``label`` [situations] to ``bucket`` [boards, H]; ``taken`` where a card is blocked.

    ``tables`` are the canonical Boards, ``offset`` int64[boards + 1] their first situations.
    """
    orbit = np.empty(bucket.shape[1], np.int16)
    for board in range(len(tables.count)):
        orbits(tables.cards[board], orbit)
        for hole in range(len(orbit)):
            if orbit[hole] < 0:
                bucket[board, hole] = taken
            else:
                bucket[board, hole] = label[offset[board] + orbit[hole]]


def _preflop(folder: Path, ranks: int) -> dict:
    features = read(Path(folder) / "preflop.zarr", "features-preflop")
    bucket = classes(ranks)
    deals = np.bincount(bucket)
    if len(deals) != len(features["win"]):
        raise UserError(
            f"{features.path}: found {len(features['win'])} classes, wanted {len(deals)} for a "
            f"deck of {ranks} ranks; name the features of that deck"
        )
    histogram = features["histogram"].astype(np.float64)
    return {
        "bucket": bucket[None, :],
        "centroid": (histogram / histogram.sum(axis=1, keepdims=True)).astype(np.float32),
        "size": np.ones(len(deals), np.int64),
        "deals": deals.astype(np.int64),
        "strength": (features["win"] / win_scale(ranks, "preflop")).astype(np.float32),
    }


def open_round(run: Path, round_name: str, ranks: int) -> Store:
    """The store of one round of a run, checked against the deck and its own buckets.

    Raises UserError.
    """
    store = read(Path(run) / "abstraction" / f"{round_name}.zarr", "buckets")
    expected = (len(boards(ranks, BOARD_CARDS[round_name]).count), n_holes(ranks))
    if store["bucket"].shape != expected:
        raise UserError(
            f"{store.path}: found a table {store['bucket'].shape}, wanted {expected} for a deck "
            f"of {ranks} ranks; make it anew by `sixmax stage cluster`"
        )
    if (most := _largest(store["bucket"])) >= (count := len(store["strength"])):
        raise UserError(
            f"{store.path}: found bucket {most}, wanted 0 to {count - 1}, the buckets that the "
            "store describes; make it anew by `sixmax stage cluster`"
        )
    return store


def _largest(table: np.ndarray) -> int:
    """The largest bucket of a table; -1 where all holes are blocked."""
    one, rows = table.dtype.type(1), max(1, _ROWS // table.shape[1])
    # One more than "blocked" is 0.
    parts = (table[first : first + rows] + one for first in range(0, len(table), rows))
    return max(int(part.max()) for part in parts) - 1


def load(run: Path, ranks: int, rounds: int = len(ROUNDS)) -> Buckets:
    """The buckets of the run folder ``run``. Raises UserError where a round's is missing.

    A game of fewer ``rounds`` has empty tables for the others.

    The tables stay on disk (memory-mapped): processes on one machine share one copy.
    """
    stores = [open_round(run, name, ranks) for name in ROUNDS[:rounds]]
    counts = np.zeros(len(ROUNDS), np.int32)
    counts[:rounds] = [len(s["strength"]) for s in stores]
    strength = np.full((len(ROUNDS), counts.max()), np.nan, np.float32)
    for row, store in zip(strength, stores, strict=False):
        row[: len(store["strength"])] = store["strength"]
    tables = [np.asarray(s["bucket"]) for s in stores]
    tables += [np.empty((0, n_holes(ranks)), np.uint8)] * (len(ROUNDS) - rounds)
    return Buckets(*tables, counts, strength)
