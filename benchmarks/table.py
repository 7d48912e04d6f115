"""The table of a measurement, JSON and Markdown, and when and beside what each part was made."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.change import QUIET, change, comparable, compare
from benchmarks.measure import Line, Meter, machine, short
from sixmax.errors import UserError


def record(meter: Meter, keep: Path | None = None) -> dict[str, Any]:
    """Everything measured, as plain JSON values; of ``keep`` the groups not measured anew.

    Raises UserError where ``keep`` is a table of another machine, or says too little.
    """
    lines: dict[str, list] = {group: [] for group in meter.stamps}
    for line in meter.lines:
        lines[line.group].append(line._asdict())
    found = {
        "skipped": [list(x) for x in meter.skipped],
        "notes": meter.notes,
        "values": meter.values,
        "spent": {group: round(seconds, 1) for group, seconds in meter.spent.items()},
        "groups": {group: stamp._asdict() for group, stamp in meter.stamps.items()},
    }
    here = machine()
    if before := load(keep):
        if "groups" not in before:
            raise UserError(f"{keep}: does not say how its parts were made; measure all of them")
        if why := comparable({"machine": here}, before):
            raise UserError(f"{keep}: {why}; measure all parts, or name another folder")
        anew = tuple(meter.spent)
        old: dict[str, list] = {group: [] for group in before["groups"]}
        for line in before["lines"]:
            old[line["group"]].append(line)
        lines = old | lines
        found["skipped"] = [x for x in before["skipped"] if x[0] not in anew] + found["skipped"]
        found["notes"] = [x for x in before["notes"] if not x.startswith(anew)] + found["notes"]
        for name in ("values", "spent", "groups"):
            found[name] = {**before[name], **found[name]}
    return {
        "machine": here,
        "when": max(stamp["when"] for stamp in found["groups"].values()),
        "lines": [line for some in lines.values() for line in some],
        **found,
        "seconds": round(sum(found["spent"].values())),
    }


def load(path: Path | None) -> dict[str, Any] | None:
    """A record on disk; None where there is none."""
    return json.loads(path.read_text()) if path and path.exists() else None


def busiest(found: dict[str, Any]) -> float | None:
    """The most processors that others had beside a line; None where that is not known."""
    return max(
        (x for line in found["lines"] if (x := line.get("others")) is not None), default=None
    )


def on_average(found: dict[str, Any]) -> float | None:
    """Processors that others had beside what was measured, each line for as long as it took; None
    where it is not known of one, or nothing was measured."""
    lines = {(x["group"], x["what"]): Line(**x) for x in found["lines"]}.values()  # turns once
    if not lines or any(line.others is None for line in lines):
        return None
    took = sum(line.seconds * line.turns for line in lines)
    return sum(line.others * line.seconds * line.turns for line in lines) / took


def markdown(found: dict[str, Any], earlier: dict[str, Any] | None) -> str:
    """The record as a table for docs/results/performance.md, compared with an ``earlier`` one."""
    text = [
        f"{about(found)} Measured in {found['seconds'] / 60:.0f} minutes.",
        f"Before: {about(earlier)}" if earlier else "There is no earlier table.", "",
        "| what | median a second | spread | by processor second | processors had "
        "| against before | one turn |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    group = ""
    for line in (Line(**values) for values in found["lines"]):
        if line.group != group:
            group = line.group
            text.append(f"| **{group}** | | | | | | |")
        text.append(
            f"| {line.what}, {line.unit.removesuffix('/s')} | {short(line.median)} "
            f"| {short(line.low)} to {short(line.high)} | {short(line.processor)} "
            f"| {line.had:.2f} of {line.threads} | {_against(line, found, earlier)} "
            f"| {short(line.seconds)} s |"
        )
    text += ["", *(f"* {note}" for note in found["notes"])]
    text += [f"* {group}: {what} is not measured: {why}" for group, what, why in found["skipped"]]
    text += [f"* {sentence}" for sentence in _apart(found)]
    if earlier:
        slower, gone, said = compare(found, earlier)
        text += [f"* {sentence}." for sentence in (*(f"Slower: {x}" for x in slower), *gone, *said)]
    costs = ", ".join(f"{group} {spent:.0f} s" for group, spent in found["spent"].items())
    text += [f"* What each part took, compiling and preparing included: {costs}."]
    return "\n".join(text) + "\n"


def _against(line: Line, found: dict[str, Any], earlier: dict[str, Any] | None) -> str:
    """The cell of what has changed: by processor seconds, unless the clock says worse."""
    if earlier is None or (got := change(line, found, earlier)) is None:
        return ""
    ratio, by = got
    return f"{100 * (ratio - 1):+.0f} %{', clock' if by == 'clock' else ''}"


def _apart(found: dict[str, Any]) -> list[str]:
    """A sentence for each group whose day, versions or settings are not those of most, and one of
    those that were measured beside much other work."""
    kinds = {
        group: (stamp["when"], json.dumps(stamp["versions"]), ", ".join(stamp["departures"]))
        for group, stamp in found.get("groups", {}).items()
    }
    usual = Counter(kinds.values()).most_common(1)
    sentences = []
    for group, kind in kinds.items():
        if kind != usual[0][0]:
            when, versions, departures = kind
            how = f" with {departures}" if departures else ""
            sentences.append(f"{group}: measured apart, on {when}{how}; {_list(versions)}.")
    beside = {x["group"]: x.get("others") or 0.0 for x in sorted(found["lines"], key=_others)}
    if busy := [f"{group} ({had:.1f})" for group, had in beside.items() if had > QUIET]:
        sentences.append(f"Beside others that had processors: {'; '.join(busy)}.")
    return sentences


def about(found: dict[str, Any]) -> str:
    """When, on what and beside what a record was made, in a line."""
    here = found["machine"]
    return (
        f"{found['when']}, {here['processor']}, {here['cores']} cores, {here['memory_gb']} GB, "
        f"{here['system']}; {_list(json.dumps(here['versions']))}. "
        + said_of_others(busiest(found))
    )


def said_of_others(had: float | None, what: str = "at most") -> str:
    """A sentence."""
    if had is None:
        return "What other programs had of the processors is not known."
    return f"Other programs had {what} {had:.2f} processors."


def _others(line: dict[str, Any]) -> float:
    return line.get("others") or 0.0


def _list(versions: str) -> str:
    return ", ".join(f"{name} {number}" for name, number in json.loads(versions).items())
