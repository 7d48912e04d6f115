"""An interval of training dealt out to several jobs: the stages ``shard`` and ``merge``."""

from pathlib import Path

from sixmax.blueprint.checkpoint import TrainingState
from sixmax.blueprint.run import Run, open_run
from sixmax.blueprint.train import begin, finish, take_in, walk
from sixmax.cfr.sampled import shards
from sixmax.cfr.sampled.train import Stats, Table
from sixmax.errors import UserError
from sixmax.stage import stage
from sixmax.store import Store, read, write


@stage
def train_shard(folder: Path, interval: int, shard: int, threads: int, out: Path) -> None:
    """Stage ``shard``: train number ``shard`` (from 1) of ``interval``, write its additions.

    Raises UserError where the run has no such shard.
    """
    run = open_run(folder)
    if shard > run.schedule.shards:
        raise UserError(
            f"--shard {shard}: wanted at most {run.schedule.shards}, the run's blueprint.shards"
        )
    state = begin(run, interval, mean=False)
    stats = walk(run, state, interval, threads, shard)
    shards.subtract(state.table, _discounted(run, interval, mean=False).table)
    write(
        out, "delta", state.table._asdict(),
        run=run.identity["digest"], interval=interval, shard=shard, shards=run.schedule.shards,
        traversals=stats.traversals, nodes=stats.nodes, pruned=stats.pruned,
    )  # fmt: skip


@stage
def merge_shards(
    folder: Path, interval: int, deltas: list[Path], threads: int, snapshot: bool, history: Path
) -> None:
    """Stage ``merge``: add the shards' ``deltas`` to the checkpoint before ``interval``.

    The same stores as of an interval in one piece, whatever the order of the deltas. Raises
    UserError where they are not the shards of this interval of this run, each of them once.
    """
    run = open_run(folder)
    stores = [_delta(path, run, interval) for path in deltas]
    stores.sort(key=lambda store: store.attributes["shard"])  # at int32's bounds order counts
    numbers = [store.attributes["shard"] for store in stores]
    if numbers != list(range(1, run.schedule.shards + 1)):
        raise UserError(
            f"interval {interval}: found the shards {numbers}, wanted each of "
            f"1 to {run.schedule.shards} once"
        )
    state = _discounted(run, interval)
    total = dict.fromkeys(("traversals", "nodes", "pruned"), 0)
    while stores:
        store = stores.pop()  # and let go of gigabytes
        shards.add(state.table, Table(store["regret"], store["count"]))
        for name in total:
            total[name] += store.attributes[name]
    shards.hold(state.table, run.schedule.regret_floor)
    take_in(run, state, interval)
    discounts = run.schedule.schedule().discounts(*run.schedule.stretch(interval))
    stats = Stats(**total, discounts=tuple(discounts))
    finish(run, state, interval, stats, snapshot, history)


def _discounted(run: Run, interval: int, mean: bool = True) -> TrainingState:
    """The state that ``interval`` began with, as its discounts leave it at the end."""
    state = begin(run, interval, mean)
    stretch = run.schedule.stretch(interval)
    shards.discount_all(state.table, [f for _, f in run.schedule.schedule().discounts(*stretch)])
    return state


def _delta(path: Path, run: Run, interval: int) -> Store:
    store = read(path, "delta")
    about = {name: store.attributes.get(name) for name in ("run", "interval", "shards")}
    wanted = {
        "run": run.identity["digest"], "interval": interval, "shards": run.schedule.shards
    }  # fmt: skip
    if about != wanted:
        raise UserError(f"{path}: found a shard of {about}, wanted one of {wanted}; delete it")
    return store
