"""The stage ``flop``: buckets of chosen flops, made ahead of a search."""

from typing import Annotated

from sixmax.abstraction.flop import store
from sixmax.base import options
from sixmax.base.code_digest import code_digest
from sixmax.base.progress import Progress


@options.stage
def make_all(
    run: options.Run,
    flops: Annotated[list[str], options.argument("FLOP...")],
    buckets: Annotated[int, options.Option("Of each round.", least=1)] = store.BUCKETS,
    second: Annotated[bool, options.Option("Also from a second seed, and a picture.")] = False,
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Cluster turn and river after one flop, for search.

    Writes a store and a report of its quality to results/{run}/search/flop. Search makes a missing
    flop itself; this command makes it ahead. Two seconds on one core for the first, two for each,
    4 MB a flop. A second seed tells in the report how far chance decides the buckets: with a
    picture, thrice as long.

    \b
    sixmax flop AhKd2c --run results/default

    Raises UserError before the first is made if one of them is no flop of the deck.
    """
    numbers = [int(f) if f.isascii() and f.isdigit() else store.find(run, f)[1] for f in flops]
    ranks = store.deck_ranks(run)
    for flop in numbers:
        store.check(ranks, flop, buckets)
    code = code_digest("abstraction.flop.store")
    with Progress(len(flops), "buckets of flops", "flops") as bar:
        for flop in numbers:
            store.make(run, flop, buckets, second=second, code=code)
            bar.add()
