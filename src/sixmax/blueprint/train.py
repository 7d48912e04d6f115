"""The stages of the blueprint: freeze the run, train one interval after another, average."""

import itertools
import math
import time
from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.code_digest import made_now
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import Counts, count
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.checkpoint import INTERVAL, MADE, TrainingState
from sixmax.blueprint.run import Run, open_run
from sixmax.blueprint.tree_format import stored
from sixmax.cfr import policy
from sixmax.cfr.sampled.train import NO_STATS, Stats, Training, train
from sixmax.games import deals
from sixmax.store import read, records, write

_BESIDES = 700_000_000  # bytes: measured with the small preset
_BLOCK = 1 << 24  # entries


@options.stage
def build_tree(
    out: options.Store,
    game: Annotated[GameConfig, Option("The config section `game`, as JSON.")],
    buckets: Annotated[list[int], Option("By round: 169,200,200,200.")],
    memory_gb: Annotated[
        float, Option("Refuse a tree that needs more memory to train.", above=0)
    ] | None = None,
) -> None:  # fmt: skip
    """Build the public betting tree as flat arrays.

    Raises UserError where training would need more than ``memory_gb``, and for a game that nobody
    can deal.
    """
    if game.cards != "holdem":
        deals(game)
    refuse_too_large(game, buckets, math.inf if memory_gb is None else memory_gb)
    tree = build(game)
    say(f"tree: {tree.decisions.sum():,} decision nodes, by round {tree.decisions.tolist()}")
    write(out, "tree", tree._asdict(), game=game.model_dump(mode="json"), **stored(game))


def training_bytes(tree: Counts, buckets: list[int], counted: int = 1, mean: bool = False) -> int:
    """The most memory that a training interval holds: regrets, counters, a snapshot, the tree,
    and some for Python, the lookup tables and the logs. ``counted`` rounds have counters, the later
    ones a running ``mean`` or none. A shard holds a bit an entry and no snapshot, a merge what an
    interval does. Raises UserError unless ``buckets`` has one number for each round."""
    columns = tree.columns.sum(axis=1)
    if len(buckets) != len(columns):
        raise UserError(
            f"found {len(buckets)} bucket counts, wanted one for each of {len(columns)} rounds"
        )
    entries = int(columns @ np.asarray(buckets))
    counters = int(columns[:counted] @ np.asarray(buckets[:counted]))
    tables = 5 * entries + 4 * counters
    if mean:
        tables += 2 * (entries - counters)
    return tables + 28 * tree.nodes + _BESIDES


def refuse_too_large(
    game: GameConfig, buckets: list[int], memory_gb: float, *tables: int | bool
) -> None:
    """Raise UserError where training does not fit into ``memory_gb``; see training_bytes."""
    need = training_bytes(count(game), buckets, *tables) / 1e9
    if need > memory_gb:
        raise UserError(
            f"training on this tree needs {need:.1f} GB, machine.memory_gb allows {memory_gb:g}; "
            "take fewer buckets or raise sizes, lower max_raises or max_players, or allow more"
        )


@options.stage
def freeze(
    out: Annotated[Path, Option("run.json")],
    settings: Annotated[dict, Option("The settings of training, as JSON.")],
    tree: Annotated[Path, Option("The betting tree.")],
    buckets: Annotated[
        list[Path], Option("A store of buckets; one a round.", many=True, default=())
    ],
) -> None:  # fmt: skip
    """Freeze the settings and inputs of a training run.

    A checkpoint of another identity is refused. It is neither continued nor overwritten.
    """
    content = {"tree": identity.content_digest(read(tree, "tree"))}
    for path in buckets:
        content[path.stem] = identity.content_digest(read(path, "buckets"))
    identity.write(out, settings, content)


@options.stage
def train_interval(
    folder: options.Unpacked, interval: options.Interval, threads: options.Threads,
    snapshot: options.Snapshot, history: options.History,
) -> None:  # fmt: skip
    """Train one interval of the blueprint by Monte Carlo CFR.

    Monte Carlo CFR with linear discount and pruning: Algorithm 1 of the Pluribus supplement. The
    result is the same bit for bit for any number of threads and of interruptions.

    Raises UserError where the run has several shards.
    """
    run = open_run(folder)
    if run.schedule.shards > 1:
        raise UserError(
            f"{folder}: its intervals are dealt out to {run.schedule.shards} shards; "
            "run `sixmax stage shard` for each and then `sixmax stage merge`, or `snakemake`"
        )
    state = state_after(run, interval - 1)
    stats = walk(run, state, interval, threads)
    finish(run, state, interval, stats, snapshot, history)


def state_after(run: Run, interval: int, mean: bool = True) -> TrainingState:
    """The state that ``interval`` left, without its running ``mean`` where not wanted.

    Zero for interval 0. Raises UserError: see :func:`checkpoint.load`.
    """
    return checkpoint.load(
        run.folder, run.identity, run.layout, interval,
        run.schedule.count_rounds, run.schedule.mean_every > 0, mean,
    )  # fmt: skip


