"""What a result that does not depend on threads costs: `python -m benchmarks.determinism`.

The training loop in batches, as it is, against threads that add to the shared regrets as they go
(benchmarks/unsynchronised.py), in turns, in an order drawn anew for each, on the table of a trained
run, in memory, and on Leduc. Prints a table of decision nodes a second, and how many fewer they are
than in the same turn without synchronisation.
"""

import random
import statistics
from pathlib import Path

import click
import numpy as np

from benchmarks import unsynchronised
from benchmarks.ground import Ground, toy_ground, trained
from benchmarks.measure import ONE_AND_TWO
from benchmarks.training import turn
from sixmax.cfr.sampled import train as batched
from sixmax.jit import set_threads

ALONE = "unsynchronised"
FREE = 20_000  # iterations dealt at a time where nothing waits for a batch


def measure(on: Ground, batches: list[int], iterations: int, turns: int) -> None:
    """Print a line for each way and number of threads; counters of the average are kept as well."""
    schedule = on.schedule._replace(count_every=20, count_after=0)
    ways = [(f"batches of {b}", batched.train, b) for b in batches]
    ways.append((ALONE, unsynchronised.train, FREE))
    rates: dict = {(threads, way): [] for threads in ONE_AND_TWO for way, _, _ in ways}
    rng = random.Random(1)
    for k in range(turns + 1):  # the first warms up
        for threads in ONE_AND_TWO:
            set_threads(threads)
            for way, train, batch in rng.sample(ways, len(ways)):
                made = turn(on._replace(schedule=schedule._replace(batch=batch)), iterations, train)
                if k:
                    rates[threads, way].append(made.nodes / made.clock / 1e6)
    for (threads, way), found in rates.items():
        cost = [100 * (1 - a / b) for a, b in zip(found, rates[threads, ALONE], strict=True)]
        shown = f"{np.median(cost):+.0f} % | {min(cost):+.0f} to {max(cost):+.0f}"
        print(
            f"| {on.name} | {threads} | {way} | {statistics.median(found):.2f} "
            f"| {min(found):.2f} to {max(found):.2f} | {' | ' if way == ALONE else shown} |",
            flush=True,
        )


@click.command()
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default")
@click.option("--iterations", default=15 * FREE, show_default=True, help="Of one turn of one way.")
@click.option("--turns", default=7, show_default=True)
def main(folder: Path, iterations: int, turns: int) -> None:
    """Batches of several sizes against no synchronisation, on one and two threads."""
    print(
        "| game | threads | way | M nodes/s, median | spread "
        "| slower than unsynchronised | of the turns, % |"
    )
    print("|---|---|---|---|---|---|---|")
    measure(toy_ground("leduc"), [20, 200, 1000], 10 * iterations, turns)
    if (folder / "blueprint" / "state").is_dir():
        measure(trained(folder), [200, 1000, 4000], iterations, turns)


if __name__ == "__main__":
    main()
