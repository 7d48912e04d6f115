"""The table of a measurement, JSON and Markdown, and what has become slower since the last."""

import json
from pathlib import Path
from typing import Any

from benchmarks.measure import Line, Meter, machine, short

SLOWER = 0.8  # of the rate by processor seconds before: what is called a slowdown


def record(meter: Meter, seconds: float) -> dict[str, Any]:
    """Everything measured, as plain JSON values."""
    return {
        "machine": machine(),
        "seconds": round(seconds),
        "lines": [line._asdict() for line in meter.lines],
        "skipped": meter.skipped,
        "notes": meter.notes,
    }


def earlier(path: Path) -> dict[tuple[str, str, str], Line]:
    """The lines of a record on disk, by group, name and unit; none where there is no record."""
    if not path.exists():
        return {}
    lines = [Line(**line) for line in json.loads(path.read_text())["lines"]]
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


def markdown(found: dict[str, Any], before: dict[tuple[str, str, str], Line]) -> str:
    """The record as a table for docs/performance.md."""
    about = found["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    text = [
        f"{about['processor']}, {about['cores']} cores, {about['memory_gb']} GB, "
        f"{about['system']}; {versions}. Load at the end: {about['load']}. "
        f"Measured in {found['seconds'] / 60:.0f} minutes.", "",
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
    return "\n".join(text) + "\n"


def _key(line: Line) -> tuple[str, str, str]:
    return line.group, line.what, line.unit
