"""Runs that were made of another by new branches; :mod:`sixmax.studies.improve` makes them."""

from pathlib import Path
from typing import Any

from sixmax.base.errors import UserError
from sixmax.blueprint import checkpoint
from sixmax.blueprint.run import Run, open_run


def improvement(folder: Path) -> dict[str, Any] | None:
    """The origin of the run in ``folder``, if it was made of another; else None.

    run: digest of the other; type: 1 or 2; bets: a list of {path, raise_to, pots}, where path is
    the actions before the decision of the new bet raise_to; iterations, seed: of solving.
    """
    try:
        return checkpoint.identity_of(folder)["settings"].get("improved")
    except UserError:
        return None


def open_improved(run: Run, folder: Path) -> Run:
    """The improved run in ``folder``. Raises UserError where it was not made of ``run``."""
    improved, wanted = open_run(folder), run.identity["digest"]
    record = improvement(folder)
    if record is None or record["run"] != wanted:
        raise UserError(
            f"{folder}: made of run {record and record['run']}, wanted one of {wanted}; make it "
            "anew by `sixmax improve`"
        )
    return improved
