"""Packed runs: a file is unpacked once, into a cache, and then opened as any other run.

:mod:`sixmax.pack` makes such files. Their place in the cache is named after the digest of the file,
so that another file never meets the remains of an earlier one.
"""

import hashlib
import json
import os
import re
import shutil
from contextlib import nullcontext
from pathlib import Path

from sixmax.base.code_digest import CACHE
from sixmax.base.errors import UserError
from sixmax.base.files import FULL, aside, full_disk
from sixmax.base.locks import alone
from sixmax.base.progress import say
from sixmax.betting.tree import Tree, check_tree
from sixmax.blueprint import identity
from sixmax.store import read
from sixmax.store.archive.read import Archive, foreign, opened

VARIABLE = "SIXMAX_UNPACKED"  # of the environment: the folder of unpacked runs
SUFFIX = ".sixmax"
LICENCE, CARD, CARD_TEXT = "LICENSE", "card.json", "card.txt"
# All that a packed run may have; the members of its stores are checked by `_check_metadata`.
_STORE = r"[a-z]+\.zarr/(\w+/)?(zarr\.json|c(/\d+)+)"
_MEMBERS = re.compile(
    rf"{LICENCE}|card\.(json|txt)|(blueprint/run|continuation/recipe|search/settings)\.json"
    r"|(blueprint(/values)?|abstraction|continuation|leaf_function|self_generated|evaluation)"
    rf"/{_STORE}"
)
_CODECS = {"bytes", "blosc"}  # those that sixmax.store.io writes


def folder_of(run: Path) -> Path:
    """The folder of ``run``: itself, or where ``run`` is unpacked, if it is a packed file.

    The first call unpacks the file: seconds. Raises UserError where it is damaged or foreign, or
    where the cache cannot be written.
    """
    if not run.is_file():
        return run
    with opened(run) as archive, run.open("rb") as file:
        folder = place() / hashlib.file_digest(file, "sha256").hexdigest() / archive.name
        if not archive.complete(folder):
            try:
                with alone(folder.parent.with_suffix(".lock"), _waiting):
                    if not archive.complete(folder):  # now another process may have done it
                        unpack(archive, folder)
            except OSError as error:  # of any kind: a home that is not there, or no folder
                raise UserError(
                    f"{place()}: the packed run cannot be unpacked there ({error.strerror}); name "
                    f"a folder that can be written in {VARIABLE}"
                ) from None
    return folder


def place() -> Path:
    """The folder of unpacked runs: of the environment, or in the user's cache."""
    return Path(os.environ.get(VARIABLE) or CACHE / "unpacked")


def unpack(archive: Archive, folder: Path) -> None:
    """Write the run in ``archive`` to ``folder``, which it replaces, whole or not at all.

    Raises UserError where it is damaged, no run of this version, or does not fit on the disk.
    """
    for part in archive.parts():
        if not _MEMBERS.fullmatch(part.path):
            raise foreign(archive.path, f"found {part.path!r}, which is no part of a run")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder.parent).free < archive.size:
            raise UserError(full_disk(folder, archive.size))
        with aside(folder) as hidden:
            archive.extract(hidden)
            _check(archive.path, hidden)
    except OSError as error:
        if error.errno in FULL:
            raise UserError(full_disk(folder, archive.size)) from error
        raise


def _waiting() -> nullcontext[None]:
    say("another process unpacks this run; waiting for it")
    return nullcontext()


def _check(path: Path, folder: Path) -> None:
    """Raise UserError where the stores in ``folder``, unpacked from ``path``, may not be opened.

    A digest says that a file is whole, not that it is ours: a store could name a codec that does
    more than decode, and a tree could lead kernels out of its arrays.
    """
    for file in folder.rglob("zarr.json"):
        try:
            _check_metadata(json.loads(file.read_bytes()))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            name = file.relative_to(folder)
            raise foreign(path, f"{name}: {' '.join(str(error).split())}") from None
    settings = identity.read(folder)["settings"]
    store = read(folder / "blueprint" / "tree.zarr", "tree")
    try:
        check_tree(Tree(*(store[name] for name in Tree._fields)))
        game = settings["game"]
        if store["columns"].shape != (len(game["rounds"]), len(game["stacks"])):
            raise ValueError("of another game")
    except (ValueError, KeyError, TypeError) as error:
        raise foreign(path, f"its betting tree: {error}") from None


def _check_metadata(metadata: dict) -> None:
    """Raise ValueError unless ``metadata`` are those of a plain group or array of Zarr 3."""
    if metadata["zarr_format"] != 3 or metadata.get("consolidated_metadata"):
        raise ValueError("no plain Zarr 3")
    if metadata["node_type"] == "group":
        return
    codecs = {codec["name"] for codec in metadata["codecs"]}
    if not codecs <= _CODECS or metadata.get("storage_transformers"):
        raise ValueError(f"found codecs {sorted(codecs)}, wanted of {sorted(_CODECS)}")
    if not isinstance(metadata["data_type"], str):
        raise ValueError(f"found data of type {metadata['data_type']}, wanted numbers")
