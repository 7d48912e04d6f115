"""The start of every stage: refuse outputs that cannot be written, set the threads."""

import functools
import inspect
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads

P = ParamSpec("P")
R = TypeVar("R")
OUTPUTS = (
    "out", "text", "log", "phh", "check", "history", "json_path", "picture", "page", "verdicts",
)  # fmt: skip


def stage(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate the function of a stage: check its outputs and set ``threads`` of kernels first.

    Arguments named in OUTPUTS are paths to write, or None; see :func:`refuse_unwritable`.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs).arguments
        refuse_unwritable(*(given.get(name) for name in OUTPUTS))
        if "threads" in given:
            set_threads(given["threads"])
        return function(*args, **kwargs)

    return run


def refuse_unwritable(*paths: Path | None) -> None:
    """Raise UserError for the first of ``paths`` that cannot be written; nothing is left behind.

    Missing folders, pipes and devices are right; so is a folder that is empty or a store.
    """
    for path in filter(None, paths):
        if path.is_dir() and not (path / "zarr.json").exists() and any(path.iterdir()):
            raise UserError(f"{path}: found a folder, wanted the name of a file or store to write")
        if path.exists() and not path.is_file() and not path.is_dir():
            continue
        folder = next(each for each in path.absolute().parents if each.exists())
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written ({folder}: {error.strerror}); name another place"
            ) from None
