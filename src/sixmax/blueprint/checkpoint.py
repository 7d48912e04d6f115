"""Checkpoints, snapshots and the blueprint on disk; a store of another run is refused.

And the records that training leaves beside its stores.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cfr.layout import Layout, stored
from sixmax.cfr.policy import new_mean
from sixmax.cfr.sampled.train import Table, new_table
from sixmax.store import Store, read_of, records, write

KEPT = 2  # checkpoints that stay on disk
_PART = 1 << 22  # entries


class _IntervalForm(records.Form):
    interval: int
    iterations: int
    nodes: int
    pruned: int
    touched: list[float]  # by round


class _MadeForm(records.Form):
    date: str
    commit: str


INTERVAL = records.RecordKind("the record of an interval", "sixmax stage train", _IntervalForm)
MADE = records.RecordKind("date and commit of a strategy", "sixmax stage average", _MadeForm)


class TrainingState(NamedTuple):
    """All that training goes on from: the tables, and the running mean where there is one."""

    table: Table
    mean: np.ndarray | None  # uint16[entries], see sixmax.cfr.policy


def save(path: Path, run: dict, state: TrainingState, interval: int, iterations: int) -> None:
    """Write the checkpoint after ``interval``, then drop those older than the last two."""
    kind, arrays = "state", state.table._asdict()
    if state.mean is not None:
        kind, arrays = "state-mean", {**arrays, "mean": state.mean}
    write(
        path, kind, arrays,
        run=run["digest"], content=run["content"], interval=interval, iterations=iterations,
    )  # fmt: skip
    for old in path.parent.glob("*.zarr"):
        if old.stem.isdigit() and int(old.stem) <= interval - KEPT:
            shutil.rmtree(old, ignore_errors=True)


def load(
    folder: Path, run: dict, layout: Layout, interval: int, counted: int = 1,
    mean: bool = False, wanted: bool = True,
) -> TrainingState:  # fmt: skip
    """The state after ``interval`` of the run in ``folder``; zero after interval 0.

    ``counted`` rounds have action counters, the later ones a running ``mean`` or none; it is left
    on disk where not ``wanted``. Raises UserError where the checkpoint belongs to another identity
    or interval.
    """
    if interval == 0:
        running = new_mean(layout, counted) if mean and wanted else None
        return TrainingState(new_table(layout, counted), running)
    store = _open(folder, run, interval, mean)
    table = Table(store["regret"], store["count"])
    if table.regret.shape != (layout.size,):
        raise UserError(
            f"{store.path}: {table.regret.size:,} regrets, the tree wants {layout.size:,}; "
            "delete the run's blueprint folder to train anew"
        )
    return TrainingState(table, store["mean"] if mean and wanted else None)


def parts(
    folder: Path, run: dict, interval: int, mean: bool, name: str, size: int
) -> Iterable[np.ndarray]:
    """The array ``name`` of the table after ``interval``, in parts: ``size`` zeros after none.

    Raises UserError as :func:`load`, and at the end where the store is damaged.
    """
    if interval == 0:
        return (np.zeros(min(_PART, size - at), np.int32) for at in range(0, size, _PART))
    return _open(folder, run, interval, mean).parts(name)


def _open(folder: Path, run: dict, interval: int, mean: bool) -> Store:
    path = folder / "blueprint" / "state" / f"{interval:05d}.zarr"
    store = read_own(path, "state-mean" if mean else "state", run)
    if store.attributes["interval"] != interval:
        raise UserError(
            f"{path}: found the checkpoint of interval {store.attributes['interval']}, "
            f"interval {interval + 1} wants that of {interval}"
        )
    return store


def save_policy(
    path: Path, run: dict, policy: np.ndarray, layout: Layout, **attributes: object
) -> None:
    """Write a snapshot or the blueprint, ``policy`` uint8[layout.size], with its layout."""
    write(
        path, "strategy", {"policy": policy},
        run=run["digest"], layout=stored(layout), **attributes,
    )  # fmt: skip


def read_own(path: Path, kind: str, run: dict) -> Store:
    """The store ``path`` of ``kind``. Raises UserError where it is not of this run."""
    return read_of(path, kind, run["digest"], f"delete {path.parent.parent} to train anew")
