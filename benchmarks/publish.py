"""What was measured, put into docs/performance.md between its marks: `… benchmarks publish`."""

import re
from pathlib import Path
from typing import Any

from benchmarks import ideas, paper, picture, table, targets
from benchmarks.change import QUIET, comparable, compare
from benchmarks.fit import fit
from benchmarks.growth import Point
from sixmax import rates
from sixmax.errors import UserError
from sixmax.files import write_json, write_text

ROOT = Path(__file__).parents[1]


def publish(out: Path, root: Path = ROOT, busy: bool = False, slower: bool = False) -> list[Path]:
    """Write the tables and the picture of the records in ``out`` to where the documents keep them.

    The table is compared with the one published before it, which is kept beside it. Returns what
    was written. Raises UserError where nothing was measured, with settings other than the defaults,
    beside others that had processors (unless ``busy``), where a line has become slower or is gone
    (unless ``slower``), or where a mark is missing.
    """
    page, kept = root / "docs" / "results" / "performance.md", root / "benchmarks"
    text, written = page.read_text(), []
    for name in ("table.json", "growth.json", "ideas.json"):
        refuse(out / name, busy)
    if found := table.load(out / "table.json"):
        before = table.load(kept / "table.json")
        if before == found:  # published already
            before = table.load(kept / "table-before.json")
        elif before:
            changes = compare(found, before)
            if (worse := [*changes.slower, *changes.gone]) and not slower:
                raise UserError(
                    f"{out}: found {'; '.join(worse)}; wanted nothing slower than the published "
                    "table; mend it, or add --slower to compare with this one from now on"
                )
            written.append(_keep(kept / "table-before.json", before))
        text = between_marks(text, "table", table.markdown(found, before))
        text = between_marks(text, "targets", _targets(found, before))
        written.append(_keep(kept / "table.json", found))
    if found := table.load(out / "growth.json"):
        points = [Point(**p) for p in found["points"]]
        text = between_marks(text, "growth", _growth(found, points))
        written.append(_keep(kept / "growth.json", found))
        written.append(root / "docs" / "growth.svg")
        write_text(written[-1], picture.draw(points))
    if found := table.load(out / "ideas.json"):
        text = between_marks(text, "ideas", _ideas(found))
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
    others = table.on_average(found) if "lines" in found else found.get("others")
    if (others is None or others > QUIET) and not busy:
        had = "an unknown number of" if others is None else f"{others:.2f}"
        raise UserError(
            f"{path}: found others that had {had} processors on average, wanted at most {QUIET}; "
            "measure when the machine is quiet, or add --busy"
        )


def _keep(path: Path, found: dict[str, Any]) -> Path:
    write_json(path, found)
    return path


def _targets(found: dict[str, Any], before: dict[str, Any] | None) -> str:
    """The targets by ``found``, and by the table ``before`` where that is of another machine."""
    text = targets.markdown(found)
    if before and comparable(found, before):
        text += f"\nBy the table before, of another machine: {table.about(before)}\n\n"
        text += targets.rows(before)
    return text


def _ideas(found: dict[str, Any]) -> str:
    """The ideas as tables, and when and beside what they were measured."""
    others = table.said_of_others(found.get("others"), "on average")
    about = f"{found['when']}, {found['machine']['processor']}. {others}"
    return f"{ideas.markdown([ideas.Found(**x) for x in found['found']])}\n{about}"


def _growth(found: dict[str, Any], points: list[Point]) -> str:
    """The curves as a table, and the laws fitted to them beside those that `plan` uses."""
    others = table.said_of_others(found.get("others"))
    curves = picture.markdown(points, found["machine"]["cores"])
    text = [curves, f"{others} Measured in {found['seconds'] / 60:.0f} minutes."]
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
