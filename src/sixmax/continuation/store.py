"""The continuations of a run on disk: opened, and made where a packed run leaves them out.

They are a function of the blueprint, the seed and two settings, the *recipe*, and where training
never came they are chance alone, which nothing packs smaller. So a packed run keeps their metadata
and digest; the content is made when it is first asked for, in seconds.
"""

from pathlib import Path

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.files import write_bytes
from sixmax.base.progress import say
from sixmax.base.rng import child
from sixmax.blueprint.run import Run
from sixmax.cfr.packed_actions import bit_layout
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import Continuation, made_by, make
from sixmax.store import Store, digest, read, read_of, records

STORE = "continuation/strategies.zarr"
CONTENT = f"{STORE}/packed/c/0/0"  # the one file that is left out
RECIPE = "continuation/recipe.json"
_KIND = records.keys("a recipe of continuations", "sixmax pack", "generator", "bias")
_AGAIN = "make it anew by `sixmax stage compress`"


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
    values = records.read(recipe, _KIND)
    say("continuations: sampled anew from the blueprint, which takes some seconds, and then kept")
    packed = sample(run, make(values["generator"], run, values["bias"]))
    store = read(run.folder / STORE, "continuation")
    if digest(packed) != store.attributes["digests"]["packed"]:
        raise UserError(
            f"{Path(STORE)}: this version of sixmax samples other continuations than were packed; "
            f"unpack the run with version {store.attributes['packages']['sixmax']}"
        )
    write_bytes(content, packed.tobytes())


def load(run: Run) -> tuple[list[str], np.ndarray]:
    """Names and actions of the continuations of ``run``, memory-mapped uint8[names, bytes].

    Raises UserError where they are missing, of another run, or of another size than the layout's.
    """
    make_missing(run)
    store = _opened(run)
    packed, names = store["packed"], list(store.attributes["strategies"])
    wanted = (len(names), bit_layout(run.tree, run.layout)[1].bytes)
    if packed.shape != wanted:
        raise UserError(f"{store.path}: {packed.shape} bytes, wanted {wanted}; {_AGAIN}")
    return names, packed


def load_names(run: Run) -> list[str]:
    """Their names; a packed run samples none for that. Raises UserError as :func:`load`."""
    return list(_opened(run).attributes["strategies"])


def load_exact(run: Run) -> list[Continuation]:
    """The continuations of ``run`` as they mix, before one action of each infoset is drawn.

    Raises UserError as :func:`load`, and where no generator makes them.
    """
    store = _opened(run)
    names, factor = store.attributes["strategies"], store.attributes["bias"]
    if (name := made_by(names)) is None:
        raise UserError(
            f"{store.path}: found {', '.join(names)}, which no generator makes; {_AGAIN}"
        )
    return make(name, run, factor)


def _opened(run: Run) -> Store:
    return read_of(run.folder / STORE, "continuation", run.identity["digest"], _AGAIN)
