"""The stage ``compress``: make, check and write the continuation strategies."""

from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.progress import say
from sixmax.betting.leaf_choices import check_choices
from sixmax.blueprint.run import open_run
from sixmax.cfr.packed_actions import bit_layout
from sixmax.continuation.check import REFUSED, fit, refuse_bad
from sixmax.continuation.generate import GENERATORS, make
from sixmax.continuation.store import sample
from sixmax.store import records, write


class _CheckForm(records.Form):
    bias: float
    refused_below_p: float
    chi_square: list[dict[str, Any]]
    size: dict[str, float]


CHECK = records.RecordKind("the test of continuations", "sixmax stage compress", _CheckForm)


@options.stage
def compress(
    folder: options.Run,
    factor: Annotated[float, options.Option("Factor on fold, call or raise.", "--bias", above=1)],
    threads: options.Threads, out: options.Store,
    check: Annotated[Path, options.Option("The test of the samples, as JSON.")],
    generator: Annotated[str, options.Option("The maker of continuations.")] = "bias",
) -> None:  # fmt: skip
    """Sample and pack the continuation strategies.

    Those of `bias` are the blueprint, and the blueprint biased towards folding, calling or raising;
    continuation/generate.py has the generators. An action takes the fewest bits. A chi-square test
    compares samples and strategies before anything is written.

    Raises UserError for an unknown generator, and where the samples do not follow the strategies;
    ValueError for a generator that makes others than it names.
    """
    run = open_run(folder)
    continuations = make(generator, run, factor)
    names, wanted = [c.name for c in continuations], GENERATORS[generator].names
    if names != list(wanted):
        raise ValueError(f"generator {generator!r} made {tuple(names)}, wanted {wanted}")
    check_choices(len(continuations), run.game.seats)
    packed = sample(run, continuations)
    fits = fit(run.tree, run.layout, continuations, packed)
    for f in fits:
        say(
            f"continuation {f.strategy}: chi-square {f.statistic:.1f} on {f.degrees} degrees of "
            f"freedom, p = {f.p_value:.3f}, {f.infosets:,} infosets with a choice"
        )
    refuse_bad(fits)
    entries, size = run.layout.size, bit_layout(run.tree, run.layout)[1]
    table = {
        "infosets": size.infosets,
        "actions": entries,
        "bytes_regrets": 4 * entries,  # int32, while training
        "bytes_policy": entries,  # uint8, the blueprint
        "bytes_packed": size.bytes,
        "bits_per_infoset": size.bits / max(size.infosets, 1),
    }
    say(
        f"continuation: {table['bytes_policy'] / 1e6:.1f} MB of probabilities become "
        f"{table['bytes_packed'] / 1e6:.1f} MB a strategy, {table['bits_per_infoset']:.2f} bits "
        "an infoset"
    )
    write(
        out, "continuation", {"packed": packed}, run=run.identity["digest"], bias=factor,
        strategies=names,
    )  # fmt: skip
    record = {
        "bias": factor, "refused_below_p": REFUSED, "chi_square": [f._asdict() for f in fits],
        "size": table,
    }  # fmt: skip
    records.write(check, CHECK, record)
