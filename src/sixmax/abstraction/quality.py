"""The quality of a round's buckets: sizes, distances beside baselines, agreement of seeds.

Distances are earth mover's distances in bins (flop, turn) or Euclidean distances between win
probabilities against the clusters of opponents (river), means over deals. A distance means
something only beside simple baselines, so three are given: all situations
in one bucket; situations put at random into buckets of the same sizes; and buckets of equal
weight by win probability alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.abstraction.buckets import cluster_sample
from sixmax.abstraction.clustering.kmeans import centres, distance_to, nearest
from sixmax.abstraction.features import Round
from sixmax.abstraction.points import Space, open_space, sample_rows, win_histograms
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_bytes
from sixmax.base.rng import child, generator
from sixmax.store import Store, read
from sixmax.store.records import Form, RecordKind, write


class _SizesForm(Form):
    total: int
    min: int
    median: float
    max: int


class _QualityForm(Form):
    round: str
    buckets: int
    empty: int
    situations: _SizesForm
    deals: _SizesForm


QUALITY = RecordKind("the quality of buckets", "sixmax stage quality", _QualityForm)


class QualitySample(NamedTuple):
    """Situations that are scored."""

    points: np.ndarray  # uint16[n, columns]
    weight: np.ndarray  # int64[n]: deals
    win: np.ndarray  # float64[n]: win probability


class Quality(NamedTuple):
    """The report of one round, and the data of its picture."""

    report: dict[str, Any]  # JSON values
    profile: np.ndarray  # float64[bucket, bins]: of the bucket's deals, by river win probability


@options.stage
def make(
    round_name: Round, features: options.Features,
    buckets: Annotated[Path, options.Option("The store to measure.")],
    json_path: Annotated[Path, options.Option("The report, as JSON.", "--json")],
    picture: Annotated[Path, options.Option("The report's picture, as PNG.")],
    ranks: options.Ranks,
    scored: Annotated[int, options.Option("Situations to measure.", least=1, default=500_000)],
    sample: options.Sample, restarts: options.Restarts, max_iterations: options.MaxIterations,
    seed: options.SeedOfRun, threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Measure how good the buckets of a round are.

    Sizes and empty buckets; distances within buckets beside those of one bucket and of random
    buckets; the agreement with a second clustering by the same options and another seed.

    \b
    sixmax stage quality turn --features /tmp/features --ranks 6 --buckets /tmp/turn.zarr \\
        --json /tmp/turn.json --picture /tmp/turn.png

    Raises UserError where ``buckets`` is the store of another round or deck.
    """
    train = {"sample": sample, "restarts": restarts, "max_iterations": max_iterations}
    from sixmax.abstraction.pictures import draw_buckets, draw_preflop

    store = read(buckets, "buckets")
    if round_name == "preflop":
        classes = read(Path(features) / "preflop.zarr", "features-preflop")
        report = {"round": "preflop", "buckets": len(store["size"]), **_all_sizes(store)}
        png = draw_preflop(ranks, store["strength"], classes["cluster"])
    else:
        space = open_space(features, round_name, ranks)
        if int(store["size"].sum()) != len(space.rows):
            raise UserError(
                f"{buckets}: found {int(store['size'].sum()):,} situations, wanted "
                f"{len(space.rows):,}, those of the {round_name}; name its own store"
            )
        report, profile = measure(space, store, scored, train, seed)
        png = draw_buckets(store, report, profile)
    write(json_path, QUALITY, report)
    write_bytes(picture, png)


def measure(
    space: Space, buckets: Store, size: int, train: Mapping[str, int], seed: int
) -> Quality:
    """Score the store ``buckets`` on ``size`` situations of ``space``, drawn under ``seed``.

    ``train`` holds ``sample``, ``restarts`` and ``max_iterations`` of
    :func:`sixmax.abstraction.buckets.cluster_sample`: a second clustering from another seed shows
    how far the buckets are a matter of chance.
    """
    rng = generator(seed, "quality", space.round_name)
    rows = sample_rows(len(space.rows), size, rng)
    weight = space.weight[rows].astype(np.int64)
    chosen = QualitySample(space.points(rows), weight, space.win_probability(rows))
    centroid = space.as_points(buckets["centroid"])
    label, distance = nearest(chosen.points, centroid, space.metric)
    other_seed = int(child(seed, "quality", space.round_name, "second") >> np.uint64(1))
    second = cluster_sample(space, len(centroid), seed=other_seed, **train)
    report = {
        "round": space.round_name,
        "buckets": len(centroid),
        **_all_sizes(buckets),
        "sample": len(rows),
        "distance": _distances(space, chosen, label, distance, len(centroid), rng),
        "win_probability": explained(chosen.win, chosen.weight, label, len(centroid)),
        "two_seeds": _agreement(space, chosen, centroid, label, second.centroid),
    }
    if space.round_name == "river":
        profile = win_histograms(label, chosen.win, len(centroid), weight)
    else:
        columns = space.rows[rows].T
        sums = [np.bincount(label, weight * each, minlength=len(centroid)) for each in columns]
        profile = np.stack(sums, axis=1)
    return Quality(report, as_shares(profile))


