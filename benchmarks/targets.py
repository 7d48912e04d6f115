"""What is asked of two cores, beside what was measured: met, not met, or not measurable.

Every row is computed from the lines of a table; one whose lines are missing says so. Lines are
found by the beginning of their names. One core that computes is judged by processor seconds;
several cores, the disk and starts by the clock, and where those did not have their processors and
the target is missed, nothing can be said. What stands beside a row is measured too: no cause is
named that the table does not show.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks import programs, startup
from benchmarks.abstraction import RESTARTS
from benchmarks.change import free
from benchmarks.measure import Line, cores, short
from benchmarks.training import SIX, gain

SITUATIONS = {"flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}
CHECKPOINT_GB = 4.0


class MissingError(Exception):
    """A line that a target is computed from was not measured."""


class Measured:
    """The lines and values of one table; ``starved`` are those asked for that count by the clock
    and did not have their processors."""

    def __init__(self, found: dict[str, Any]):
        self._found = found
        self._lines = [Line(**line) for line in found["lines"]]
        self._values = found.get("values", {})
        self.starved: list[Line] = []

    def line(self, group: str, what: str, unit: str = "") -> Line:
        """The line whose group and name begin so, of ``unit`` where given."""
        for x in self._lines:
            if x.group.startswith(group) and x.what.startswith(what) and x.unit.startswith(unit):
                return x
        raise MissingError(f"{group}, {what}")

    def rate(self, group: str, what: str, unit: str = "") -> float:
        """Units a second: of one thread that computes by processor seconds, else by the clock."""
        line = self.line(group, what, unit)
        if line.threads == 1 and not line.waits:
            return line.processor
        self._clock(line)
        return line.median

    def seconds(self, group: str, what: str) -> float:
        """Of one turn, by the clock."""
        line = self.line(group, what)
        self._clock(line)
        return line.seconds

    def _clock(self, line: Line) -> None:
        if not free(line, self._found):
            self.starved.append(line)

    def value(self, name: str, *lines: Line) -> float:
        """A number that is no rate, computed from the turns of ``lines`` by the clock."""
        for line in lines:
            self._clock(line)
        if name not in self._values:
            raise MissingError(name)
        return self._values[name]


class Target(NamedTuple):
    """``found`` of a table is to be at least ``bound``, or at most where ``most``; without a bound
    it is only said; ``cores`` where how many there were is what it is about. ``beside`` is what the
    table shows of why."""

    what: str
    bound: float | None
    unit: str
    most: bool
    found: Callable[[Measured], float]
    beside: Callable[[Measured], str]
    cores: bool = False


def _spans(of: Measured) -> dict[str, float]:
    """Seconds of the features of each kind, all situations."""
    rows = {
        "river, win": "river", "turn": "turn", "flop": "flop", "river, against": "river",
    }  # fmt: skip
    return {what: SITUATIONS[r] / of.rate("features", what) for what, r in rows.items()}


def _clustered(of: Measured) -> dict[str, float]:
    """Seconds of k-means and of the nearest centroids, by round."""
    return {
        name: RESTARTS * of.seconds("clustering", f"{name}, k-means")
        + n / of.rate("clustering", f"{name}, nearest")
        for name, n in SITUATIONS.items()
    }


def _listed(parts: Callable[[Measured], dict[str, float]]) -> Callable[[Measured], str]:
    return lambda of: ", ".join(f"{name} {short(x)} s" for name, x in parts(of).items())


def _visits(table: str) -> Callable[[Measured], float]:
    return lambda of: _visited(of, table, 1).processor


def _visited(of: Measured, table: str, threads: int) -> Line:
    return of.line("traversal", f"{SIX}, {table}, {cores(threads)}", "decision")


def _visit_ns(of: Measured, table: str, threads: int) -> float:
    return 1e9 / _visited(of, table, threads).processor


def _reads(table: str) -> Callable[[Measured], str]:
    def beside(of: Measured) -> str:
        visit, read = _visit_ns(of, table, 1), of.value("read_ns")
        return f"a visit takes {visit:.0f} ns of processor, a random read of memory {read:.0f} ns"

    return beside


def _more_cores(table: str) -> Callable[[Measured], float]:
    return lambda of: of.value(gain(f"{SIX}, {table}", 2), _visited(of, table, 2))


def _two(table: str) -> Callable[[Measured], str]:
    def beside(of: Measured) -> str:
        had = _visited(of, table, 2).had
        one, two = (_visit_ns(of, table, n) for n in (1, 2))
        return (
            f"had {had:.2f} processors; a visit takes {two:.0f} ns of processor on two cores, "
            f"{one:.0f} on one"
        )

    return beside


def _programs(of: Measured) -> float:
    return of.value(programs.GAIN, of.line(programs.GROUP, f"{programs.NAME}, 2 programs"))


_SMALL, _STAGES = "external sampling", ("tree", "train")


def _openspiel(name: str) -> Callable[[Measured], float]:
    return lambda of: (
        of.rate(_SMALL, f"{name}, batches of 10, average", "iter")
        / of.rate(_SMALL, f"{name}, OpenSpiel")
    )


def _iteration(name: str) -> Callable[[Measured], str]:
    def beside(of: Measured) -> str:
        ours, plain, theirs = (
            1e6 / of.rate(_SMALL, f"{name}, {how}", "iter")
            for how in ("batches of 10, average", "batches of 10, no average", "OpenSpiel")
        )
        nodes = plain * of.rate(_SMALL, f"{name}, batches of 10, no average", "dec") / 1e6
        return (
            f"an iteration takes {ours:.2f} us, without the average {plain:.2f}, "
            f"{1000 * plain / nodes:.0f} ns for each of {nodes:.1f} decisions; "
            f"OpenSpiel's {theirs:.1f} us"
        )

    return beside


def _hand(ours: str) -> Callable[[Measured], str]:
    def beside(of: Measured) -> str:
        hand, call = (1e9 / of.rate(_EVALUATOR, what) for what in (ours, "phevaluator"))
        return f"a hand takes {short(hand)} ns, phevaluator's call {short(call)} ns"

    return beside


def _processor(what: str) -> Callable[[Measured], str]:
    return lambda of: (
        f"{short(CHECKPOINT_GB / of.line('checkpoint', what).processor)} s of processor"
    )


def _start(of: Measured) -> float:
    jobs = {stage: of.line("start", f"sixmax {stage}") for stage in _STAGES}
    return max(of.value(startup.start(stage), job) for stage, job in jobs.items())


def _jobs(of: Measured) -> str:
    whole = [f"{stage} {of.seconds('start', f'sixmax {stage}'):.2f} s" for stage in _STAGES]
    alone = of.seconds("start", "the libraries")
    return f"whole jobs: {', '.join(whole)}; numpy, numba and zarr alone {alone:.2f} s"


def _nothing(of: Measured) -> str:
    return ""


_EVALUATOR = "evaluator"
TARGETS = (
    Target("evaluator, a board enumerated, hands/s/core", 150e6, "", False,
           lambda of: of.rate(_EVALUATOR, "all holes"), _hand("all holes")),
    Target("a board enumerated against phevaluator's Python call a hand", 100, " x", False,
           lambda of: of.rate(_EVALUATOR, "all holes") / of.rate(_EVALUATOR, "phevaluator"),
           _hand("all holes")),
    Target("like for like: one hand at a time against phevaluator's Python call", None, " x", False,
           lambda of: of.rate(_EVALUATOR, "one hand") / of.rate(_EVALUATOR, "phevaluator"),
           _hand("one hand")),
    Target("features of all three rounds, exhaustive", 120, " s", True,
           lambda of: sum(_spans(of).values()), _listed(_spans)),
    Target("clustering of all three rounds", 240, " s", True,
           lambda of: sum(_clustered(of).values()), _listed(_clustered)),
    Target("its objective above the best of 10 runs on a sample", 1, " %", True,
           lambda of: of.value("objective_above_best_percent"), _nothing),
    Target("Leduc, one core, against OpenSpiel's iterations", 10, " x", False,
           _openspiel("leduc"), _iteration("leduc")),
    Target("Kuhn, one core, against OpenSpiel's iterations", 10, " x", False,
           _openspiel("kuhn"), _iteration("kuhn")),
    Target("six players, one core, first minute, decision nodes/s", 10e6, "", False,
           _visits("young table"), _reads("young table")),
    Target("the same, table beyond the cache", 6e6, "", False,
           _visits("table filled"), _reads("table filled")),
    Target("two cores against one, first minute", 1.8, " x", False,
           _more_cores("young table"), _two("young table"), cores=True),
    Target("two cores against one, table beyond the cache", 1.8, " x", False,
           _more_cores("table filled"), _two("table filled"), cores=True),
    Target("the same of two programs with a young table each, that share nothing", None, " x",
           False, _programs, _nothing, cores=True),
    Target("a checkpoint of 4 GB written", 10, " s", True,
           lambda of: CHECKPOINT_GB / of.rate("checkpoint", "written"), _processor("written")),
    Target("a checkpoint of 4 GB read and checked", 5, " s", True,
           lambda of: CHECKPOINT_GB / of.rate("checkpoint", "read"), _processor("read")),
    Target("start of a warm stage, beyond its own work", 1, " s", True, _start, _jobs),
)  # fmt: skip
HOW = (
    "One core is judged by processor seconds. Several cores, checkpoints and starts are judged by "
    "the clock: met is met, but what is missed by threads that had less than nine tenths of their "
    "processors, while others had some or nobody knows, is not measurable; nor is two against "
    "one, met or not."
)


def markdown(found: dict[str, Any]) -> str:
    """How it is judged, and :func:`rows`."""
    return f"{HOW}\n\n{rows(found)}"


def rows(found: dict[str, Any]) -> str:
    """A row for each target: wanted, measured, met, what was seen beside."""
    text = ["| target | wanted | measured | met | measured beside |", "|---|---|---|---|---|"]
    for t in TARGETS:
        wanted = f"{'≤' if t.most else '≥'} {short(t.bound)}{t.unit}" if t.bound else ""
        try:
            of = Measured(found)
            value = t.found(of)
            cells = [f"{short(value)}{t.unit}", _met(t, value, of), t.beside(Measured(found))]
        except MissingError as missing:
            cells = ["not measured", "", f"no line of {missing}"]
        text.append(f"| {t.what} | {wanted} | {' | '.join(cells)} |")
    return "\n".join(text) + "\n"


def _met(target: Target, value: float, of: Measured) -> str:
    if target.bound is None:
        return "no target"
    met = value <= target.bound if target.most else value >= target.bound
    if of.starved and (target.cores or not met):
        line = min(of.starved, key=lambda x: x.had / x.threads)
        return f"not measurable: had {line.had:.2f} of {line.threads} processors"
    return "yes" if met else "**no**"
