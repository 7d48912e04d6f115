"""A stretch of training shared by several machines, and the mean of their tables.

Shard s of S runs the batches s, s + S, … of the stretch (counted from 0). Each begins with the
table at the start of the stretch, sees its own additions alone, and applies every discount. The
merge is the mean of their tables: a sum of integers, divided once, so the order of the shards does
not matter, and one shard is the training of one machine.

# ASSUME a mean in place of a sum, and regrets that may be stale by a stretch: the paper's 64 cores
shared one table. All shards correct the same errors, so that the sum of their additions overshoots;
docs/results/training.md has both, measured. Regrets grow S times slower than on one machine.

A shard's table travels as its changes. Tables are read in parts, so that nobody holds two of them.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import parallel, prange, threads_in_use
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.log import CEILING

_BLOCK = 1 << 20  # entries; a multiple of 8
_BYTES = 1 << 11  # of bits, for a thread at a time


class Changes(NamedTuple):
    """The entries of a table that differ from those it began with."""

    # uint8[(size + 7) // 8]: a bit for each entry, as numpy.packbits packs them
    changed: np.ndarray
    change: np.ndarray  # int32[changes]: added to each of them, in their order


class Stream:
    """A flat array that arrives in ``parts``: :meth:`take` gives the next entries.

    A thread of ``pool`` reads one part ahead.
    """

    def __init__(self, parts: Iterable[np.ndarray], pool: ThreadPoolExecutor):
        self._parts, self._pool = iter(parts), pool
        self._left = np.zeros(0, np.uint8)
        self._next = pool.submit(next, self._parts, None)

    def take(self, n: int) -> np.ndarray:
        """The next ``n`` entries. Raises ValueError where there are fewer."""
        taken = [self._left[:n]] if self._left.size else []
        self._left, count = self._left[n:], sum(part.size for part in taken)
        while count < n and (part := self._part()) is not None:
            taken.append(part[: n - count])
            self._left = part[n - count :]
            count += taken[-1].size
        if count < n:
            raise ValueError("fewer entries than the table wants")
        return taken[0] if len(taken) == 1 else np.concatenate(taken or [self._left])

    def _part(self) -> np.ndarray | None:
        part = self._next.result()
        if part is not None:
            self._next = self._pool.submit(next, self._parts, None)
        return part

    def end(self) -> int:
        """Come to the end, where a store checks its digest; return the entries that were left."""
        left, self._left = self._left.size, self._left[:0]
        while (part := self._part()) is not None:
            left += part.size
        return left


def changes(table: np.ndarray, before: Iterable[np.ndarray], factors: list[float]) -> Changes:
    """The changes of a shard's ``table`` int32[size] from ``before``, discounted by ``factors``.

    ``before`` is the table at the start of the stretch, in parts. The changes take the memory of
    the table, and are held at the bounds of int32. Raises ValueError for a ``before`` of another
    size.
    """
    changed, used = np.zeros((table.size + 7) // 8, np.uint8), 0
    with ThreadPoolExecutor(1) as pool:
        stream = Stream(before, pool)
        for block in _blocks(table.size):
            difference = np.array(stream.take(block.stop - block.start))
            _discount_all(difference, factors)
            bits = changed[block.start // 8 : (block.stop + 7) // 8]
            _subtract_kernel(difference, table[block], bits)
            change = difference[difference != 0]
            table[used : used + change.size] = change
            used += change.size
        if stream.end():
            raise ValueError("more entries than the table has")
    return Changes(changed, table[:used])


def add_mean(
    table: np.ndarray, factors: list[float], parts: list[tuple[Iterable[np.ndarray], ...]]
) -> None:
    """Discount ``table`` int32[size] by ``factors`` and add the mean of the shards' changes.

    ``parts`` has the two arrays of each shard's Changes, in parts themselves. The mean is rounded
    to the nearest integer, the even one of two. Raises the error of a damaged store, and ValueError
    where bits and changes do not fit the table, which is spoiled then.
    """
    with ThreadPoolExecutor(threads_in_use()) as pool:
        shards = [Changes(*(Stream(array, pool) for array in part)) for part in parts]
        try:
            for block in _blocks(table.size):
                _discount_all(table[block], factors)
                _mean_kernel(table[block], _total(shards, block.stop - block.start), len(shards))
            fits = True
        except ValueError:
            fits = False
        left = sum(stream.end() for shard in shards for stream in shard)
    if left or not fits:
        raise ValueError("bits and changes of other numbers than the table wants")


def _total(shards: list[Changes], size: int) -> np.ndarray:
    """The sum of the changes of the next ``size`` entries."""
    total = np.zeros(size, np.int64)
    for shard in shards:
        bits = shard.changed.take((size + 7) // 8)
        if bits[-1] & (255 >> (size - 1) % 8 + 1):
            raise ValueError("bits beyond the table")
        starts = range(0, bits.size, _BYTES)
        ends = np.add.reduceat(np.bitwise_count(bits), starts, dtype=np.int64).cumsum()
        if ends[-1]:
            _add_kernel(total, bits, shard.change.take(int(ends[-1])), ends)
    return total


def _discount_all(table: np.ndarray, factors: list[float]) -> None:
    """Apply the discounts of a stretch, one after the other: each rounds."""
    for factor in factors:
        discount(table, factor)


def _blocks(size: int) -> Iterator[slice]:
    for first in range(0, size, _BLOCK):
        yield slice(first, min(first + _BLOCK, size))


@parallel
def _subtract_kernel(difference, table, bits):
    """Leave ``table`` less itself in ``difference``, and a bit where it is not zero."""
    for byte in prange(bits.size):
        for i in range(8 * byte, min(8 * byte + 8, table.size)):
            change = np.int64(table[i]) - difference[i]
            difference[i] = min(max(change, -CEILING), CEILING)
            if change != 0:
                bits[byte] |= np.uint8(128 >> (i & 7))


@parallel
def _add_kernel(total, bits, change, ends):
    """Add the changes; those of the bytes of part p end at ``ends[p]``."""
    for part in prange(ends.size):
        k = ends[part - 1] if part > 0 else 0
        for byte in range(part * _BYTES, min((part + 1) * _BYTES, bits.size)):
            if bits[byte] != 0:
                for bit in range(8):
                    if bits[byte] & (128 >> bit):
                        total[8 * byte + bit] += change[k]
                        k += 1


@parallel
def _mean_kernel(table, total, shards):
    for i in prange(total.size):
        if total[i] != 0:
            table[i] += np.int32(np.rint(total[i] / shards))
