"""The quality of the buckets of a flop: sizes, and distances beside simple baselines.

River distances are Euclidean between win probabilities against the clusters of opponents, turn
distances the greedy earth mover's distance between distributions over river buckets, both in win
probability and as means over hands. A number means something only beside its baselines: all hands
in one bucket, hands put at random into buckets of the same sizes, and buckets by strength alone
(river: equal weights by win probability; turn: k-means of histograms of win probability, as the
blueprint's turn is clustered, on the distance that counts here).
"""

from typing import Any

import numpy as np

from sixmax.abstraction.clustering import transport
from sixmax.abstraction.clustering.kmeans import centres, distance_to
from sixmax.abstraction.features_kernels import FULL
from sixmax.abstraction.flop.cluster import FlopRiver, Turn
from sixmax.abstraction.points import sample_rows, win_histograms
from sixmax.abstraction.quality import as_shares, equal_weights, explained, sizes
from sixmax.base.rng import generator

_SCORED = 10_000  # turn situations
_SCORED_WIDE = 1_000  # in wide buckets: their distances take long, and are much alike
_SAMPLE = 100_000  # hands in which two seeds are compared


def report(
    river: FlopRiver, turn: Turn, seed: int, second: tuple[FlopRiver, Turn] | None = None
) -> dict[str, Any]:
    """The quality of both rounds, as JSON values.

    ``second`` has the same hands clustered from another seed: then also the agreement of the two.
    """
    rng = generator(seed, "quality")
    rounds = {"river": _river(river, rng), "turn": _turn(turn, rng)}
    if second:
        pairs = zip(("river", "turn"), (_river, _turn), (river, turn), second, strict=True)
        for name, make, first, other in pairs:
            again = make(other, generator(seed, "quality"))["distance"]
            agreement = _agreement(first.label, other.label, first.of.weight, rng)
            rounds[name]["two_seeds"] = agreement | {"within_bucket_second": again["within_bucket"]}
    return rounds


def _agreement(
    label: np.ndarray, second: np.ndarray, weight: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """Agreement of two partitions of the hands: 1 the same, 0 chance; on a sample."""
    # scikit-learn takes a second to import: only here
    from sklearn.metrics import adjusted_rand_score

    rows = rng.choice(len(label), min(len(label), _SAMPLE), p=weight / weight.sum())
    a, b = label[rows], second[rows]
    return {
        "adjusted_rand": float(adjusted_rand_score(a, b)),
        "adjusted_rand_shuffled": float(adjusted_rand_score(a, rng.permutation(b))),
    }


def profile(turn: Turn, strength: np.ndarray) -> np.ndarray:
    """The rivers of each turn bucket as shares by win probability: float64[k, WIN_BINS].

    ``strength`` float[river buckets] is the mean win probability of each bucket of the river.
    """
    hands = turn.hands
    here = np.arange(hands.bucket.shape[1]) < hands.size[:, None]
    row = np.broadcast_to(turn.label[:, None], here.shape)[here]
    mass = (hands.mass * hands.weight[:, None])[here]
    return as_shares(win_histograms(row, strength[hands.bucket[here]], len(turn.strength), mass))


def draw(cards: str, river: FlopRiver, turn: Turn, rounds: dict[str, Any]) -> bytes:
    """The picture of a flop's buckets as PNG; ``rounds`` is its :func:`report`."""
    from sixmax.abstraction.pictures import draw_flop

    seeds = [
        f"{name}: {part['buckets']} buckets, distance within one "
        f"{part['distance']['within_bucket']:.3f} (by strength alone "
        f"{part['distance']['by_strength_alone']:.3f})"
        + (f", two seeds agree: ARI {part['two_seeds']['adjusted_rand']:.2f}"
           if "two_seeds" in part else "")
        for name, part in rounds.items()
    ]  # fmt: skip
    hands = [
        np.bincount(each.label, each.of.weight, minlength=len(each.strength))
        for each in (turn, river)
    ]
    return draw_flop(
        "\n".join([f"Flop {cards}", *seeds]), profile(turn, river.strength), turn.strength,
        hands[0], river.centroid / FULL, hands[1],
    )  # fmt: skip


def _river(river: FlopRiver, rng: np.random.Generator) -> dict[str, Any]:
    weight, k = river.of.weight, len(river.centroid)
    alone = equal_weights(river.win, weight, k)

    def mean(label: np.ndarray, centroid: np.ndarray) -> float:
        square = distance_to(river.ochs, centroid, label, "l2")
        return float(np.average(np.sqrt(square.astype(np.float64)), weights=weight) / FULL)

    def regrouped(label: np.ndarray, groups: int) -> float:
        return mean(label, centres(river.ochs, weight, label, groups, median=False))

    return {
        **_sizes(river.label, weight, k),
        "distance": {
            "within_bucket": mean(river.label, river.centroid),
            "by_strength_alone": regrouped(alone, k),
            "random_buckets": regrouped(rng.permutation(river.label), k),
            "one_bucket": regrouped(np.zeros_like(river.label), 1),
        },
        "explained": explained(river.win, weight, river.label, k)["explained"],
    }


def _turn(turn: Turn, rng: np.random.Generator) -> dict[str, Any]:
    weight, k = turn.of.weight, len(turn.strength)
    buckets, units = len(turn.over.distance), turn.hands.units
    rows = sample_rows(len(weight), _SCORED, rng)
    few = sample_rows(len(weight), _SCORED_WIDE, rng)

    def regrouped(label: np.ndarray, groups: int, rows: np.ndarray = rows) -> float:
        of = transport.means(turn.hands, label, groups, buckets)
        scored = transport.some(turn.hands, rows)
        distance = transport.distances(scored, label[rows], of, turn.over)
        return float(np.average(distance, weights=weight[rows]) / units / FULL)

    return {
        **_sizes(turn.label, weight, k),
        "iterations": turn.clustering.iterations,
        "distance": {
            "within_bucket": regrouped(turn.label, k),
            "by_strength_alone": regrouped(turn.start, int(turn.start.max()) + 1),
            "random_buckets": regrouped(rng.permutation(turn.label), k, few),
            "one_bucket": regrouped(np.zeros_like(turn.label), 1, few),
        },
        "explained": explained(turn.win, weight, turn.label, k)["explained"],
    }


def _sizes(label: np.ndarray, weight: np.ndarray, k: int) -> dict[str, Any]:
    """Hands, suits told apart: of all buckets and of the smallest, the middle and the largest."""
    size = np.bincount(label, weight, minlength=k)
    return {
        "buckets": k,
        "situations": len(label),
        "empty": int((size == 0).sum()),
        "hands": sizes(size),
    }
