"""The commands ``pack``, ``unpack`` and ``show``: a run becomes a file, and a file a run.

Packed is all that play and search read, and no more. The values of AIVAT are among it, because a
person's result is told without luck. Left out are checkpoints, snapshots, results, and the buckets
of flops that search makes itself.
"""

import json
from importlib.metadata import distribution
from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.abstraction.buckets import open_round
from sixmax.base import options
from sixmax.base.errors import UserError, printable
from sixmax.base.progress import say
from sixmax.blueprint import packed
from sixmax.blueprint.packed import CARD, CARD_TEXT, LICENCE
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import ROUNDS, hole_cards
from sixmax.continuation.store import CONTENT, RECIPE, STORE, load, make_missing, recipe_of
from sixmax.evaluation.aivat import values
from sixmax.leaf_function.network import STORE as LEAF_FUNCTION
from sixmax.pack.card import card, text
from sixmax.search.settings import SETTINGS, settings_for_copies
from sixmax.search.solvers import first_round
from sixmax.store.archive.read import MemberSizes, opened
from sixmax.store.archive.write import MemberSource, as_json, write
from sixmax.store.io import kind_of, read
from sixmax.store.schema import KINDS

_IDENTITY, _TABLE = "blueprint/run.json", "bucket/c/0/0"
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


@options.stage
def pack(
    folder: Annotated[Path, options.argument("RUN", kind="run")],
    out: Annotated[Path, options.Option("The file to write, as in default.sixmax.")],
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Put a run into one file, to take home.

    RUN is a folder results/{run}. Wherever a command takes --run, it takes the file too. `sixmax
    show FILE` prints its card. The same run makes the same bytes.

    \b
    sixmax pack results/default --out default.sixmax
    sixmax strategy --run default.sixmax

    Raises UserError where a part of the run is missing or damaged.
    """
    run, name = open_run(folder), folder.resolve().name.removesuffix(packed.SUFFIX)
    about = card(run, name)
    members = [*_sources(run), as_json(CARD, about), MemberSource(CARD_TEXT, text(about).encode())]
    try:
        write(out, about["name"], members, threads)
    except ValueError as error:
        raise UserError(f"{folder}: {error}; give the folder another name") from None
    with opened(out) as archive:
        say("\n".join(_listing(archive.parts())))


@options.stage
def unpack(
    file: options.File,
    into: Annotated[Path, options.Option("The folder to make.")],
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Make a run of a packed file.

    FILE is one that `sixmax pack` wrote.

    \b
    sixmax unpack default.sixmax --into results/home

    Raises UserError where the file is damaged or foreign, or where the folder is there already;
    nothing is left behind then.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UserError(f"{into}: is there already, wanted the name of a new folder")
    options.refuse_unwritable(into)
    with opened(file) as archive:
        packed.unpack(archive, into)
    make_missing(open_run(into))


def show(store: options.File) -> str:
    """List the arrays of a store, or print the card of a packed run.

    STORE is a folder *.zarr, or a packed run: then print the card and the size of its parts. All
    content is held against its digests.

    \b
    sixmax show results/default/abstraction/flop.zarr
    sixmax show default.sixmax
    """
    if not store.is_file():
        return _of_store(store)
    with opened(store) as archive:
        archive.check()
        about = printable(archive.read(CARD_TEXT).decode(errors="replace"))
        return "\n".join([about, *_listing(archive.parts()), "  every part matches its digest"])


def _of_store(store: Path) -> str:
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


def _listing(parts: list[MemberSizes]) -> list[str]:
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


def _sources(run: Run) -> list[MemberSource]:
    """The members of the packed file of ``run``, but its card.

    Every array is held against its digest. Raises UserError where a part is missing or damaged.
    """
    folder = run.folder
    run.policy("blueprint")
    parts = [MemberSource(LICENCE, licence()), MemberSource(_IDENTITY, folder / _IDENTITY)]
    parts += _store(folder, "blueprint/tree.zarr", "tree")
    parts += _store(folder, "blueprint/strategy.zarr", "strategy")
    for store in sorted((folder / "blueprint" / "values").glob("*.zarr")):
        parts += _store(folder, f"blueprint/values/{store.name}", "node-values")
    if run.buckets is not None:
        for name in ROUNDS[: len(run.game.rounds)]:
            parts += _buckets(run, name)
    if settings := settings_for_copies(folder):
        parts.append(as_json(SETTINGS, settings))
    if (folder / LEAF_FUNCTION).exists():
        parts += _store(folder, LEAF_FUNCTION, "leaf-function")
    if (folder / first_round.STORE).exists():
        first_round.load(run, run.policy("blueprint"))
        parts += _store(folder, first_round.STORE, "self-generated")
    if (folder / values.STORE).exists():
        values.load(run)
        parts += _store(folder, values.STORE, "values")
    return parts + _continuations(run)


def licence() -> bytes:
    """The licence of sixmax and so of its runs. Raises UserError where none is installed."""
    text = distribution("sixmax").read_text(f"licenses/{LICENCE}")
    if text is None:
        raise UserError(f"this installation of sixmax has no {LICENCE}; install it anew")
    return text.encode()


def _store(folder: Path, name: str, kind: str) -> list[MemberSource]:
    """The files of a store, once all its arrays match their digests."""
    list(read(folder / name, kind).values())  # each is held against its own
    files = sorted(p for p in (folder / name).rglob("*") if p.is_file() and p.name[0] != ".")
    return [MemberSource(f"{name}/{p.relative_to(folder / name).as_posix()}", p) for p in files]


def _buckets(run: Run, round_name: str) -> list[MemberSource]:
    """A round's store: columns by the ranks of holes, then suits, as such mostly share a bucket."""
    name, cards = f"abstraction/{round_name}.zarr", hole_cards(run.ranks)
    rank, suit = cards >> 2, cards & 3
    order = np.lexsort((suit[:, 1], suit[:, 0], rank[:, 1], rank[:, 0])).tolist()
    table = open_round(run.folder, round_name, run.ranks)["bucket"]
    columns = {"order": order, "item": table.dtype.itemsize}
    parts = {part.path: part for part in _store(run.folder, name, "buckets")}
    parts[f"{name}/{_TABLE}"] = parts[f"{name}/{_TABLE}"]._replace(columns=columns)
    return list(parts.values())


def _continuations(run: Run) -> list[MemberSource]:
    """Their store; in place of its content the recipe, where there is one."""
    load(run)
    parts = _store(run.folder, STORE, "continuation")
    recipe = recipe_of(run, read(run.folder / STORE, "continuation"))
    if recipe is None:
        return parts
    return [*(part for part in parts if part.path != CONTENT), as_json(RECIPE, recipe)]
