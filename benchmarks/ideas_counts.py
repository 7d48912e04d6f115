"""What of a filled table can be counted: memory that is met, and sums that would fit elsewhere."""

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from benchmarks import ideas_rows as by_row
from benchmarks.ground import Ground
from benchmarks.ideas_pairs import Size, logs
from sixmax.cfr.sampled.log import CHUNKS, Log, apply_part


class Count(NamedTuple):
    """``part`` of ``whole``, and the lowest and the highest share of a round."""

    what: str
    unit: str
    part: float
    whole: float
    shares: tuple[float, float]


def counts(on: Ground, size: Size) -> Iterator[Count]:
    """All of them; ``on`` has memory behind every entry, those never met are zero."""
    after = f"after {on.done[0]:,} iterations"
    limit = np.iinfo(np.int16).max
    yield _by_round(on, f"regrets that are not zero {after}", "entries", lambda part: part != 0)
    yield _by_round(on, f"of these beyond {limit:,}, which int16 holds", "regrets",
                    lambda part: abs(part[part != 0]) > limit)  # fmt: skip
    for kilobytes in (4, 2048):
        yield _by_round(on, f"stretches of {kilobytes:,} KB with one that is not zero", "stretches",
                        lambda part, n=256 * kilobytes: _any(part, n))  # fmt: skip
    rows, across, power = by_row.crossing(on.tree, on.layout).T
    entries = np.diff(on.layout.start)
    yield _rounds("rows across two cache lines", "rows", across, rows)
    yield _rounds("entries more if rows had powers of two", "entries", power - entries, entries)
    yield _rounds("entries more for an epoch behind each row", "entries", rows, entries)
    yield order(on, size)


def _by_round(on: Ground, what: str, unit: str, kept: Callable) -> Count:
    start, regret = on.layout.start, on.table.regret
    found = [kept(regret[a:b]) for a, b in itertools.pairwise(start)]
    return _rounds(what, unit, [np.count_nonzero(f) for f in found], [f.size for f in found])


def _rounds(what: str, unit: str, part: list[int], whole: list[int]) -> Count:
    shares = [p / w for p, w in zip(part, whole, strict=True) if w]
    return Count(what, unit, float(sum(part)), float(sum(whole)), (min(shares), max(shares)))


def _any(entries: np.ndarray, n: int) -> np.ndarray:
    """Whether each run of ``n`` entries has one that is not zero."""
    return np.add.reduceat(entries != 0, np.arange(0, entries.size, n), dtype=np.int64) > 0


def order(on: Ground, size: Size) -> Count:
    """Sums in float32 that come out otherwise where the same chunks are added from the last on."""
    _, log = logs(on, size, 0)
    back = Log(*(np.ascontiguousarray(part[::-1]) for part in log))
    ends = []
    for each in (log, back):
        table = on.table.regret.astype(np.float32)
        before = table.copy()
        apply_part(table, on.table.count, each, on.schedule.regret_floor, CHUNKS)
        changed = np.flatnonzero(table != before)
        ends.append(table)
    differ = int((ends[0] != ends[1]).sum())
    share = differ / max(1, len(changed))
    return Count("float32 sums that depend on the order of the same additions", "sums",
                 float(differ), float(len(changed)), (share, share))  # fmt: skip
