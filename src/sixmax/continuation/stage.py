"""The stage ``compress``: make, check and write the continuation strategies; and open them."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option
from sixmax.base.progress import say
from sixmax.base.stage import stage
from sixmax.betting.leaf_choices import check_choices
from sixmax.blueprint.run import Run, open_run
from sixmax.cfr.packed_actions import Size, bit_layout
from sixmax.continuation.check import REFUSED, Fit, fit, refuse_bad
from sixmax.continuation.generate import Continuation, made_by, make
from sixmax.continuation.generate import generator as named
from sixmax.continuation.remake import STORE, make_missing, sample
from sixmax.store import Store, read, write
from sixmax.store.records import Form, RecordKind
from sixmax.store.records import write as write_record


class _CheckForm(Form):
    bias: float
    refused_below_p: float
    chi_square: list[dict[str, Any]]
    size: dict[str, float]


CHECK = RecordKind("the test of continuations", "sixmax stage compress", _CheckForm)


@stage
def compress(
    folder: options.Run,
    factor: Annotated[float, Option("Factor on fold, call or raise.", "--bias", above=1)],
    threads: options.Threads, out: options.Store,
    check: Annotated[Path, Option("The test of the samples, as JSON.")],
    generator: Annotated[str, Option("The maker of continuations.")] = "bias",
) -> None:  # fmt: skip
    """Sample and pack the continuation strategies.

    Those of `bias` are the blueprint, and the blueprint biased towards folding, calling or raising;
    continuation/generate.py has the generators. An action takes the fewest bits. A chi-square test
    compares samples and strategies before anything is written.

    Raises UserError for an unknown generator, and where the samples do not follow the strategies;
    ValueError for a generator that makes others than it names.
    """
    maker, run = named(generator), open_run(folder)
    continuations = maker.make(run, run.policy("blueprint"), factor)
    if (names := tuple(c.name for c in continuations)) != maker.names:
        raise ValueError(f"generator {generator!r} made {names}, wanted {maker.names}")
    check_choices(len(continuations), run.game.seats)
    packed = sample(run, continuations)
    fits = fit(run.tree, run.layout, continuations, packed)
    for f in fits:
        say(
            f"continuation {f.strategy}: chi-square {f.statistic:.1f} on {f.degrees} degrees of "
            f"freedom, p = {f.p_value:.3f}, {f.infosets:,} infosets with a choice"
        )
    refuse_bad(fits)
    table = sizes(run.layout.size, bit_layout(run.tree, run.layout)[1])
    say(
        f"continuation: {table['bytes_policy'] / 1e6:.1f} MB of probabilities become "
        f"{table['bytes_packed'] / 1e6:.1f} MB a strategy, {table['bits_per_infoset']:.2f} bits "
        "an infoset"
    )
    write(
        out, "continuation", {"packed": packed}, run=run.identity["digest"], bias=factor,
        strategies=list(maker.names),
    )  # fmt: skip
    _write_check(check, factor, fits, table)


def sizes(entries: int, size: Size) -> dict[str, float]:
    """Bytes before and after for one strategy of ``entries`` actions, as plain JSON values."""
    return {
        "infosets": size.infosets,
        "actions": entries,
        "bytes_regrets": 4 * entries,  # int32, while training
        "bytes_policy": entries,  # uint8, the blueprint
        "bytes_packed": size.bytes,
        "bits_per_infoset": size.bits / max(size.infosets, 1),
    }


def _write_check(check: Path, factor: float, fits: list[Fit], table: dict[str, float]) -> None:
    record = {
        "bias": factor,
        "refused_below_p": REFUSED,
        "chi_square": [f._asdict() for f in fits],
        "size": table,
    }
    write_record(check, CHECK, record)


def load(run: Run) -> np.ndarray:
    """The packed continuations of ``run``, memory-mapped uint8[continuations, bytes].

    Raises UserError where they are missing or belong to another run.
    """
    return load_named(run)[1]


def load_names(run: Run) -> list[str]:
    """Their names; a packed run samples none for that. Raises UserError as :func:`load`."""
    return list(_opened(run).attributes["strategies"])


def load_named(run: Run) -> tuple[list[str], np.ndarray]:
    """The names of the continuations of ``run``, and :func:`load`: uint8[continuations, bytes].

    Raises UserError as :func:`load`, and where they are of another size than the layout's.
    """
    make_missing(run)
    store = _opened(run)
    packed, names = store["packed"], list(store.attributes["strategies"])
    _, size = bit_layout(run.tree, run.layout)
    if packed.shape != (len(names), size.bytes):
        raise UserError(
            f"{store.path}: {packed.shape} bytes, wanted {(len(names), size.bytes)}; "
            "make it anew by `sixmax stage compress`"
        )
    return names, packed


def load_exact(run: Run) -> list[Continuation]:
    """The continuations of ``run`` as they mix, before one action of each infoset is drawn.

    Raises UserError as :func:`load`, and where no generator makes them.
    """
    store = _opened(run)
    names, factor = store.attributes["strategies"], store.attributes["bias"]
    if (name := made_by(names)) is None:
        raise UserError(
            f"{store.path}: found {', '.join(names)}, which no generator makes; make it anew "
            "by `sixmax stage compress`"
        )
    return make(name, run, factor)


def _opened(run: Run) -> Store:
    store = read(run.folder / STORE, "continuation")
    if store.attributes.get("run") != run.identity["digest"]:
        raise UserError(
            f"{store.path}: belongs to run {store.attributes.get('run')}, "
            f"wanted {run.identity['digest']}; make it anew by "
            "`sixmax stage compress`"
        )
    return store
