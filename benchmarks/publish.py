"""What was measured, put into docs/performance.md between its marks: `… benchmarks publish`."""

import re
import shutil
from pathlib import Path

from sixmax.errors import UserError
from sixmax.files import write_text

ROOT = Path(__file__).parents[1]


def publish(out: Path, root: Path = ROOT) -> list[Path]:
    """Copy the tables and the picture in ``out`` to where the documents keep them.

    Returns what was written. Raises UserError where nothing was measured, or a mark is missing.
    """
    page, written = root / "docs" / "performance.md", []
    text = page.read_text()
    for name in ("table", "growth"):
        found = out / f"{name}.md"
        if found.exists():
            text = between_marks(text, name, found.read_text())
            kept = root / "benchmarks" / f"{name}.json"
            shutil.copyfile(out / f"{name}.json", kept)
            written.append(kept)
    if not written:
        raise UserError(f"{out}: nothing measured there; run `make bench` first")
    if (out / "growth.svg").exists():
        written.append(root / "docs" / "growth.svg")
        shutil.copyfile(out / "growth.svg", written[-1])
    write_text(page, text)
    return [*written, page]


def between_marks(text: str, name: str, inside: str) -> str:
    """``text`` with what stands between the marks of ``name`` replaced."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    if not re.search(pattern, text, re.DOTALL):
        raise UserError(f"docs/performance.md: found no {begin.strip()}, wanted one before {end}")
    return re.sub(pattern, lambda match: begin + inside.strip() + "\n" + end, text, flags=re.DOTALL)
