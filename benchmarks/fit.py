"""The two laws of :mod:`sixmax.rates` from the growth curves, and how well they hold."""

import math
from typing import NamedTuple

import numpy as np

from benchmarks.growth import Point
from sixmax.rates import CACHE_GB


class Fit(NamedTuple):
    """Constants of sixmax.rates, and the root mean square of the residuals in percent."""

    visits_power: float
    node_ns: float
    miss_ns: float
    visits_error: float
    node_error: float


def fit(points: list[Point]) -> Fit:
    """The laws on one core, of six-player trees: nodes by processor seconds, without other work."""
    one = [p for p in points if p.cores == 1 and p.players == 6]
    grown = [p for p in one if p.curve == "tree size"]
    x, y = (np.log([getattr(p, name) for p in grown]) for name in ("decisions", "visits"))
    power, level = np.polyfit(x, y, 1)
    far = np.array([max(0.0, math.log2(p.touched_gb / CACHE_GB)) for p in one])
    took = np.array([1e9 / p.processor for p in one])
    miss, node = np.polyfit(far, took, 1)
    return Fit(
        float(power), float(node), float(miss),
        _percent(np.exp(power * x + level) / np.exp(y) - 1),
        _percent((node + miss * far) / took - 1),
    )  # fmt: skip


def _percent(residual: np.ndarray) -> float:
    return float(100 * np.sqrt((residual**2).mean()))
