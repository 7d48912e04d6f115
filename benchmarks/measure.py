"""Measure a piece of work several times, and remember what was found and on what machine.

A line has the median and the spread by the clock, and the median by processor seconds: a busy
machine stretches the first and hardly the second. Both together say how many processors the
threads of the line really had.
"""

import math
import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("numpy", "numba", "zarr", "scikit-learn", "open_spiel", "phevaluator")
LEAST = 0.3  # seconds: work that is done sooner is done again within a turn
Work = Callable[[], float]  # does something and returns how many units of it it did


class Line(NamedTuple):
    """What was measured of one thing: rates are units a second, ``seconds`` those of one turn."""

    group: str
    what: str
    unit: str
    median: float
    low: float
    high: float
    processor: float  # median rate by processor seconds, those of all threads added up
    seconds: float  # median, of one turn, by the clock
    turns: int
    threads: int = 1  # that the work was given
    waits: bool = False  # for a disk, or for other programs to start: the clock counts too

    @property
    def had(self) -> float:
        """Processors that the work really had: processor seconds by seconds of the clock."""
        return self.median / self.processor


class Stamp(NamedTuple):
    """When and beside what a group was measured."""

    when: str
    load: float  # of others, when the group began or ended, whichever was more
    versions: dict[str, str]
    departures: list[str]  # settings other than the defaults


class Meter:
    """Lines of measurements, said as they come, and what was left out and why."""

    def __init__(
        self,
        turns: int = 5,
        say: Callable[[str], None] = print,
        least: float = LEAST,
        departures: list[str] | None = None,
    ):
        self.lines: list[Line] = []
        self.skipped: list[tuple[str, str, str]] = []  # group, what, why
        self.notes: list[str] = []  # what the lines do not say
        self.values: dict[str, float] = {}  # numbers that are no rates, for the targets
        self.spent: dict[str, float] = {}  # seconds of each group, what is measured and what not
        self.stamps: dict[str, Stamp] = {}
        self.turns, self._say, self._least, self.group = turns, say, least, ""
        self._departures, self._others = departures or [], Others()
        self._begun, self._load = time.monotonic(), self._others.load()

    def begin(self, group: str) -> None:
        """What follows is of this ``group``."""
        self.end()
        self.group = group
        self._say(f"\n{group}")

    def end(self) -> None:
        """Nothing more follows of the group: note what it cost, and beside what it ran."""
        now, load = time.monotonic(), self._others.load()
        if self.group:
            self.spent[self.group] = self.spent.get(self.group, 0.0) + now - self._begun
            self.stamps[self.group] = Stamp(
                time.strftime("%Y-%m-%d"), round(max(load, self._load), 1), versions(),
                self._departures,
            )  # fmt: skip
        self._begun, self._load = now, load

    def rate(
        self, what: str, unit: str, work: Work, turns: int | None = None, warm: bool = True,
        threads: int = 1, waits: bool = False,
    ) -> Line:  # fmt: skip
        """Measure ``work``, after a first turn that does not count where ``warm``."""
        if warm:
            work()
        found = [timed(work, self._least) for _ in range(turns or self.turns)]
        return self.add(what, unit, found, threads, waits)

    def add(
        self, what: str, unit: str, turns: list[tuple[float, float, float]], threads: int = 1,
        waits: bool = False,
    ) -> Line:  # fmt: skip
        """A line of turns measured elsewhere: units, seconds by the clock and of the processor."""
        rates = [units / clock for units, clock, _ in turns]
        processor = statistics.median(units / max(spent, 1e-9) for units, _, spent in turns)
        seconds = statistics.median(clock for _, clock, _ in turns)
        line = Line(
            self.group, what, unit, statistics.median(rates), min(rates), max(rates), processor,
            seconds, len(turns), threads, waits,
        )  # fmt: skip
        self.lines.append(line)
        self._say(
            f"  {what}: {short(line.median)} {unit} ({short(line.low)} to {short(line.high)}), "
            f"{short(seconds)} s a turn, had {line.had:.2f} of {threads} processors"
        )
        return line

    def skip(self, what: str, why: str) -> None:
        """Say that something is not measured here, and ``why``."""
        self.skipped.append((self.group, what, why))
        self._say(f"  {what}: skipped, {why}")

    def note(self, text: str) -> None:
        """A sentence to stand below the table."""
        self.notes.append(f"{self.group}: {text}")
        self._say(f"  {text}")


class Others:
    """The load average of the last minute, less the part that this program had in it."""

    def __init__(self) -> None:
        self._own, self._at, self._spent = 0.0, time.monotonic(), _spent()

    def load(self) -> float:
        """The load of others now; a program that is starved has a larger part than is taken off."""
        now, spent = time.monotonic(), _spent()
        passed, kept = max(now - self._at, 1e-9), math.exp((self._at - now) / 60.0)
        self._own = kept * self._own + (1.0 - kept) * (spent - self._spent) / passed
        self._at, self._spent = now, spent
        return max(0.0, os.getloadavg()[0] - self._own)


def _spent() -> float:
    """Processor seconds of this program and of those that it has waited for."""
    return sum(os.times()[:4])


def timed(work: Work, least: float = 0.0) -> tuple[float, float, float]:
    """Units done, seconds by the clock, seconds of the processor; ``work`` is done again until
    ``least`` seconds have passed."""
    clock, spent = time.perf_counter(), time.process_time()
    units = work()
    while time.perf_counter() - clock < least:
        units += work()
    return units, time.perf_counter() - clock, time.process_time() - spent


def once(work: Callable[[], object], units: float = 1.0) -> tuple[float, float, float]:
    """The same for work that counts nothing itself."""
    _, clock, spent = timed(lambda: work() is None)
    return units, clock, spent


def short(rate: float) -> str:
    """Three digits and a suffix."""
    for size, suffix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{suffix}"
    return f"{rate:.3g}"


def machine() -> dict:
    """Processor, cores, memory and versions: what a rate depends on."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Of Python and of the packages that are measured or compared with."""
    found = {name: number for name in PACKAGES if (number := installed(name))}
    return {"Python": platform.python_version()} | found


def installed(package: str) -> str | None:
    """The version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
    return names[0].partition(":")[2].strip() if names else platform.processor()
