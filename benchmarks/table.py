"""The table of a measurement, JSON and Markdown, and what has become slower since the last."""

import json
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import Line, Meter, machine, short

SLOWER = 0.8  # of the rate by processor seconds before: what is called a slowdown


def record(meter: Meter, keep: Path | None = None) -> dict[str, Any]:
    """Everything measured, as plain JSON values; of ``keep`` the groups not measured anew."""
    found = {
        "machine": machine(),
        "when": time.strftime("%Y-%m-%d"),
        "lines": [line._asdict() for line in meter.lines],
        "skipped": [list(x) for x in meter.skipped],
        "notes": meter.notes,
        "values": meter.values,
        "spent": {group: round(seconds, 1) for group, seconds in meter.spent.items()},
    }
    if before := load(keep):
        anew = tuple(meter.spent)
        found["lines"] = [x for x in before["lines"] if x["group"] not in anew] + found["lines"]
        found["skipped"] = [x for x in before["skipped"] if x[0] not in anew] + found["skipped"]
        found["notes"] = [x for x in before["notes"] if not x.startswith(anew)] + found["notes"]
        for name in ("values", "spent"):
            found[name] = {**before[name], **found[name]}
    return {**found, "seconds": round(sum(found["spent"].values()))}


def load(path: Path | None) -> dict[str, Any] | None:
    """A record on disk; None where there is none."""
    return json.loads(path.read_text()) if path and path.exists() else None


def by_name(found: dict[str, Any] | None) -> dict[tuple[str, str, str], Line]:
    """The lines of a record by group, name and unit; none of no record."""
    lines = [Line(**line) for line in found["lines"]] if found else []
    return {_key(line): line for line in lines}


def slower(lines: list[Line], before: dict[tuple[str, str, str], Line]) -> list[str]:
    """A sentence for each line whose rate by processor seconds fell below SLOWER of what it was."""
    found = []
    for line in lines:
        old = before.get(_key(line))
        if old and line.processor < SLOWER * old.processor:
            found.append(
                f"{line.group}, {line.what}: {short(line.processor)} {line.unit} of the processor, "
                f"before {short(old.processor)} ({100 * line.processor / old.processor:.0f} %)"
            )
    return found


def markdown(found: dict[str, Any], earlier: dict[str, Any] | None) -> str:
    """The record as a table for docs/performance.md, compared with an ``earlier`` one."""
    before = by_name(earlier)
    text = [
        f"{_about(found)} Measured in {found['seconds'] / 60:.0f} minutes.",
        f"Before: {_about(earlier)}" if earlier else "There is no earlier table.", "",
        "| what | median a second | spread | by processor second | against before | one turn |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    group = ""
    for line in (Line(**values) for values in found["lines"]):
        if line.group != group:
            group = line.group
            text.append(f"| **{group}** | | | | | |")
        old = before.get(_key(line))
        change = f"{100 * (line.processor / old.processor - 1):+.0f} %" if old else ""
        text.append(
            f"| {line.what}, {line.unit.removesuffix('/s')} | {short(line.median)} "
            f"| {short(line.low)} to {short(line.high)} | {short(line.processor)} | {change} "
            f"| {short(line.seconds)} s |"
        )
    text += ["", *(f"* {note}" for note in found["notes"])]
    text += [f"* {group}: {what} is not measured: {why}" for group, what, why in found["skipped"]]
    costs = ", ".join(f"{group} {spent:.0f} s" for group, spent in found["spent"].items())
    text += [f"* What each part took, compiling and preparing included: {costs}."]
    return "\n".join(text) + "\n"


def _about(found: dict[str, Any]) -> str:
    """When, on what and beside what a record was made, in a line."""
    about = found["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    return (
        f"{found['when']}, {about['processor']}, {about['cores']} cores, {about['memory_gb']} GB, "
        f"{about['system']}; {versions}. Load at the end: {about['load']}."
    )


def _key(line: Line) -> tuple[str, str, str]:
    return line.group, line.what, line.unit
