"""Continuations as a recipe: packed runs leave them out, and they are sampled anew.

They are a function of the blueprint, the seed and two settings
(:mod:`sixmax.continuation.stage`), and where training never came they are chance alone, which
nothing packs smaller. The store keeps its metadata and digest; its content is made when it is first
asked for, in seconds.
"""

from pathlib import Path

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.files import write_bytes
from sixmax.base.progress import say
from sixmax.base.rng import child
from sixmax.blueprint.run import Run
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import Continuation, made_by, make
from sixmax.store import Store, digest, read
from sixmax.store.records import keys
from sixmax.store.records import read as read_record

STORE = "continuation/strategies.zarr"
CONTENT = f"{STORE}/packed/c/0/0"  # the one file that is left out
RECIPE = "continuation/recipe.json"
_KIND = keys("a recipe of continuations", "sixmax pack", "generator", "bias")


def sample(run: Run, continuations: list[Continuation]) -> np.ndarray:
    """The actions of ``continuations``, packed: uint8[continuations, bytes]."""
    return pack(run.tree, run.layout, continuations, child(run.seed, "continuation"))


def recipe_of(run: Run, store: Store) -> dict[str, object] | None:
    """The recipe of the continuations in ``store``: generator and bias; None if none makes them."""
    name, factor = made_by(store.attributes["strategies"]), store.attributes["bias"]
    if name is None:
        return None
    packed = sample(run, make(name, run, factor))
    same = digest(packed) == store.attributes["digests"]["packed"]
    return {"generator": name, "bias": factor} if same else None


def make_missing(run: Run) -> None:
    """Make the continuations of an unpacked run where they are missing, and keep them.

    Raises UserError where this version of sixmax makes others.
    """
    content, recipe = run.folder / CONTENT, run.folder / RECIPE
    if content.exists() or not recipe.exists():
        return
    values = read_record(recipe, _KIND)
    say("continuations: sampled anew from the blueprint, which takes some seconds, and then kept")
    packed = sample(run, make(values["generator"], run, values["bias"]))
    store = read(run.folder / STORE, "continuation")
    if digest(packed) != store.attributes["digests"]["packed"]:
        raise UserError(
            f"{Path(STORE)}: this version of sixmax samples other continuations than were packed; "
            f"unpack the run with version {store.attributes['packages']['sixmax']}"
        )
    write_bytes(content, packed.tobytes())
