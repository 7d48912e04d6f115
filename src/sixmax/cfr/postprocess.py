"""Policies with their unlikely actions taken out.

An action of small probability is mostly noise of a training that has not converged, and a policy
without it often plays better: Ganzfried, Sandholm & Waugh 2012, "Strategy purification and
thresholding: effective non-equilibrium approaches for playing large games". Three ways:

* ``purified``: the likeliest action alone; of equally likely ones each.
* ``threshold-15``: no action below 15 %, but always the likeliest.
* ``range-4``: in the first two rounds no action that *every* hand takes less than 4 %, and that is
  the likeliest of none. Rare actions of many hands stay, to hide the few hands that an action is
  for (Brown & Sandholm 2018, Libratus, supplement).

A name of an agent ends with one of them, as in ``blueprint-purified``.
"""

import re
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange
from sixmax.betting.tree import Tree
from sixmax.cfr.layout import Layout, entry
from sixmax.cfr.policy import slab_rows

ENDINGS = "-purified|-threshold-[1-9][0-9]?|-range-[1-9][0-9]?"  # regular expression
WITH_ENDINGS = "the blueprint and snapshots also with -purified, -threshold-15, -range-4"
RANGE_ROUNDS = 2  # that range-… reads; later ranges are narrow, and their nodes rarely trained
_NAME = re.compile(f"(.*?)({ENDINGS})?")


class Postprocess(NamedTuple):
    """One way of the module: ``purified``, ``threshold`` or ``range``, and its share in percent."""

    kind: str
    percent: int = 0

    @property
    def words(self) -> str:
        """As in "threshold 15 %"."""
        return f"{self.kind} {self.percent} %" if self.percent else self.kind


def parse(name: str) -> tuple[str, Postprocess | None]:
    """The agent that ``name`` begins with, and what is done to its policy: None for nothing."""
    base, ending = _NAME.fullmatch(name).groups()
    if ending is None:
        return base, None
    kind, *percent = ending.removeprefix("-").split("-")
    return base, Postprocess(kind, *map(int, percent))


def postprocess(tree: Tree, layout: Layout, policy: np.ndarray, process: Postprocess) -> np.ndarray:
    """``policy`` uint8[layout.size] without its unlikely actions: an array of its own.

    The other actions keep their bytes, so a row need not sum to 255. Rows of zeros stay, and no
    other row becomes one.
    """
    out = policy.copy()
    last = RANGE_ROUNDS if process.kind == "range" else len(tree.columns)
    share = 1.0 if process.kind == "purified" else process.percent / 100
    kernel = _range_kernel if process.kind == "range" else _kernel
    for slabs in slab_rows(tree, layout, 0, last):
        kernel(slabs, share, out)
    return out


@parallel
def _kernel(slabs, share, policy):
    """Zero the actions below ``share`` of their row, but never its likeliest."""
    slot, count, base, columns, buckets = slabs
    for b in prange(buckets):
        for i in range(slot.size):
            at, n = entry(base, columns, b, slot[i]), np.int64(count[i])
            total, most = np.int64(0), np.int64(0)
            for a in range(n):
                total += policy[at + a]
                most = max(most, np.int64(policy[at + a]))
            for a in range(n):
                if policy[at + a] < share * total and policy[at + a] < most:
                    policy[at + a] = 0


@parallel
def _range_kernel(slabs, share, policy):
    """Zero the actions that are below ``share`` of the row of every bucket that was trained."""
    slot, count, base, columns, buckets = slabs
    for i in prange(slot.size):
        n = np.int64(count[i])
        keep = _wanted(slabs, i, share, policy)
        for b in range(buckets):
            at = entry(base, columns, b, slot[i])
            for a in range(n):
                if not keep >> a & 1:
                    policy[at + a] = 0


@njit
def _wanted(slabs, i, share, policy):
    """Bit mask of the actions that some bucket takes with ``share`` or more of its row, or most."""
    keep, slot, n = np.int64(0), slabs.slot[i], np.int64(slabs.n[i])
    for b in range(slabs.buckets):
        at, total, most = entry(slabs.base, slabs.columns, b, slot), np.int64(0), np.int64(1)
        for a in range(n):
            total += policy[at + a]
            most = max(most, np.int64(policy[at + a]))
        for a in range(n):
            if policy[at + a] == most or (total > 0 and policy[at + a] >= share * total):
                keep |= 1 << a
    return keep
