"""Checkpoints written and read, snapshots averaged, and the continuation strategies packed."""

import itertools
from pathlib import Path

import numpy as np

from benchmarks.ground import Ground
from benchmarks.measure import TWO, Meter, cores, short
from sixmax.cfr.policy import from_regrets, from_sums
from sixmax.continuation.compress import bit_layout, pack
from sixmax.jit import set_threads
from sixmax.store import read, write

TARGET_GB = 4.0  # the table that the times below are said for


def checkpoint(meter: Meter, scratch: Path, entries: int = 1 << 28) -> None:
    """GB of regrets written, and read and checked, a tenth of them not zero."""
    meter.begin("checkpoint of 1 GB, a tenth of it not zero")
    regret = np.zeros(entries, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000
    path = scratch / "bench.zarr"

    def save() -> float:
        write(path, "state", {"regret": regret, "count": regret[:1]})
        return regret.nbytes / 1e9

    def load() -> float:
        return read(path, "state")["regret"].nbytes / 1e9

    lines = [
        meter.rate(what, "GB/s", work, turns=3, threads=TWO, waits=True)
        for what, work in (("written", save), ("read and checked", load))
    ]
    times = " and ".join(f"{short(TARGET_GB / x.median)} s {x.what}" for x in lines)
    meter.note(f"a table of {TARGET_GB:g} GB at these rates: {times}")


def average(meter: Meter, on: Ground) -> None:
    """Entries of two snapshots averaged a second: summed, and made a policy again."""
    meter.begin(f"average, {cores(TWO)}")
    set_threads(TWO)
    policy = from_regrets(on.tree, on.layout, on.table.regret)

    def mean() -> float:
        for r, (begin, end) in enumerate(itertools.pairwise(on.layout.start)):
            total = np.zeros(end - begin, np.uint32)
            for _ in range(2):
                total += policy[begin:end]
            from_sums(on.tree, on.layout, total, r)
        return on.layout.size

    meter.rate("mean of two snapshots", "policy entries/s", mean, turns=2, threads=TWO)


def continuation(meter: Meter, on: Ground) -> np.ndarray:
    """Entries of a policy sampled into four packed strategies a second; returns them."""
    meter.begin(f"continuation strategies, {cores(TWO)}")
    set_threads(TWO)
    policy = from_regrets(on.tree, on.layout, on.table.regret)
    found = []

    def compress() -> float:
        found[:] = [pack(on.tree, on.layout, policy, 5.0, 1)]
        return on.layout.size

    meter.rate("sampled and packed, all four", "policy entries/s", compress, turns=2, threads=TWO)
    size = bit_layout(on.tree, on.layout)[1]
    meter.note(f"{size.bits / max(1, size.infosets):.2f} bits an infoset")
    return found[0]
