"""The stages ``pack``, ``unpack`` and ``show``: a run becomes a file, and a file a run."""

import json
from pathlib import Path
from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError, printable
from sixmax.base.options import Option, argument
from sixmax.base.progress import say
from sixmax.base.stage import refuse_unwritable, stage
from sixmax.blueprint import packed
from sixmax.blueprint.packed import CARD, CARD_TEXT
from sixmax.blueprint.run import open_run
from sixmax.continuation.remake import make_missing
from sixmax.pack.card import card, text
from sixmax.pack.members import sources
from sixmax.store.archive.read import MemberSizes, opened
from sixmax.store.archive.write import MemberSource, as_json, write
from sixmax.store.io import kind_of, read
from sixmax.store.schema import KINDS

_INNER = ("format", "version", "digests", "seal")  # attributes of a store itself
_PARTS = {  # first segments of the paths, and their contents
    "blueprint/strategy": "policy",
    "blueprint/tree": "betting tree",
    "blueprint/values": "values of nodes",
    "evaluation/values": "values of AIVAT",
    "abstraction": "buckets",
    "continuation": "continuations",
    "leaf_function": "learned values of leaves",
    "self_generated": "values of the first round",
}


@stage
def pack(
    folder: Annotated[Path, argument("RUN", kind="run")],
    out: Annotated[Path, Option("The file to write, as in default.sixmax.")],
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Put a run into one file, to take home.

    Wherever a command takes --run, it takes the file too. `sixmax show FILE` prints its card. The
    same run makes the same bytes.

    \b
    sixmax pack results/default --out default.sixmax
    sixmax strategy --run default.sixmax

    Raises UserError where a part of the run is missing or damaged.
    """
    run, name = open_run(folder), folder.resolve().name.removesuffix(packed.SUFFIX)
    about = card(run, name)
    members = [*sources(run), as_json(CARD, about), MemberSource(CARD_TEXT, text(about).encode())]
    try:
        write(out, about["name"], members, threads)
    except ValueError as error:
        raise UserError(f"{folder}: {error}; give the folder another name") from None
    with opened(out) as archive:
        say("\n".join(listing(archive.parts())))


@stage
def unpack(
    file: options.File,
    into: Annotated[Path, Option("The folder to make.")],
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Make a run of a packed file.

    \b
    sixmax unpack default.sixmax --into results/home

    Raises UserError where the file is damaged or foreign, or where the folder is there already;
    nothing is left behind then.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UserError(f"{into}: is there already, wanted the name of a new folder")
    refuse_unwritable(into)
    with opened(file) as archive:
        packed.unpack(archive, into)
    make_missing(open_run(into))


def listing(parts: list[MemberSizes]) -> list[str]:
    """Bytes by part of the run, unpacked and packed, as lines to read."""
    rows: dict[str, list[int]] = {}
    for path, size, in_file in parts:
        name = next((name for start, name in _PARTS.items() if path.startswith(start)), "other")
        row = rows.setdefault(name, [0, 0])
        row[0] += size
        row[1] += in_file
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    lines = [f"  {'part':16} {'unpacked MB':>12} {'packed MB':>12}"]
    return lines + [f"  {n:16} {a / 1e6:12.2f} {b / 1e6:12.2f}" for n, (a, b) in rows.items()]


def described(file: Path) -> str:
    """The card of the packed ``file`` and its parts, once all of it matches its digests."""
    with opened(file) as archive:
        archive.check()
        about = printable(archive.read(CARD_TEXT).decode(errors="replace"))
        return "\n".join([about, *listing(archive.parts()), "  every part matches its digest"])


def described_store(store: Path) -> str:
    """The arrays and attributes of ``store``, all held against their digests."""
    kind = kind_of(store)
    content = read(store, kind)
    lines = [f"{store}: {kind}, version {KINDS[kind].version}. {KINDS[kind].meaning}."]
    for name, spec in KINDS[kind].arrays.items():
        array = content[name]
        dims = " x ".join(f"{d} {n:,}" for d, n in zip(spec.dims, array.shape, strict=True))
        unit = f" [{spec.unit}]" if spec.unit else ""
        lines.append(f"  {name}: {array.dtype}, {dims}{unit}: {spec.meaning}")
    about = {name: value for name, value in content.attributes.items() if name not in _INNER}
    lines += [f"  {name} = {json.dumps(value)}" for name, value in about.items()]
    return "\n".join([*lines, "  every array matches its digest"])


def show(store: options.File) -> str:
    """List the arrays of a store, or print the card of a packed run.

    Of a packed run, print the card and the size of its parts. All content is held against its
    digests.

    \b
    sixmax show results/default/abstraction/flop.zarr
    sixmax show default.sixmax
    """
    return described(store) if store.is_file() else described_store(store)
