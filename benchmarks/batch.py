"""What large batches cost: `python -m benchmarks.batch` prints exploitability by batch size.

The traversals of a batch read the same frozen regrets, so the larger the batch, the staler they
are. The same number of iterations of the production kernels on two-player Leduc for each size.
"""

import click
import numpy as np

from benchmarks.ground import PLAIN
from sixmax.cfr.deals import TableDealer
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.layout import layout
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.sampled.train import new_table, train
from sixmax.game.tree_build import build
from sixmax.games import toy
from sixmax.jit import set_threads

BATCHES = (1, 10, 100, 1_000, 10_000)
SCHEDULE = PLAIN._replace(count_after=0, regret_floor=-2_000_000_000, scale=1000.0)


@click.command()
@click.option("--seeds", default=3, show_default=True)
@click.option("--iterations", multiple=True, default=(10_000, 100_000, 1_000_000))
def main(seeds: int, iterations: tuple[int, ...]) -> None:
    """Print a table: exploitability in chips a game, median (lowest to highest) of the seeds."""
    set_threads(1)
    deals, tree = toy.deals("leduc"), build(toy.game("leduc"))
    where = layout(tree, list(deals.buckets))
    untrained = nash_conv(tree, where, deals, uniform(tree, where)).total / 2
    print(
        f"Leduc, two players, exploitability in chips a game; the uniform strategy: {untrained:.3f}"
    )
    print("\n| batch |" + "".join(f" {t:,} iterations |" for t in iterations))
    print("|---|" + "---|" * len(iterations))
    for batch in BATCHES:
        scores = np.empty((seeds, len(iterations)))
        for seed in range(seeds):
            table, done = new_table(where, len(tree.columns)), 0
            for i, stop in enumerate(iterations):
                train(
                    tree, where, TableDealer(deals), table, SCHEDULE._replace(batch=batch),
                    seed + 1, done + 1, stop,
                )  # fmt: skip
                done = stop
                strategy = shares(tree, where, table.count)
                scores[seed, i] = nash_conv(tree, where, deals, strategy).total / 2
        cells = [f" {np.median(s):.4f} ({s.min():.4f} to {s.max():.4f}) |" for s in scores.T]
        print(f"| {batch:,} |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
