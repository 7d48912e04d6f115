"""Measure a piece of work several times, and remember what was found and on what machine.

A line has the median and the spread by the clock, and the median by processor seconds: a busy
machine stretches the first and hardly the second, so the second is what tables are compared by.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("numpy", "numba", "zarr", "scikit-learn", "open_spiel", "phevaluator")
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


class Meter:
    """Lines of measurements, said as they come, and what was left out and why."""

    def __init__(self, turns: int = 5, say: Callable[[str], None] = print):
        self.lines: list[Line] = []
        self.skipped: list[tuple[str, str, str]] = []  # group, what, why
        self.notes: list[str] = []  # what the lines do not say
        self.values: dict[str, float] = {}  # numbers that are no rates, for the targets
        self.spent: dict[str, float] = {}  # seconds of each group, what is measured and what not
        self.turns, self._say, self.group = turns, say, ""
        self._begun = time.monotonic()

    def begin(self, group: str) -> None:
        """What follows is of this ``group``."""
        self.end()
        self.group = group
        self._say(f"\n{group}")

    def end(self) -> None:
        """Nothing more follows of the group: note what it cost."""
        now = time.monotonic()
        if self.group:
            self.spent[self.group] = self.spent.get(self.group, 0.0) + now - self._begun
        self._begun = now

    def rate(
        self, what: str, unit: str, work: Work, turns: int | None = None, warm: bool = True
    ) -> Line:
        """Measure ``work``, after a first turn that does not count where ``warm``."""
        if warm:
            work()
        return self.add(what, unit, [timed(work) for _ in range(turns or self.turns)])

    def add(self, what: str, unit: str, turns: list[tuple[float, float, float]]) -> Line:
        """A line of turns measured elsewhere: units, seconds by the clock and of the processor."""
        rates = [units / clock for units, clock, _ in turns]
        processor = statistics.median(units / max(spent, 1e-9) for units, _, spent in turns)
        seconds = statistics.median(clock for _, clock, _ in turns)
        line = Line(
            self.group, what, unit, statistics.median(rates), min(rates), max(rates), processor,
            seconds, len(turns),
        )  # fmt: skip
        self.lines.append(line)
        spread = f"{short(line.low)} to {short(line.high)}"
        self._say(f"  {what}: {short(line.median)} {unit} ({spread}), {short(seconds)} s a turn")
        return line

    def skip(self, what: str, why: str) -> None:
        """Say that something is not measured here, and ``why``."""
        self.skipped.append((self.group, what, why))
        self._say(f"  {what}: skipped, {why}")

    def note(self, text: str) -> None:
        """A sentence to stand below the table."""
        self.notes.append(f"{self.group}: {text}")
        self._say(f"  {text}")


def timed(work: Work) -> tuple[float, float, float]:
    """Units done, seconds by the clock, seconds of the processor."""
    clock, spent = time.perf_counter(), time.process_time()
    units = work()
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
    """Processor, cores, memory, what else runs, and versions: what a rate depends on."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "load": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"Python": platform.python_version()}
        | {name: found for name in PACKAGES if (found := installed(name))},
    }


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
