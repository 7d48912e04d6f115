"""What has become slower since a reference, where the two can be compared at all.

A line is compared where its threads had their processors, or others left them, before and now:
beside other work even processor seconds are other ones, as caches and cores are shared. It is
compared by processor seconds and by the clock, and the worse counts: a thread that idles, a lock
and a wait cost no processor seconds.
"""

from typing import Any, NamedTuple

from benchmarks.measure import Line, short

SLOWER = 0.8  # of the rate of the reference: what is called a slowdown
HAD = 0.9  # of the threads' processors: what counts as having had them
QUIET = 0.2  # processors that others may have on a machine that is called quiet


class Changes(NamedTuple):
    """Sentences: what is slower, what is gone, and what came or could not be compared."""

    slower: list[str]
    gone: list[str]
    said: list[str]


def compare(found: dict[str, Any], reference: dict[str, Any]) -> Changes:
    """What a record says against the ``reference``."""
    if why := comparable(found, reference):
        return Changes([], [], [f"Not compared: {why}"])
    now, before = by_name(found), by_name(reference)
    slower, said, starved = [], [], set()
    for key in now.keys() & before.keys():
        got = change(now[key], found, reference)
        if got and got[0] < SLOWER:
            slower.append(_sentence(now[key], before[key], *got))
        if not (free(now[key], found) and free(before[key], reference)):
            starved.add(key)
    versions = [x["machine"]["versions"] for x in (found, reference)]
    if versions[0] != versions[1]:
        other = sorted({name for name, _ in versions[0].items() ^ versions[1].items()})
        said.append(f"Other versions than the reference's: {', '.join(other)}")
    apart = {g for g, _, _ in now if _departures(found, g) != _departures(reference, g)}
    if apart:
        said.append(f"Not compared, the settings being others: {'; '.join(sorted(apart))}")
    said += _named("Not compared, with too few processors here or in the reference", starved)
    new = {key for key in now.keys() - before.keys() if key[0] not in apart}
    said += _named("Not in the reference", new)
    measured = {group for group, _, _ in now} - apart  # a part not asked for has lost nothing
    lost = {key for key in before.keys() - now.keys() if key[0] in measured}
    gone = {key for key in lost if not _skipped(found, *key[:2])}
    return Changes(sorted(slower), _named("Not measured any more", gone), said)


def comparable(found: dict[str, Any], reference: dict[str, Any]) -> str:
    """Why the machines of two records are not comparable; empty where they are."""
    here, there = (x["machine"] for x in (found, reference))
    if (here["processor"], here["cores"]) == (there["processor"], there["cores"]):
        return ""
    return (
        f"measured on {there['processor']} with {there['cores']} cores, this is "
        f"{here['processor']} with {here['cores']}"
    )


def change(
    line: Line, found: dict[str, Any], reference: dict[str, Any]
) -> tuple[float, str] | None:
    """The rate of a ``line`` by that of the reference, the worst of what counts, and by what:
    "processor" or "clock". None where there is nothing to compare it with."""
    old = by_name(reference).get(_key(line))
    apart = _departures(found, line.group) != _departures(reference, line.group)
    if old is None or apart or comparable(found, reference):
        return None
    if not (free(line, found) and free(old, reference)):
        return None
    ratios = {"processor": line.processor / old.processor, "clock": line.median / old.median}
    by = min(ratios, key=ratios.__getitem__)
    return ratios[by], by


def by_name(found: dict[str, Any]) -> dict[tuple[str, str, str], Line]:
    """The lines of a record by group, name and unit."""
    return {_key(line): line for line in (Line(**values) for values in found["lines"])}


def free(line: Line, found: dict[str, Any]) -> bool:
    """Whether the threads of a line had their processors, or could have had them: threads that
    wait for each other leave them idle."""
    return unhindered(line.had, line.threads, line.others, found["machine"]["cores"])


def unhindered(had: float, threads: int, others: float | None, cores: int) -> bool:
    """Whether ``threads`` had their processors, or could have had them: ``others`` left as many."""
    if had >= HAD * threads:
        return True
    return others is not None and threads <= cores - others + QUIET


def _departures(found: dict[str, Any], group: str) -> list[str]:
    return found.get("groups", {}).get(group, {}).get("departures", [])


def _skipped(found: dict[str, Any], group: str, what: str) -> bool:
    """Whether a line is left out for a reason that the record gives."""
    return any(g == group and what.startswith(name) for g, name, _ in found.get("skipped", []))


def _sentence(line: Line, old: Line, ratio: float, by: str) -> str:
    rates = (line.median, old.median) if by == "clock" else (line.processor, old.processor)
    now, before = map(short, rates)
    return (
        f"{line.group}, {line.what}: {now} {line.unit} by the {by}, before {before} "
        f"({100 * ratio:.0f} %)"
    )


def _named(what: str, keys: set[tuple[str, str, str]]) -> list[str]:
    """A sentence for each group that has some of ``keys``."""
    groups: dict[str, list[str]] = {}
    for group, name, unit in sorted(keys):
        groups.setdefault(group, []).append(f"{name} ({unit})")
    return [f"{what}: {group}: {', '.join(names)}" for group, names in groups.items()]


def _key(line: Line) -> tuple[str, str, str]:
    return line.group, line.what, line.unit
