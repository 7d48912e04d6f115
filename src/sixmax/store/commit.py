"""The commit of the code at work: provenance for people, never part of a digest."""

import datetime
import shutil
import subprocess

from sixmax.base.code_digest import PACKAGE


def commit() -> str:
    """The commit of this package's source, with a plus where it was edited; or "unknown"."""
    git = shutil.which("git")
    if git is None or not (PACKAGE.parents[1] / ".git").exists():
        return "unknown"
    asked = [git, "-C", str(PACKAGE), "describe", "--always", "--abbrev=12", "--dirty=+"]
    answer = subprocess.run([*asked, "--exclude=*"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


def made_now() -> dict[str, str]:
    """Date and commit as plain JSON values: the minute in UTC, and :func:`commit`."""
    now = datetime.datetime.now(datetime.UTC)
    return {"date": now.strftime("%Y-%m-%dT%H:%MZ"), "commit": commit()}