def walk(run: Run, state: TrainingState, interval: int, threads: int, shard: int = 1) -> Stats:
    """Train ``state`` by one shard (from 1) of ``interval``: by default by its only one."""
    schedule, shards = run.schedule, run.schedule.shards
    name = f"blueprint interval {interval}"
    name = f"{name}, shard {shard} of {shards}" if shards > 1 else name
    batches = len(range(shard - 1, schedule.iterations // schedule.batch, shards))
    started = time.perf_counter()
    with Progress(batches * schedule.batch, name, "iterations") as bar:
        plan, stats = schedule.schedule(), NO_STATS
        training = Training(run.tree, run.layout, run.dealer, state.table, plan, run.seed)
        first, last = schedule.stretch(interval)
        step = schedule.mean_every or schedule.iterations  # between looks of the running mean
        for t in range(first, last + 1, step):
            stats += train(training, t, t + step - 1, bar.add, shard - 1, shards)
            take_in(run, state, interval)  # a shard has no mean: the merge does it
    spent = time.perf_counter() - started
    say(
        f"{name}: {stats.traversals:,} traversals in {spent:.1f} s, "
        f"{stats.traversals / spent:,.0f} a second; {stats.nodes / spent / 1e6:.2f} M decision "
        f"nodes a second on {threads} threads"
    )
    return stats


def take_in(run: Run, state: TrainingState, interval: int) -> None:
    """Add the current strategy to the running mean, where there is one by ``interval``.

    Raises UserError where the mean would take in more than MOST_IN_MEAN strategies.
    """
    schedule = run.schedule
    if state.mean is None or interval <= schedule.average_after:
        return
    moments = (interval - schedule.average_after) * (schedule.iterations // schedule.mean_every)
    if moments > policy.MOST_IN_MEAN:
        raise UserError(
            f"interval {interval}: the running mean would take in {moments} strategies, at most "
            f"{policy.MOST_IN_MEAN} fit; stop before, or train a run with a larger mean_every"
        )
    policy.add_to_mean(state.mean, run.tree, run.layout, state.table.regret)


def finish(
    run: Run, state: TrainingState, interval: int, stats: Stats, snapshot: bool, history: Path
) -> None:
    """Write the stores of ``interval``, its checkpoint last."""
    _, last = run.schedule.stretch(interval)
    blueprint, regrets = run.folder / "blueprint", state.table.regret
    if snapshot:
        kept = policy.from_regrets(run.tree, run.layout, regrets)
        path = blueprint / "snapshot" / f"{interval:05d}.zarr"
        checkpoint.save_policy(
            path, run.identity, kept, run.layout, interval=interval, iterations=last
        )
    regret = [regrets[a:b] for a, b in itertools.pairwise(run.layout.start)]
    record = {
        "interval": interval, "iterations": last, **stats._asdict(),
        "touched": [float(np.count_nonzero(r) / max(r.size, 1)) for r in regret],
        "at_floor": [_at_most(r, run.schedule.regret_floor) for r in regret],
        "largest": [int(r.max(initial=0)) for r in regret],
    }  # fmt: skip
    records.write(history, INTERVAL, record)
    path = blueprint / "state" / f"{interval:05d}.zarr"
    checkpoint.save(path, run.identity, state, interval, last)


@options.stage
def average(
    folder: options.Unpacked,
    last: Annotated[int, Option("The last interval trained.", least=1)],
    snapshots: Annotated[list[int], Option("As 4,5,6: the intervals to average.", default="")],
    threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Average strategy and snapshots into the blueprint.

    The strategies are those of the running mean, or without one those of the snapshots. Where no
    visit was counted, the current strategy of the last checkpoint stands in; where no strategy of
    the mean has an infoset, it stays unvisited. Date and commit go into a file of their own beside
    the store, as in strategy_made.json: the store is the same whenever it is made.
    """
    run = open_run(folder)
    _refuse_snapshots(run, snapshots)
    table, running = state_after(run, last)
    first = run.schedule.count_rounds
    later = int(run.layout.start[first])
    counted = policy.from_sums(run.tree, run.layout, table.count)
    current = policy.from_regrets(run.tree, run.layout, table.regret[:later])
    del table  # gigabytes, before the sums are made
    mean = np.zeros(run.layout.size, np.uint8)
    mean[:later] = policy.complete(run.tree, run.layout, counted, current)
    kept = [run.policy(f"snapshot-{k:05d}") for k in snapshots]
    for r, (begin, end) in enumerate(itertools.pairwise(run.layout.start)):
        if r >= first:
            if running is None:
                total = np.zeros(end - begin, np.uint32)
                for snapshot in kept:
                    total += snapshot[begin:end]
            else:
                total = running[begin - later : end - later]
            mean[begin:end] = policy.from_sums(run.tree, run.layout, total, r)
    checkpoint.save_policy(
        out, run.identity, mean, run.layout, interval=last,
        iterations=last * run.schedule.iterations, snapshots=snapshots,
    )  # fmt: skip
    records.write(out.with_name(f"{out.stem}_made.json"), MADE, made_now())


def _refuse_snapshots(run: Run, snapshots: list[int]) -> None:
    """Raise UserError where there is nothing to average, or two means to choose from."""
    if run.schedule.mean_every and snapshots:
        raise UserError(f"{run.folder}: has a running mean, found --snapshots too; leave them out")
    all_counted = run.schedule.count_rounds == len(run.game.rounds)
    if not run.schedule.mean_every and not snapshots and not all_counted:
        raise UserError(
            f"{run.folder}: found no snapshots to average, and the run has no running mean; name "
            "intervals, as in --snapshots 7,8"
        )


def _at_most(regret: np.ndarray, bound: int) -> int:
    """The number of entries of at most ``bound``, counted in blocks that take no memory."""
    blocks = range(0, regret.size, _BLOCK)
    return sum(int((regret[i : i + _BLOCK] <= bound).sum()) for i in blocks)