def _all_sizes(buckets: Store) -> dict[str, Any]:
    return {
        "empty": int((buckets["size"] == 0).sum()),
        "situations": sizes(buckets["size"]),
        "deals": sizes(buckets["deals"]),
    }


def sizes(size: np.ndarray) -> dict[str, float]:
    """The sum of ``size`` int[k], the smallest, the median and the largest, as JSON values."""
    return {
        "total": int(size.sum()),
        "min": int(size.min()),
        "median": float(np.median(size)),
        "max": int(size.max()),
    }


def _mean(space: Space, sample: QualitySample, distance: np.ndarray) -> float:
    return float((space.in_units(distance) * sample.weight).sum() / sample.weight.sum())


def _distances(space, sample, label, distance, k, rng) -> dict[str, Any]:
    by_strength = equal_weights(sample.win, sample.weight, k)
    return {
        "unit": "win probability" if space.metric == "l2" else "bins",
        "within_bucket": _mean(space, sample, distance),
        "one_bucket": _regrouped(space, sample, np.zeros_like(label), 1),
        "random_buckets": _regrouped(space, sample, rng.permutation(label), k),
        "by_win_probability_alone": _regrouped(space, sample, by_strength, k),
    }


def _regrouped(space: Space, sample: QualitySample, label: np.ndarray, k: int) -> float:
    """Mean distance to the centres of other groups than the nearest centroid's."""
    centre = centres(sample.points, sample.weight, label, k, space.metric == "emd")
    return _mean(space, sample, distance_to(sample.points, centre, label, space.metric))


def equal_weights(value: np.ndarray, weight: np.ndarray, k: int) -> np.ndarray:
    """Group int32[n] of each value: k groups of about equal weight, ascending; ties together.

    ``value`` float64[n], ``weight`` int64[n].
    """
    order = np.argsort(value, kind="stable")
    before = np.cumsum(weight[order]) - weight[order]
    first = np.searchsorted(value[order], value[order], side="left")
    label = np.empty(len(value), np.int32)
    label[order] = before[first] * k // weight.sum()
    return label


def explained(win: np.ndarray, weight: np.ndarray, label: np.ndarray, k: int) -> dict[str, float]:
    """Spread of ``win`` float64[n] within ``k`` buckets and over all; the share they explain."""
    mass = np.maximum(np.bincount(label, weight, minlength=k), 1)
    mean = np.bincount(label, weight * win, minlength=k) / mass
    within = np.average((win - mean[label]) ** 2, weights=weight)
    variance = np.average((win - np.average(win, weights=weight)) ** 2, weights=weight)
    return {
        "sd_within_bucket": float(np.sqrt(within)),
        "sd_one_bucket": float(np.sqrt(variance)),
        "explained": float(1 - within / variance),
    }


def _agreement(space, sample, centroid, label, second) -> dict[str, Any]:
    # scikit-learn takes a second to import: only here
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    own, distance = nearest(sample.points, second, space.metric)
    shuffled = np.random.default_rng(0).permutation(own)
    apart = distance_to(centroid[label], second, own, space.metric)
    return {
        "adjusted_rand": float(adjusted_rand_score(label, own)),
        "adjusted_mutual_information": float(adjusted_mutual_info_score(label, own)),
        "adjusted_rand_shuffled": float(adjusted_rand_score(label, shuffled)),
        "within_bucket_second": _mean(space, sample, distance),
        "between_centroids": _mean(space, sample, apart),
    }


def as_shares(table: np.ndarray) -> np.ndarray:
    """The rows of ``table`` [k, bins] as shares of their sums; rows of zeros stay."""
    return table / np.maximum(table.sum(axis=1, keepdims=True), 1)
