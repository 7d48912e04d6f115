"""Measure this machine: `make bench`, or `python -m benchmarks --run results/default`.

Prints a table of medians and spreads. A run that has been trained is measured as it is: the
traversal continues from its last checkpoint, in memory, and nothing is written.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import click
import numpy as np

from sixmax.errors import UserError
from sixmax.jit import njit, set_threads

REPEATS = 5


class Table:
    """Lines of measurements, printed as they come."""

    def __init__(self) -> None:
        print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        print(", ".join(f"{p} {version(p)}" for p in ("numpy", "numba", "zarr", "scikit-learn")))
        print()
        print("| what | median | spread of 5 | unit |")
        print("|---|---|---|---|")

    def line(self, what: str, unit: str, work: Callable[[], float]) -> None:
        """Run ``work`` once to warm up and five times to measure; it returns units done."""
        work()
        rates = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            done = work()
            rates.append(done / (time.perf_counter() - start))
        low, high = min(rates), max(rates)
        print(f"| {what} | {_short(statistics.median(rates))} | {_short(low)} to {_short(high)} "
              f"| {unit} |", flush=True)  # fmt: skip


def _short(rate: float) -> str:
    for size, suffix in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.2f}{suffix}"
    return f"{rate:.3g}"


def evaluator(table: Table) -> None:
    """Hands of seven cards a second, one core: whole boards, and one hand at a time."""
    from sixmax.cards.evaluate import evaluate_packed, rank_holes
    from sixmax.cards.isomorphism import boards

    rivers = boards(13, 5)
    some = rivers.cards[:: len(rivers.cards) // 4000][:4000]

    @njit
    def enumerate_boards(cards, out):
        for i in range(len(cards)):
            rank_holes(cards[i], 13, out)

    @njit
    def one_by_one(packed):
        total = 0
        for i in range(len(packed)):
            total += evaluate_packed(packed[i])
        return total

    out = np.empty(1326, np.int32)

    def boards_whole() -> float:
        enumerate_boards(some, out)
        return len(some) * 1081

    sevens = rivers.packed[:100_000] | 1 << 60 | 1 << 61  # two spades more, at times a card twice

    def singly() -> float:
        one_by_one(sevens)
        return len(sevens)

    table.line("evaluator, all holes of a board", "hands/s/core", boards_whole)
    table.line("evaluator, one packed hand", "hands/s/core", singly)


def traversal(table: Table, folder: Path, iterations: int) -> None:
    """Decision nodes and traversals a second on the run's tree, from its last checkpoint."""
    from sixmax.blueprint import checkpoint
    from sixmax.blueprint.run import open_run
    from sixmax.cfr.train import train

    run = open_run(folder)
    states = sorted((folder / "blueprint" / "state").glob("[0-9]*.zarr"))
    if not states:
        raise UserError(f"{folder}: no checkpoint there; train first: snakemake blueprint")
    last = int(states[-1].stem)
    regrets = checkpoint.load(states[-1], run.identity, run.layout, last + 1)
    schedule, seats = run.schedule.schedule()._replace(discount_until=0), run.game.seats
    iterations -= iterations % schedule.batch
    at = last * run.schedule.iterations
    for threads in (1, 2):
        set_threads(threads)
        counted = {}

        def work(of: str, counted: dict = counted) -> float:
            nonlocal at
            stats = train(
                run.tree, run.layout, run.dealer, regrets, schedule, run.seed, at + 1,
                at + iterations,
            )  # fmt: skip
            at += iterations
            counted["nodes"], counted["traversals"] = stats.nodes, iterations * seats
            return counted[of]

        cores = "one core" if threads == 1 else f"{threads} cores"
        table.line(f"traversal, {cores}", "decision nodes/s", lambda w=work: w("nodes"))
        table.line(f"traversal, {cores}", "traversals/s", lambda w=work: w("traversals"))


def store(table: Table, scratch: Path) -> None:
    """Write and read of a checkpoint of 1 GB, a tenth of its entries not zero."""
    from sixmax.store import read, write

    regret = np.zeros(1 << 28, np.int32)
    regret[::10] = np.arange(regret[::10].size) % 1000
    path = scratch / "bench.zarr"

    def save() -> float:
        write(path, "state", {"regret": regret, "count": regret[:1]})
        return regret.nbytes / 1e9

    def load() -> float:
        return read(path, "state")["regret"].nbytes / 1e9

    table.line("checkpoint written", "GB/s", save)
    table.line("checkpoint read and checked", "GB/s", load)


@click.command()
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default")
@click.option("--iterations", default=20_000, show_default=True, help="Of one measurement.")
def main(folder: Path, iterations: int) -> None:
    """Measure the evaluator, the traversal on a trained run, and the stores."""
    import tempfile

    table = Table()
    evaluator(table)
    with tempfile.TemporaryDirectory() as scratch:
        store(table, Path(scratch))
    if (folder / "blueprint" / "state").is_dir():
        traversal(table, folder, iterations)
    else:
        print(f"\n{folder} is not trained yet: run it first to see the traversal measured")


if __name__ == "__main__":
    main()
