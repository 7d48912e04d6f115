"""Stub until branch subgame is merged."""

import numpy as np


def probability(a: float, b: float, x: float) -> float:
    """That x, between a and b, becomes a."""
    return (b - x) * (1 + a) / ((b - a) * (1 + x))


def randomised(sizes: np.ndarray, x: float, u: float) -> int:
    at = int(np.searchsorted(sizes, x))
    if at == 0 or at == len(sizes):
        return min(at, len(sizes) - 1)
    return at - 1 if u < probability(sizes[at - 1], sizes[at], x) else at


def deterministic(sizes: np.ndarray, x: float) -> int:
    return randomised(sizes, x, 0.5)
