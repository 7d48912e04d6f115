"""Dealers: the bucket of each seat in each round, and the ranks at the showdown."""

from typing import NamedTuple, Protocol

import numpy as np

from sixmax.base.jit import njit
from sixmax.base.rng import below, step, stream


class Deals(NamedTuple):
    """Deals of a game, equally likely."""

    bucket: np.ndarray  # int32[deals, seats, rounds]: all that the seat knows of the cards
    # int32[deals, boards, seats]: higher wins at showdown, equals share. The buckets are those of
    # the first board; others serve hands that ended in the first round, before any board was seen.
    rank: np.ndarray

    @property
    def buckets(self) -> tuple[int, ...]:
        """The number of buckets by round."""
        return tuple(int(n) + 1 for n in self.bucket.max(axis=(0, 1)))


class Dealer(Protocol):
    """Deals number ``first`` … ``first + n - 1`` of a stream, a function of seed and number."""

    buckets: list[int]  # by round

    def deal(self, seed: np.uint64, first: int, n: int) -> Deals: ...


class TableDealer:
    """Draws from a list of equally likely deals: the small games."""

    def __init__(self, deals: Deals):
        self.deals = deals
        self.buckets = list(deals.buckets)

    def deal(self, seed: np.uint64, first: int, n: int) -> Deals:
        at = self.rows(seed, first, n)
        return Deals(self.deals.bucket[at], self.deals.rank[at])

    def rows(self, seed: np.uint64, first: int, n: int) -> np.ndarray:
        """The places of these deals in the list: int64[n]."""
        return _draw_kernel(np.uint64(seed), first, n, len(self.deals.rank))


@njit
def _draw_kernel(seed, first, n, deals):
    at = np.empty(n, np.int64)
    for i in range(n):
        at[i] = below(step(stream(seed, np.uint64(first + i))), deals)
    return at
