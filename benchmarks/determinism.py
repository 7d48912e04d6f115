"""What one result for any number of threads costs: `python -m benchmarks.determinism`.

Batches, as training has them, against threads that add to the shared regrets as they go, in turns
of random order, on the table of a trained run and on Leduc: decision nodes a second.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import click
import numpy as np

from benchmarks.games import BenchGame, toy_game, trained
from benchmarks.measure import ONE_AND_TWO, spread
from benchmarks.training import turn
from sixmax.cfr.sampled.train import Stats, train
from sixmax.jit import set_threads, threads_in_use

ALONE = "unsynchronised"


def train_alone(tree, layout, dealer, table, schedule, seed, first, last) -> Stats:
    """:func:`sixmax.cfr.sampled.train.train` in which no thread waits for another: each trains a
    stretch of the iterations, in batches of one, on the same table. Which regrets a traversal
    reads, and which of two additions to one regret survives, depends on their timing."""
    threads = threads_in_use()
    edges = np.linspace(first - 1, last, threads + 1).astype(int).tolist()
    one = schedule._replace(batch=1)

    def stretch(span: tuple[int, int]) -> Stats:
        set_threads(1)
        return train(tree, layout, dealer, table, one, seed, span[0] + 1, span[1])

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(stretch, pairwise(edges)))
    return Stats(*(sum(x) for x in list(zip(*parts, strict=True))[:3]), parts[0].discounts)


def measure(on: BenchGame, batches: list[int], iterations: int, turns: int) -> None:
    """Print a line for each way and number of threads; counters of the average are kept as well."""
    schedule = on.schedule._replace(count_every=20, count_after=0)
    ways = [(f"batches of {b}", train, b) for b in batches] + [(ALONE, train_alone, 1)]
    rates: dict = {(threads, name): [] for threads in ONE_AND_TWO for name, _, _ in ways}
    rng = random.Random(1)
    for k in range(turns + 1):  # the first warms up
        for threads in ONE_AND_TWO:
            set_threads(threads)
            for name, way, batch in rng.sample(ways, len(ways)):
                done = turn(on._replace(schedule=schedule._replace(batch=batch)), iterations, way)
                if k:
                    rates[threads, name].append(done.nodes / done.clock / 1e6)
    for (threads, name), rate in rates.items():
        low, median, high = spread(rate)
        cost = [100 * (1 - a / b) for a, b in zip(rate, rates[threads, ALONE], strict=True)]
        least, usual, most = spread(cost)
        shown = " | " if name == ALONE else f"{usual:+.0f} % | {least:+.0f} to {most:+.0f}"
        click.echo(
            f"| {on.name} | {threads} | {name} | {median:.2f} | {low:.2f} to {high:.2f} | {shown} |"
        )


@click.command()
@click.option("--run", "folder", type=click.Path(path_type=Path), default="results/default")
@click.option("--iterations", default=300_000, show_default=True, help="Of one turn of one way.")
@click.option("--turns", default=7, show_default=True)
def main(folder: Path, iterations: int, turns: int) -> None:
    """Batches of several sizes against no synchronisation, on one and two threads."""
    head = "game | threads | way | M nodes/s, median | spread | slower than unsynchronised"
    click.echo(f"| {head} | of the turns, % |\n{'|---' * 7}|")
    measure(toy_game("leduc"), [20, 200, 1000], 10 * iterations, turns)
    if (folder / "blueprint" / "state").is_dir():
        measure(trained(folder), [200, 1000, 4000], iterations, turns)


if __name__ == "__main__":
    main()
