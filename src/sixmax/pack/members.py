"""The parts of a run that are packed: all that play and search read, and no more.

The values of AIVAT are among them, because a person's result is told without luck. Left out are
checkpoints, snapshots, results, and the buckets of flops that search makes itself.
"""

from importlib.metadata import distribution
from pathlib import Path

import numpy as np

from sixmax.abstraction.buckets import open_round
from sixmax.base.errors import UserError
from sixmax.betting.config import ROUNDS
from sixmax.blueprint.packed import LICENCE
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_cards
from sixmax.continuation.remake import CONTENT, RECIPE, STORE, recipe_of
from sixmax.continuation.stage import load
from sixmax.evaluation.aivat.values import STORE as VALUES
from sixmax.evaluation.aivat.values import load as load_values
from sixmax.leaf_function.network import STORE as LEAF_FUNCTION
from sixmax.search.config import SETTINGS, settings_for_copies
from sixmax.search.solvers import first_round
from sixmax.search.solvers.first_round import STORE as FIRST_ROUND
from sixmax.store import read
from sixmax.store.archive.write import MemberSource, as_json
from sixmax.store.schema import KINDS

_IDENTITY, _TABLE = "blueprint/run.json", "bucket/c/0/0"


def sources(run: Run) -> list[MemberSource]:
    """The members of the packed file of ``run``, but its card.

    Every array is read and held against its digest. Raises UserError where a part is missing or
    damaged.
    """
    folder = run.folder
    run.policy("blueprint")
    parts = [MemberSource(LICENCE, licence()), MemberSource(_IDENTITY, folder / _IDENTITY)]
    parts += _store(folder, "blueprint/tree.zarr", "tree")
    parts += _store(folder, "blueprint/strategy.zarr", "strategy")
    for values in sorted((folder / "blueprint" / "values").glob("*.zarr")):
        parts += _store(folder, f"blueprint/values/{values.name}", "node-values")
    if run.buckets is not None:
        for name in ROUNDS[: len(run.game.rounds)]:
            parts += _buckets(run, name)
    if settings := settings_for_copies(folder):
        parts.append(as_json(SETTINGS, settings))
    if (folder / LEAF_FUNCTION).exists():
        parts += _store(folder, LEAF_FUNCTION, "leaf-function")
    if (folder / FIRST_ROUND).exists():
        first_round.load(run)
        parts += _store(folder, FIRST_ROUND, "self-generated")
    if (folder / VALUES).exists():
        load_values(run)
        parts += _store(folder, VALUES, "values")
    return parts + _continuations(run)


def licence() -> bytes:
    """The licence of sixmax, which is that of the runs it makes unless their owner says else.

    Raises UserError where this installation of sixmax has none.
    """
    text = distribution("sixmax").read_text(f"licenses/{LICENCE}")
    if text is None:
        raise UserError(f"this installation of sixmax has no {LICENCE}; install it anew")
    return text.encode()


def _store(folder: Path, name: str, kind: str) -> list[MemberSource]:
    """The files of a store, once all its arrays match their digests."""
    store = read(folder / name, kind)
    for array in KINDS[kind].arrays:
        store[array]
    files = sorted(p for p in (folder / name).rglob("*") if p.is_file() and p.name[0] != ".")
    return [MemberSource(f"{name}/{p.relative_to(folder / name).as_posix()}", p) for p in files]


def _buckets(run: Run, round_name: str) -> list[MemberSource]:
    """A round's store. Holes of the same ranks, side by side, mostly share a bucket."""
    name = f"abstraction/{round_name}.zarr"
    table = open_round(run.folder, round_name, run.ranks)["bucket"]
    columns = {"order": by_ranks(run.ranks), "item": table.dtype.itemsize}
    parts = {part.path: part for part in _store(run.folder, name, "buckets")}
    parts[f"{name}/{_TABLE}"] = parts[f"{name}/{_TABLE}"]._replace(columns=columns)
    return list(parts.values())


def by_ranks(ranks: int) -> list[int]:
    """The holes by the ranks of their cards, then by their suits."""
    cards = hole_cards(ranks)
    rank, suit = cards >> 2, cards & 3
    return np.lexsort((suit[:, 1], suit[:, 0], rank[:, 1], rank[:, 0])).tolist()


def _continuations(run: Run) -> list[MemberSource]:
    """Their store; in place of its content the recipe, where there is one."""
    load(run)
    parts = _store(run.folder, STORE, "continuation")
    recipe = recipe_of(run, read(run.folder / STORE, "continuation"))
    if recipe is None:
        return parts
    return [*(part for part in parts if part.path != CONTENT), as_json(RECIPE, recipe)]
