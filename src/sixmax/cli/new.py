"""The command that lays out a project of one's own: new."""

import shutil
import uuid
from pathlib import Path

from sixmax.base import options
from sixmax.base.code_digest import PACKAGE
from sixmax.base.errors import UserError

PARTS = ("Snakefile", "workflow", "config", "profiles")
IGNORED = ".snakemake/\nresults/*\n!results/.gitkeep\n"


def new(folder: options.File) -> str:
    """Lay out a project of your own: workflow, presets, profiles.

    FOLDER is new, or empty. It gets the workflow, the presets of config/, the profiles for clusters
    and a folder for results, so that `snakemake` runs there. Write a preset of your own into its
    config/.

    \b
    sixmax new mine
    cd mine
    snakemake --configfile config/tiny.yaml
    """
    lay_out(folder)
    return (
        f"{folder}: Snakefile, workflow, config, profiles and results; next, in this folder:\n"
        "  snakemake --configfile config/tiny.yaml"
    )


def lay_out(folder: Path) -> None:
    """Make ``folder`` a project, written aside and renamed.

    Raises UserError for a folder that holds anything.
    """
    folder = folder.resolve()
    there = folder.is_dir()
    if folder.exists() and (not there or any(folder.iterdir())):
        found = "a folder that is not empty" if there else "a file"
        raise UserError(f"{folder}: found {found}, wanted a new folder, or an empty one")
    source = origin()
    # An empty folder stays, for it may be where the user stands, or a mounted disk.
    aside = (folder if there else folder.parent) / f".{folder.name}.{uuid.uuid4().hex[:8]}.tmp"
    try:
        (aside / "results").mkdir(parents=True)
        (aside / "results" / ".gitkeep").touch()
        (aside / ".gitignore").write_text(IGNORED, encoding="utf-8")
        for part in PARTS:
            copy = shutil.copytree if (source / part).is_dir() else shutil.copy
            copy(source / part, aside / part)
        if there:
            for part in list(aside.iterdir()):
                part.rename(folder / part.name)
        else:
            aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def origin() -> Path:
    """The folder with PARTS: of an installed package, or the repository of an editable one."""
    for folder in (PACKAGE / "project", PACKAGE.parents[1]):
        if all((folder / part).exists() for part in PARTS):
            return folder
    raise UserError(
        f"{PACKAGE}: found no workflow beside the code; wanted sixmax installed from its wheel, or "
        "by `pip install -e .` in a clone"
    )
