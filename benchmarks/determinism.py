"""What a result that does not depend on threads costs: `python -m benchmarks.determinism`.

The training loop in batches, as it is, against threads that add to the shared regrets as they go
(sixmax.cfr.unsynchronised), in turns, on the table of a trained run, in memory, and on Leduc.
Prints a table of decision nodes a second.
"""

import statistics
import time
from pathlib import Path

import click
import numpy as np

from sixmax.cfr import train as batched
from sixmax.cfr import unsynchronised
from sixmax.cfr.deal import TableDealer
from sixmax.cfr.layout import layout
from sixmax.game import toy
from sixmax.game.tree import build
from sixmax.jit import set_threads

FREE = 20_000  # iterations dealt at a time where nothing waits for a batch


def leduc() -> tuple:
    """Tree, layout, dealer, an empty table and a plain schedule."""
    tree, dealer = build(toy.game("leduc", 2)), TableDealer(toy.deals("leduc", 2))
    where = layout(tree, dealer.buckets)
    schedule = batched.Schedule(1, 10**9, 0, 20, 0, 0, 0.0, -(10**8), -(10**9), 1000.0)
    return tree, where, dealer, batched.new_table(where), schedule, 0


def trained(folder: Path) -> tuple:
    """The same of a run on disk, from its last checkpoint; nothing is written."""
    from sixmax.blueprint import checkpoint
    from sixmax.blueprint.run import open_run

    run = open_run(folder)
    state = max((folder / "blueprint" / "state").glob("[0-9]*.zarr"))
    last = int(state.stem)
    table = checkpoint.load(state, run.identity, run.layout, last + 1)
    schedule = run.schedule.schedule()._replace(discount_until=0, count_after=0)
    return run.tree, run.layout, run.dealer, table, schedule, last * run.schedule.iterations


def measure(name: str, game: tuple, batches: list[int], iterations: int, turns: int) -> None:
    """Print a line for each way and number of threads."""
    tree, where, dealer, table, schedule, _ = game
    ways = [(f"batches of {b}", batched.train, b) for b in batches]
    ways.append(("unsynchronised", unsynchronised.train, FREE))
    done = -(-game[5] // FREE) * FREE
    rates: dict = {}
    for turn in range(turns + 1):  # the first warms up
        for threads in (1, 2):
            set_threads(threads)
            for way, train, batch in ways:
                start = time.perf_counter()
                stats = train(
                    tree, where, dealer, table, schedule._replace(batch=batch), 1, done + 1,
                    done + iterations,
                )  # fmt: skip
                rate = stats.nodes / (time.perf_counter() - start) / 1e6
                done += iterations
                if turn:
                    rates.setdefault((threads, way), []).append(rate)
    for (threads, way), found in rates.items():
        free = rates[threads, "unsynchronised"]
        cost = [100 * (1 - mine / its) for mine, its in zip(found, free, strict=True)]
        print(
            f"| {name} | {threads} | {way} | {statistics.median(found):.2f} "
            f"| {min(found):.2f} to {max(found):.2f} | {np.median(cost):+.0f} % |",
            flush=True,
        )


@click.command()
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default")
@click.option("--iterations", default=FREE, show_default=True, help="Of one turn of one way.")
@click.option("--turns", default=7, show_default=True)
def main(folder: Path, iterations: int, turns: int) -> None:
    """Batches of several sizes against no synchronisation, on one and two threads."""
    print("| game | threads | way | M nodes/s, median | spread | slower than unsynchronised |")
    print("|---|---|---|---|---|---|")
    measure("Leduc", leduc(), [20, 200, 1000], 10 * iterations, turns)
    if (folder / "blueprint" / "state").is_dir():
        measure(folder.name, trained(folder), [200, 1000, 4000], iterations, turns)


if __name__ == "__main__":
    main()
