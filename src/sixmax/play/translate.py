"""Pseudo-harmonic translation of a raise into one that is offered.

Ganzfried & Sandholm 2013, "Action translation in extensive-form games with large action spaces:
axioms, paradoxes, and the pseudo-harmonic mapping". Sizes are fractions of the pot after calling,
ascending.
"""

import numpy as np

from sixmax.jit import njit


@njit
def probability(a, b, x):
    """The probability that size x becomes a and not b, where a <= x <= b and a < b."""
    return (b - x) * (1.0 + a) / ((b - a) * (1.0 + x))


@njit
def randomised(sizes, x, u):
    """The index in ``sizes`` float64[…] of the one that x becomes, by a uniform number ``u``.

    Beyond the smallest and the largest it is that one.
    """
    at = np.searchsorted(sizes, x)
    if at == 0 or at == sizes.size:
        return min(at, sizes.size - 1)
    return at - 1 if u < probability(sizes[at - 1], sizes[at], x) else at


@njit
def deterministic(sizes, x):
    """The index of the likelier size; of two equally likely ones the larger."""
    return randomised(sizes, x, 0.5)
