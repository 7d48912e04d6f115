"""Measure a piece of work several times, and remember what was found and on what machine.

A line has the median and the spread by the clock, and the median by processor seconds. Both
together say how many processors the threads of the line really had.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import psutil

PACKAGES = ("numpy", "numba", "zarr", "scikit-learn", "open_spiel", "phevaluator")
LEAST = 0.3  # seconds: work that is done sooner is done again within a turn
_AFFINITY = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
CORES = len(_AFFINITY)
_TOGETHER = 0.05  # seconds between lines of the same turns, at most
TWO = min(2, CORES)  # cores of what is measured on more than one
ONE_AND_TWO = (1, 2)[:TWO]
_INSTANT = 1e-9  # seconds, for what took none
Work = Callable[[], float]  # does something and returns how many units of it it did
Took = tuple[float, float, float]  # a turn: units, seconds by the clock and of the processor


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
    others: float | None = None  # processors that other programs had meanwhile; None: unknown

    @property
    def had(self) -> float:
        """Processors that the work really had: processor seconds by seconds of the clock."""
        return self.median / self.processor


class Stamp(NamedTuple):
    """When and with what a group was measured."""

    when: str
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
        self.paired = 2 * turns - 1  # turns of what a ratio is told of
        self._departures, self._begun = departures or [], time.monotonic()
        self._had = None
        self.watch()

    def begin(self, group: str) -> None:
        """What follows is of this ``group``."""
        self.end()
        self.group, self._begun = group, time.monotonic()
        self.watch()
        self._say(f"\n{group}")

    def watch(self) -> None:
        """From here on, what others have is beside the next line: turns begin, what came before was
        compiling and filling."""
        self._others = Others()

    def end(self) -> None:
        """Nothing more follows of the group: note what it cost."""
        if self.group:
            self.spent[self.group] = time.monotonic() - self._begun
            self.stamps[self.group] = Stamp(
                time.strftime("%Y-%m-%d"), versions(), self._departures
            )  # fmt: skip
        self.group = ""

    def rate(
        self, what: str, unit: str, work: Work, turns: int | None = None, warm: bool = True,
        threads: int = 1, waits: bool = False,
    ) -> Line:  # fmt: skip
        """Measure ``work``, after a first turn that does not count where ``warm``."""
        if warm:
            work()
        self.watch()
        found = [timed(work, self._least) for _ in range(turns or self.turns)]
        return self.add(what, unit, found, threads, waits)

    def add(
        self, what: str, unit: str, turns: list[Took], threads: int = 1, waits: bool = False,
    ) -> Line:  # fmt: skip
        """A line of turns measured elsewhere."""
        rates = [units / clock for units, clock, _ in turns]
        processor = statistics.median(units / max(spent, _INSTANT) for units, _, spent in turns)
        seconds = statistics.median(clock for _, clock, _ in turns)
        line = Line(
            self.group, what, unit, statistics.median(rates), min(rates), max(rates), processor,
            seconds, len(turns), threads, waits, self._beside(),
        )  # fmt: skip
        self.lines.append(line)
        self._say(
            f"  {what}: {short(line.median)} {unit} ({short(line.low)} to {short(line.high)}), "
            f"{short(seconds)} s a turn, had {line.had:.2f} of {threads} processors"
        )
        return line

    def _beside(self) -> float | None:
        """What others had since the turns began; lines measured in turns are added together."""
        if self._others.seconds() > _TOGETHER:
            self._had = self._others.had()
            self.watch()
        return self._had

    def gain(self, what: str, many: list[Took], one: list[Took]) -> float:
        """How many times ``one`` by processor seconds the ``many`` of the same turns are by the
        clock, as :meth:`keep`. A machine that is slow for a minute is so for both."""
        ratios = [
            units / clock / (alone / max(spent, _INSTANT))
            for (units, clock, _), (alone, _, spent) in zip(many, one, strict=True)
        ]
        return self.keep(what, ratios, "times in the same turn")

    def keep(self, what: str, found: list[float], unit: str) -> float:
        """The median of what was ``found`` in turns, kept as a value, and a note of the spread."""
        self.values[what] = median = statistics.median(found)
        self.note(
            f"{what}: {median:.2f} {unit}, {min(found):.2f} to {max(found):.2f} in {len(found)}"
        )
        return median

    def skip(self, what: str, why: str) -> None:
        """Say that something is not measured here, and ``why``."""
        self.skipped.append((self.group, what, why))
        self._say(f"  {what}: skipped, {why}")

    def note(self, text: str) -> None:
        """A sentence to stand below the table."""
        self.notes.append(f"{self.group}: {text}")
        self._say(f"  {text}")


class Others:
    """What other programs, and other machines on the same host, had of the processors."""

    def __init__(self) -> None:
        self._begun, self._busy, self._own = time.monotonic(), _busy(), _own()

    def seconds(self) -> float:
        """Since this was made."""
        return time.monotonic() - self._begun

    def had(self) -> float | None:
        """Processors since this was made, on average; None where the system does not say: it counts
        less than we had ourselves."""
        busy, own, passed = _busy() - self._busy, _own() - self._own, max(self.seconds(), 1e-9)
        if busy < 0.8 * own - 0.1:
            return None
        return round(max(0.0, (busy - own) / passed), 2)


def _busy() -> float:
    """Seconds that our processors were not idle; what the host took from them it was not."""
    times = psutil.cpu_times(percpu=True)
    apart = {"idle", "iowait", "guest", "guest_nice"}  # guests are counted as user already
    return sum(x for n in _AFFINITY for name, x in times[n]._asdict().items() if name not in apart)


def _own() -> float:
    """Processor seconds of this program and of those that it has waited for."""
    return sum(os.times()[:4])


def timed(work: Work, least: float = 0.0) -> Took:
    """A turn of ``work``, which is done again until ``least`` seconds have passed."""
    clock, spent = time.perf_counter(), time.process_time()
    units = work()
    while time.perf_counter() - clock < least:
        units += work()
    return units, time.perf_counter() - clock, time.process_time() - spent


def once(work: Callable[[], object], units: float = 1.0) -> Took:
    """The same for work that counts nothing itself."""
    _, clock, spent = timed(lambda: work() is None)
    return units, clock, spent


def cores(n: int) -> str:
    """As in the name of a line."""
    return f"{n} core{'s' if n > 1 else ''}"


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
        "cores": CORES,
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
    """Its name, with the numbers of its kind: virtual machines give one name to several."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    said = {name.strip(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    if "model name" not in said:
        return platform.processor()
    kind = [f"{x} {said[x]}" for x in ("cpu family", "model", "stepping") if x in said]
    return f"{said['model name']} ({', '.join(kind)})" if kind else said["model name"]
