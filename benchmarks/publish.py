"""What was measured, put into docs/performance.md between its marks: `… benchmarks publish`."""

import re
from pathlib import Path
from typing import Any

from benchmarks import ideas, paper, picture, table, targets
from benchmarks.fit import fit
from benchmarks.growth import Point
from sixmax import rates
from sixmax.errors import UserError
from sixmax.files import write_json, write_text

ROOT = Path(__file__).parents[1]


def publish(out: Path, root: Path = ROOT, busy: bool = False) -> list[Path]:
    """Write the tables and the picture of the records in ``out`` to where the documents keep them.

    The table is compared with the one published before it, which is kept beside it. Returns what
    was written. Raises UserError where nothing was measured, with settings other than the defaults,
    beside a load of others above the number of cores (unless ``busy``), or where a mark is missing.
    """
    page, kept = root / "docs" / "performance.md", root / "benchmarks"
    text, written = page.read_text(), []
    for name in ("table.json", "growth.json", "ideas.json"):
        refuse(out / name, busy)
    if found := table.load(out / "table.json"):
        before = table.load(kept / "table.json")
        if before == found:  # published already
            before = table.load(kept / "table-before.json")
        elif before:
            written.append(_keep(kept / "table-before.json", before))
        text = between_marks(text, "table", table.markdown(found, before))
        text = between_marks(text, "targets", targets.markdown(found))
        written.append(_keep(kept / "table.json", found))
    if found := table.load(out / "growth.json"):
        points = [Point(**p) for p in found["points"]]
        text = between_marks(text, "growth", _growth(found, points))
        written.append(_keep(kept / "growth.json", found))
        written.append(root / "docs" / "growth.svg")
        write_text(written[-1], picture.draw(points))
    if found := table.load(out / "ideas.json"):
        text = between_marks(
            text, "ideas", ideas.markdown([ideas.Found(**x) for x in found["found"]])
        )
        written.append(_keep(kept / "ideas.json", found))
    if not written:
        raise UserError(f"{out}: nothing measured there; run `make bench` first")
    text = between_marks(text, "paper", paper.text(paper.estimate()))
    write_text(page, text)
    return [*written, page]


def refuse(path: Path, busy: bool) -> None:
    """Raise UserError where the record at ``path``, if there is one, is not to be published."""
    if (found := table.load(path)) is None:
        return
    kinds = list(found.get("groups", {"": found}).values())
    if any("departures" not in kind for kind in kinds):
        raise UserError(f"{path}: does not say with what settings it was made; measure again")
    if departures := sorted({x for kind in kinds for x in kind["departures"]}):
        raise UserError(f"{path}: measured with {', '.join(departures)}; measure by the defaults")
    cores, load = found["machine"]["cores"], max(kind["load"] for kind in kinds)
    if load > cores and not busy:
        raise UserError(
            f"{path}: found a load of others of {load:.1f}, wanted at most that of {cores} cores; "
            "measure when the machine is quiet, or add --busy"
        )


def _keep(path: Path, found: dict[str, Any]) -> Path:
    write_json(path, found)
    return path


def _growth(found: dict[str, Any], points: list[Point]) -> str:
    """The curves as a table, and the laws fitted to them beside those that `plan` uses."""
    text = [picture.markdown(points), f"Load of others: at most {found['load']:.1f}; measured in "
            f"{found['seconds'] / 60:.0f} minutes."]  # fmt: skip
    if len({p.decisions for p in points if p.players == 6}) > 2:
        law = fit(points)
        text.append(
            f"Fitted to the six-player points on one core: decision nodes to the power "
            f"{law.visits_power:.3f} (residual {law.visits_error:.0f} %), {law.node_ns:.0f} ns a "
            f"visit in the cache and {law.miss_ns:.0f} ns more for each doubling of what is "
            f"touched (residual {law.node_error:.0f} %). In sixmax.rates: {rates.VISITS_POWER:g}, "
            f"{rates.NODE_NS:.0f} ns and {rates.MISS_NS:.0f} ns."
        )
    return "\n".join(text)


def between_marks(text: str, name: str, inside: str) -> str:
    """``text`` with what stands between the marks of ``name`` replaced."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    if not re.search(pattern, text, re.DOTALL):
        raise UserError(f"docs/performance.md: found no {begin.strip()}, wanted one before {end}")
    return re.sub(pattern, lambda match: begin + inside.strip() + "\n" + end, text, flags=re.DOTALL)
