"""A stretch of training dealt out to several machines, and the sum of their additions.

Shard s of S runs the batches s, s + S, … of the stretch (counted from 0), so that together the
shards run the batches of one machine. Each begins with the table at the start of the stretch and
sees its own additions alone; each applies every discount of the stretch where it falls. A shard's
addition is its table less the first one, discounted alike. The merge adds integers: the order of
the shards does not matter.

# ASSUME regrets may be stale by a stretch: the paper's 64 cores shared one table. That is batching
at a larger scale, and costs more the longer the stretch (docs/guide/cluster.md has measurements).
"""

import numpy as np

from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.log import CEILING
from sixmax.cfr.sampled.train import Table
from sixmax.jit import njit, parallel, prange

_BLOCK = 1 << 20


def discount_all(table: Table, factors: list[float]) -> None:
    """Apply the discounts of a stretch, in place, to the table that it began with."""
    for factor in factors:
        discount(table.regret, factor)
        discount(table.count, factor)


def subtract(table: Table, before: Table) -> None:
    """Leave in ``table`` the addition of a shard to ``before``, which has been discounted."""
    for mine, old in zip(table, before, strict=True):
        _add_kernel(mine, old, -1)


def add(table: Table, part: Table) -> None:
    """Add the addition of one shard to ``table``; entries stay within int32."""
    for total, addition in zip(table, part, strict=True):
        _add_kernel(total, addition, 1)


def hold(table: Table, floor: int) -> None:
    """Raise regrets below ``floor`` to it: once, after all shards are added."""
    _hold_kernel(table.regret, floor)


@parallel
def _add_kernel(total, part, sign):
    """``total`` += ``sign`` * ``part``; memory that stays zero is not written."""
    for block in prange((total.size + _BLOCK - 1) // _BLOCK):
        for i in range(block * _BLOCK, min((block + 1) * _BLOCK, total.size)):
            if part[i] != 0:
                both = np.int64(total[i]) + sign * np.int64(part[i])
                total[i] = np.int32(min(max(both, -CEILING), CEILING))


@parallel
def _hold_kernel(regret, floor):
    for block in prange((regret.size + _BLOCK - 1) // _BLOCK):
        _raise(regret[block * _BLOCK : (block + 1) * _BLOCK], floor)


@njit
def _raise(regret, floor):
    for i in range(regret.size):
        if regret[i] < floor:
            regret[i] = floor
