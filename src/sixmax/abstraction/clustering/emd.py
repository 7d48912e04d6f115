"""Earth mover's distance between histograms over a line of equal bins.

On a line the distance is the area between the two cumulative distributions (Vallender 1974), so
no transport problem is solved: cumulate, then take the sum of absolute differences. One unit is
one bin moved by the whole mass. Cumulative counts are kept as integers, so distances between
histograms of equal mass are exact.
"""

import numpy as np

from sixmax.base.jit import njit

SCALE = 65535  # the mass to which heavier histograms are scaled, so that they fit 16 bits


def mass(histogram: np.ndarray) -> int:
    """The mass that :func:`cumulative` gives the rows of ``histogram``: its own up to SCALE.

    ``histogram`` int[n, bins] has n > 0 rows of one mass.
    """
    return min(int(histogram[0].sum(dtype=np.int64)), SCALE)


def cumulative(histogram: np.ndarray) -> np.ndarray:
    """Cumulative counts uint16[n, bins - 1] of counts int[n, bins].

    The last bin is left out: it is always the mass, the same for all rows. A mass above 65,535 is
    scaled to that (rounded to the nearest unit). The sum of absolute differences of two rows,
    divided by the mass, is their distance in bins.
    """
    total = int(histogram[0].sum(dtype=np.int64)) if len(histogram) else 1
    if total <= SCALE:
        return np.cumsum(histogram[:, :-1], axis=1, dtype=np.uint16)
    exact = np.cumsum(histogram[:, :-1], axis=1, dtype=np.int64)
    return ((exact * SCALE + total // 2) // total).astype(np.uint16)


def fractions(cumulated: np.ndarray, total: int) -> np.ndarray:
    """Histograms float32[n, bins] of mass one from cumulative counts uint16[n, bins - 1]."""
    steps = np.diff(cumulated.astype(np.int64), axis=1, prepend=0, append=total)
    return (steps / total).astype(np.float32)


@njit
def l1(x: np.ndarray, y: np.ndarray) -> int:
    """Sum of absolute differences of rows uint16[columns]: distance in bins times the mass."""
    total = np.int32(0)
    for i in range(x.shape[0]):
        total += np.int32(abs(np.int32(np.int32(x[i]) - np.int32(y[i]))))
    return np.int64(total)
