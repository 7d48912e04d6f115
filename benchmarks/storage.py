"""Checkpoints written and read, snapshots averaged, and the continuation strategies packed."""

import itertools
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.games import BenchGame
from benchmarks.measure import TWO, Meter, cores
from sixmax.base.jit import set_threads
from sixmax.cfr.policy import from_regrets, from_sums
from sixmax.continuation.compress import bit_layout, pack
from sixmax.continuation.generate import biased
from sixmax.store import read, write


def checkpoint(meter: Meter, scratch: Path, entries: int) -> None:
    """GB of regrets written, and read and checked, a tenth of them not zero."""
    meter.begin("checkpoint of 1 GB, a tenth of it not zero")
    regret = np.zeros(entries, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000
    path = scratch / "bench.zarr"
    save = partial(write, path, "state", {"regret": regret, "count": regret[:1]})

    def load() -> None:  # an array is read, and held against its digest, when it is asked for
        store = read(path, "state")
        store["regret"], store["count"]

    for label, work in (("written", save), ("read and checked", load)):
        meter.rate(label, "GB/s", regret.nbytes / 1e9, work, turns=3, threads=TWO, waits=True)


def strategies(meter: Meter, on: BenchGame) -> np.ndarray:
    """Entries a second of two snapshots averaged, and of continuations packed; returns these."""
    set_threads(TWO)
    tree, layout, _, table = on.training[:4]
    policy, entries = from_regrets(tree, layout, table.regret), layout.size

    def mean() -> None:
        for r, (begin, end) in enumerate(itertools.pairwise(layout.start)):
            total = np.zeros(end - begin, np.uint32)
            for _ in range(2):
                total += policy[begin:end]
            from_sums(tree, layout, total, r)

    compress = partial(pack, tree, layout, biased(policy, 5.0), 1)
    unit, size = "policy entries/s", bit_layout(tree, layout)[1]
    facts = {"bits an infoset": size.bits / max(1, size.infosets)}
    meter.begin(f"average, {cores(TWO)}")
    meter.rate("mean of two snapshots", unit, entries, mean, turns=3, threads=TWO)
    meter.begin(f"continuation strategies, {cores(TWO)}")
    label = "sampled and packed, all four"
    return meter.rate(label, unit, entries, compress, turns=3, threads=TWO, facts=facts)
