"""Measure a piece of work in several turns, by the clock and by processor seconds.

Both together say how many processors the threads of a line really had.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil

PACKAGES = ("numpy", "numba", "zarr", "scikit-learn", "open_spiel", "phevaluator")
LEAST = 0.3  # seconds: work that is done sooner is done again within a turn
_AFFINITY = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
CORES = len(_AFFINITY)
TWO = min(2, CORES)  # cores of the measurements on more than one
ONE_AND_TWO = (1, 2)[:TWO]
_INSTANT = 1e-9  # seconds, for work that took none
QUIET = 0.2  # processors that others may have on a quiet machine
Took = tuple[float, float, float]  # a turn: units, seconds by the clock and of the processor


class Line(NamedTuple):
    """The measurements of one thing, turn by turn."""

    group: str
    what: str
    unit: str
    clock: list[float]  # seconds a unit, of each turn
    processor: list[float]  # the same in processor seconds, those of all threads added up
    turn_s: float  # median, of one turn, by the clock
    when: str
    machine: str
    versions: str
    departures: str = ""  # settings other than the defaults
    threads: int = 1  # that the work was given
    waits: bool = False  # for a disk, or for other programs to start: judged by the clock
    others: float | None = None  # processors that other programs had meanwhile; None: unknown
    facts: dict[str, Any] = {}  # noqa: RUF012 more of it: numbers, or [low, median, high]

    @property
    def name(self) -> str:
        return f"{self.group}: {self.what}, {self.unit}"

    @property
    def median(self) -> float:
        """Units a second by the clock."""
        return 1 / statistics.median(self.clock)

    @property
    def spread(self) -> str:
        """The slowest and the fastest turn."""
        low, high = max(self.clock), min(self.clock)
        return f"{short(1 / low)} to {short(1 / high)}" if len(self.clock) > 1 else ""

    @property
    def by_processor(self) -> float:
        """Units a processor second."""
        return 1 / statistics.median(self.processor)

    @property
    def had(self) -> float:
        """Processors that the work really had: processor seconds by seconds of the clock."""
        return self.median / self.by_processor

    @property
    def free(self) -> bool:
        """Whether the threads had nine tenths of their processors, or others left as many."""
        left = 0.0 if self.others is None else CORES - self.others + QUIET
        return self.had >= 0.9 * self.threads or left >= self.threads


class Meter:
    """Lines of measurements, said as they come."""

    def __init__(
        self, turns: int = 5, least: float = LEAST, departures: str = "", say: Callable = print
    ):
        self.lines: list[Line] = []
        self.turns, self._say, self._least, self.group = turns, say, least, ""
        self.paired = 2 * turns - 1  # turns of lines that a ratio is made of
        self._origin = time.strftime("%Y-%m-%d"), machine(), versions(), departures
        self.watch()

    def begin(self, group: str) -> None:
        """The lines that follow are of this ``group``."""
        self.group = group
        self.watch()
        self._say(f"\n{group}")

    def watch(self) -> None:
        """Count from here on the processors of others, for the next line."""
        self._others = Others()

    def rate(
        self, label: str, unit: str, units: float, work: Callable, turns: int = 0, **about: Any
    ) -> Any:
        """Measure ``work`` of ``units``; returns the result of a first turn, which compiles."""
        result = work()
        self.watch()
        took = [timed(work, units, self._least) for _ in range(turns or self.turns)]
        self.add(label, unit, took, **about)
        return result

    def add(self, label: str, unit: str, turns: list[Took], **about: Any) -> None:
        """A line of turns measured elsewhere; ``about`` are fields of :class:`Line`."""
        line = Line(
            self.group, label, unit, [clock / units for units, clock, _ in turns],
            [max(spent, _INSTANT) / units for units, _, spent in turns],
            statistics.median(clock for _, clock, _ in turns), *self._origin,
            others=self._others.had(), **about,
        )  # fmt: skip
        self.lines.append(line)
        self._say(
            f"  {label}: {short(line.median)} {unit} ({line.spread}), "
            f"{short(line.turn_s)} s a turn, "
            f"had {line.had:.2f} of {line.threads} processors {said(line.facts)}"
        )

    def beside(self, package: str) -> bool:
        """Whether ``package`` can be measured beside ours; says so where it is not installed."""
        if not (there := installed(package) is not None):
            self._say(f"  {package} is not installed (dev group of pyproject.toml): skipped")
        return there


class Others:
    """The processors that other programs, and other machines on the same host, have."""

    def __init__(self) -> None:
        self._begun, self._busy, self._own = time.monotonic(), _busy(), sum(os.times()[:4])

    def had(self) -> float | None:
        """Processors since this was made; None where the system counts less than ours alone."""
        busy, own = _busy() - self._busy, sum(os.times()[:4]) - self._own
        passed = max(time.monotonic() - self._begun, 1e-9)
        return None if busy < 0.8 * own - 0.1 else round(max(0.0, (busy - own) / passed), 2)


def _busy() -> float:
    """Seconds that our processors were not idle, those that the host took among them."""
    times = psutil.cpu_times(percpu=True)
    apart = {"idle", "iowait", "guest", "guest_nice"}  # guests are counted as user already
    return sum(x for n in _AFFINITY for name, x in times[n]._asdict().items() if name not in apart)


def timed(work: Callable, units: float = 1.0, least: float = 0.0) -> Took:
    """A turn of ``work`` of ``units``, done again until ``least`` seconds have passed."""
    clock, spent, times = time.perf_counter(), time.process_time(), 0
    while times == 0 or time.perf_counter() - clock < least:
        work()
        times += 1
    return units * times, time.perf_counter() - clock, time.process_time() - spent


def gains(many: list[Took], one: list[Took]) -> list[float]:
    """[low, median, high] of the rate of ``many`` by the clock to ``one`` by processor seconds.

    Of the same turns: a machine that is slow for a minute is slow for both.
    """
    fast = [units / clock for units, clock, _ in many]
    slow = [units / max(spent, _INSTANT) for units, _, spent in one]
    return spread([a / b for a, b in zip(fast, slow, strict=True)])


def spread(values: list[float]) -> list[float]:
    """[low, median, high]."""
    return [min(values), statistics.median(values), max(values)]


def said(facts: dict[str, Any]) -> str:
    """Facts of a line in words."""
    words = {name: [short(x) for x in np.atleast_1d(value)] for name, value in facts.items()}
    return "; ".join(
        f"{name} {x[1]} ({x[0]} to {x[2]})" if len(x) > 1 else f"{name} {x[0]}"
        for name, x in words.items()
    )


def cores(n: int) -> str:
    """As in the name of a line."""
    return f"{n} core{'s' if n > 1 else ''}"


def short(rate: float) -> str:
    """Three digits and a suffix."""
    for size, suffix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{suffix}"
    return f"{rate:.3g}"


def installed(package: str) -> str | None:
    """The version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def machine() -> str:
    """Processor, cores, memory and system, which a rate depends on.

    Virtual machines give one name to several processors, so the numbers of its kind follow it.
    """
    info = Path("/proc/cpuinfo")
    rows = info.read_text().splitlines() if info.exists() else []
    values = {name.strip(): value.strip() for name, _, value in (x.partition(":") for x in rows)}
    kind = ", ".join(f"{x} {values[x]}" for x in ("cpu family", "model", "stepping") if x in values)
    name = f"{values['model name']} ({kind})" if "model name" in values else platform.processor()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{name}, {CORES} cores, {memory:.1f} GB, {platform.system()} {platform.machine()}"


def versions() -> str:
    """The versions of Python and of the packages that are measured or compared with."""
    numbers = [f"{name} {number}" for name in PACKAGES if (number := installed(name))]
    return ", ".join([f"Python {platform.python_version()}", *numbers])
