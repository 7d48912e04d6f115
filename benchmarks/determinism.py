"""What a result that does not depend on threads costs: `python -m benchmarks.determinism`.

The training loop in batches, as it is, against threads that add to the shared regrets as they go
(benchmarks/unsynchronised.py), in turns, on the table of a trained run, in memory, and on Leduc.
Prints a table of decision nodes a second.
"""

import statistics
import time
from pathlib import Path

import click
import numpy as np

from benchmarks import unsynchronised
from benchmarks.ground import Ground, toy_ground, trained
from sixmax.cfr import train as batched
from sixmax.jit import set_threads

FREE = 20_000  # iterations dealt at a time where nothing waits for a batch


def measure(on: Ground, batches: list[int], iterations: int, turns: int) -> None:
    """Print a line for each way and number of threads; counters of the average are kept as well."""
    schedule = on.schedule._replace(count_every=20, count_after=0)
    ways = [(f"batches of {b}", batched.train, b) for b in batches]
    ways.append(("unsynchronised", unsynchronised.train, FREE))
    done = -(-on.done[0] // FREE) * FREE
    rates: dict = {}
    for turn in range(turns + 1):  # the first warms up
        for threads in (1, 2):
            set_threads(threads)
            for way, train, batch in ways:
                start = time.perf_counter()
                stats = train(
                    on.tree, on.layout, on.dealer, on.table, schedule._replace(batch=batch),
                    on.seed, done + 1, done + iterations,
                )  # fmt: skip
                rate = stats.nodes / (time.perf_counter() - start) / 1e6
                done += iterations
                if turn:
                    rates.setdefault((threads, way), []).append(rate)
    for (threads, way), found in rates.items():
        free = rates[threads, "unsynchronised"]
        cost = [100 * (1 - mine / its) for mine, its in zip(found, free, strict=True)]
        print(
            f"| {on.name} | {threads} | {way} | {statistics.median(found):.2f} "
            f"| {min(found):.2f} to {max(found):.2f} | {np.median(cost):+.0f} % |",
            flush=True,
        )


@click.command()
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default")
@click.option("--iterations", default=5 * FREE, show_default=True, help="Of one turn of one way.")
@click.option("--turns", default=3, show_default=True)
def main(folder: Path, iterations: int, turns: int) -> None:
    """Batches of several sizes against no synchronisation, on one and two threads."""
    print("| game | threads | way | M nodes/s, median | spread | slower than unsynchronised |")
    print("|---|---|---|---|---|---|")
    measure(toy_ground("leduc"), [20, 200, 1000], 10 * iterations, turns)
    if (folder / "blueprint" / "state").is_dir():
        measure(trained(folder), [200, 1000, 4000], iterations, turns)


if __name__ == "__main__":
    main()
