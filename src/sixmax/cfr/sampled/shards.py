"""A stretch of training shared by several machines, and the mean of their tables.

Shard s of S runs the batches s, s + S, … of the stretch (counted from 0), so that together the
shards run the batches of one machine. Each begins with the table at the start of the stretch and
sees its own additions alone; each applies every discount of the stretch where it falls. The merge
is the mean of their tables: a sum of integers, divided once, so the order of the shards does not
matter, and one shard is the training of one machine.

# ASSUME a mean in place of a sum, and regrets that may be stale by a stretch: the paper's 64 cores
shared one table. All shards correct the same errors, so that the sum of their additions overshoots;
docs/guide/cluster.md has both, measured. Regrets grow S times slower than on one machine.

A shard's table travels as its changes: a bit for each entry, and the change where the bit is set.
Tables are read in parts, so that nobody holds two of them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.log import CEILING
from sixmax.jit import njit

_BLOCK = 1 << 20  # entries; a multiple of 8


class Changes(NamedTuple):
    """The entries of a table that differ from those it began with.

    changed: uint8[(size + 7) // 8]  a bit for each entry, as numpy.packbits packs them
    change: int32[changes]           added to each of them, in their order
    """

    changed: np.ndarray
    change: np.ndarray


class Stream:
    """A flat array that arrives in ``parts``: :meth:`take` gives the next entries."""

    def __init__(self, parts: Iterable[np.ndarray]):
        self._parts, self._left = iter(parts), np.zeros(0, np.uint8)

    def take(self, n: int) -> np.ndarray:
        """The next ``n`` entries; fewer where there are no more."""
        taken, got = [self._left[:n]], min(n, self._left.size)
        self._left = self._left[n:]
        while got < n and (part := next(self._parts, None)) is not None:
            taken.append(part[: n - got])
            self._left = part[n - got :]
            got += taken[-1].size
        whole = [part for part in taken if part.size]
        return whole[0] if len(whole) == 1 else np.concatenate(whole or taken)


def changes(table: np.ndarray, before: Iterable[np.ndarray], factors: list[float]) -> Changes:
    """The changes of a shard's ``table`` int32[size] from ``before``, discounted by ``factors``.

    ``before`` is the table at the start of the stretch, in parts. The changes take the place of
    the table: its memory is theirs.
    """
    changed, used, stream = np.zeros((table.size + 7) // 8, np.uint8), 0, Stream(before)
    for block in _blocks(table.size):
        old = np.array(stream.take(block.stop - block.start))
        for factor in factors:
            discount(old, factor)
        bits = changed[block.start // 8 : (block.stop + 7) // 8]
        used = _changes_kernel(table, block.start, old, bits, used)
    _refuse_more(stream)
    return Changes(changed, table[:used])


def add_mean(table: np.ndarray, parts: list[tuple[Iterable[np.ndarray], ...]]) -> None:
    """Add to ``table`` int32[size], discounted, the mean of the changes of all shards.

    ``parts`` has the two arrays of :class:`Changes` of each shard, in parts themselves. The sum is
    divided once, and to the nearest integer, the even one of two.
    """
    shards = [Changes(*map(Stream, part)) for part in parts]
    for block in _blocks(table.size):
        total = np.zeros(block.stop - block.start, np.int64)
        for shard in shards:
            bits = shard.changed.take((total.size + 7) // 8)
            _add_kernel(total, bits, shard.change.take(int(np.bitwise_count(bits).sum())))
        _mean_kernel(table[block], total, len(shards))
    for shard in shards:
        _refuse_more(shard.changed)
        _refuse_more(shard.change)


def _refuse_more(stream: Stream) -> None:
    """Come to the end of ``stream``, where a store checks its digest."""
    if stream.take(1).size:
        raise ValueError("more entries than the table has")


def _blocks(size: int) -> Iterator[slice]:
    for first in range(0, size, _BLOCK):
        yield slice(first, min(first + _BLOCK, size))


@njit
def _changes_kernel(table, first, old, bits, used):
    """Pack the changes of ``table[first:]`` from ``old`` to ``table[used:]``; the new ``used``."""
    for i in range(old.size):
        change = np.int64(table[first + i]) - old[i]
        if change != 0:
            bits[i >> 3] |= np.uint8(128 >> (i & 7))
            table[used] = min(max(change, -CEILING), CEILING)
            used += 1
    return used


@njit
def _add_kernel(total, bits, change):
    k = 0
    for byte in range(bits.size):
        if bits[byte] != 0:
            for bit in range(8):
                if bits[byte] & (128 >> bit):
                    total[8 * byte + bit] += change[k]
                    k += 1


@njit
def _mean_kernel(table, total, shards):
    for i in range(total.size):
        if total[i] != 0:
            table[i] += np.int32(np.rint(total[i] / shards))
