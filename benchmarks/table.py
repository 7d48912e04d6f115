"""The table of a measurement, JSON and Markdown, and when and beside what each part was made."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.change import change, comparable, compare, group_load
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
    about = machine()
    if before := load(keep):
        if "groups" not in before:
            raise UserError(f"{keep}: does not say how its parts were made; measure all of them")
        if why := comparable({"machine": about}, before):
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
        "machine": about,
        "when": max(stamp["when"] for stamp in found["groups"].values()),
        "lines": [line for some in lines.values() for line in some],
        **found,
        "seconds": round(sum(found["spent"].values())),
    }


def load(path: Path | None) -> dict[str, Any] | None:
    """A record on disk; None where there is none."""
    return json.loads(path.read_text()) if path and path.exists() else None


def busiest(found: dict[str, Any]) -> float:
    """The load of others beside the group that had most of it."""
    return max(group_load(found, line["group"]) for line in found["lines"])


def markdown(found: dict[str, Any], earlier: dict[str, Any] | None) -> str:
    """The record as a table for docs/performance.md, compared with an ``earlier`` one."""
    text = [
        f"{_about(found)} Measured in {found['seconds'] / 60:.0f} minutes.",
        f"Before: {_about(earlier)}" if earlier else "There is no earlier table.", "",
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
        slower, said = compare(found, earlier)
        text += [f"* {sentence}." for sentence in (*(f"Slower: {x}" for x in slower), *said)]
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
    cores = found["machine"]["cores"]
    beside = {group: group_load(found, group) for group in kinds}
    if busy := [f"{group} ({load:.1f})" for group, load in beside.items() if load > cores]:
        sentences.append(f"Beside a load of others above {cores}: {'; '.join(busy)}.")
    return sentences


def _about(found: dict[str, Any]) -> str:
    """When, on what and beside what a record was made, in a line."""
    about = found["machine"]
    return (
        f"{found['when']}, {about['processor']}, {about['cores']} cores, {about['memory_gb']} GB, "
        f"{about['system']}; {_list(json.dumps(about['versions']))}. "
        f"Load of others: at most {busiest(found):.1f}."
    )


def _list(versions: str) -> str:
    return ", ".join(f"{name} {number}" for name, number in json.loads(versions).items())
