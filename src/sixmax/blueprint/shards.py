"""An interval of training dealt out to several jobs: the stages ``shard`` and ``merge``."""

from pathlib import Path
from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.blueprint import checkpoint
from sixmax.blueprint.run import Run, open_run
from sixmax.blueprint.train import finish, state_after, take_in, walk
from sixmax.cfr.sampled import shards
from sixmax.cfr.sampled.train import Stats
from sixmax.store import Store, read, write

_TOTALS = ("traversals", "nodes", "pruned")


@options.stage
def train_shard(
    folder: options.Unpacked, interval: options.Interval,
    shard: Annotated[int, options.Option("Which of the run's shards, from 1.", least=1)],
    threads: options.Threads,
    out: Annotated[Path, options.Option("The store to write: the shard's delta.")],
) -> None:  # fmt: skip
    """Train one shard of an interval, for several machines.

    `blueprint.shards` jobs share an interval, on as many machines as you like; `sixmax stage merge`
    takes the mean of their tables. A delta holds the entries that changed.

    Raises UserError where the run has no such shard.
    """
    run = open_run(folder)
    if shard > run.schedule.shards:
        raise UserError(
            f"--shard {shard}: wanted at most {run.schedule.shards}, the run's blueprint.shards"
        )
    state = state_after(run, interval - 1, mean=False)
    stats = walk(run, state, interval, threads, shard)
    factors, arrays = [factor for _, factor in stats.discounts], {}
    for name, table in state.table._asdict().items():
        before = checkpoint.parts(
            run.folder, run.identity, interval - 1, run.schedule.mean_every > 0, name, table.size
        )
        packed = shards.changes(table, before, factors)
        arrays |= {f"{name}_changed": packed.changed, name: packed.change}
    write(
        out, "delta", arrays,
        run=run.identity["digest"], interval=interval, shard=shard, shards=run.schedule.shards,
        **{name: getattr(stats, name) for name in _TOTALS},
    )  # fmt: skip


@options.stage
def merge_shards(
    folder: options.Unpacked, interval: options.Interval, deltas: options.Files,
    threads: options.Threads, snapshot: options.Snapshot, history: options.History,
) -> None:  # fmt: skip
    """Take the mean of the shards of an interval.

    DELTAS are files of `sixmax stage shard`, one for each shard. They are integers, so their order
    does not matter. Like `sixmax stage train`, it writes a checkpoint, a history and, with
    --snapshot, the current strategy.

    Raises UserError where they are not the shards of this interval of this run, each of them once.
    """
    run = open_run(folder)
    stores = [_delta(path, run, interval) for path in deltas]
    numbers = sorted(store.attributes["shard"] for store in stores)
    if numbers != list(range(1, run.schedule.shards + 1)):
        raise UserError(
            f"interval {interval}: found the shards {numbers}, wanted each of "
            f"1 to {run.schedule.shards} once"
        )
    state = state_after(run, interval - 1)
    discounts = run.schedule.schedule().discounts(*run.schedule.stretch(interval))
    factors = [factor for _, factor in discounts]
    for name, table in state.table._asdict().items():
        parts = [(store.parts(f"{name}_changed"), store.parts(name)) for store in stores]
        shards.add_mean(table, factors, parts)
    take_in(run, state, interval)
    total = {name: sum(store.attributes[name] for store in stores) for name in _TOTALS}
    finish(run, state, interval, Stats(**total, discounts=tuple(discounts)), snapshot, history)


def _delta(path: Path, run: Run, interval: int) -> Store:
    store = read(path, "delta")
    about = {name: store.attributes.get(name) for name in ("run", "interval", "shards")}
    wanted = {
        "run": run.identity["digest"], "interval": interval, "shards": run.schedule.shards
    }  # fmt: skip
    if about != wanted:
        raise UserError(f"{path}: found a shard of {about}, wanted one of {wanted}; delete it")
    return store
