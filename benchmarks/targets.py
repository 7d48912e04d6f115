"""What is asked of two cores, beside what was measured: met, or not and what limits it.

Every row is computed from the lines of a table; one whose lines are missing says so. Lines are
found by the beginning of their names. What limits a rate of visits is said in random reads of the
same run (benchmarks.memory): a visit has to wait for at least one row of regrets.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.abstraction import RESTARTS
from benchmarks.measure import Line, short

SITUATIONS = {"flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}
CHECKPOINT_GB = 4.0


class MissingError(Exception):
    """A line that a target is computed from was not measured."""


class Measured:
    """The lines and values of one table."""

    def __init__(self, found: dict[str, Any]):
        self._lines = [Line(**line) for line in found["lines"]]
        self._values = found.get("values", {})

    def line(self, group: str, what: str, unit: str = "") -> Line:
        """The line whose group and name begin so, of ``unit`` where given."""
        for x in self._lines:
            if x.group.startswith(group) and x.what.startswith(what) and x.unit.startswith(unit):
                return x
        raise MissingError(f"{group}, {what}")

    def rate(self, group: str, what: str, unit: str = "") -> float:
        """Units a second by the clock, median."""
        return self.line(group, what, unit).median

    def value(self, name: str) -> float:
        """A number that is no rate."""
        if name not in self._values:
            raise MissingError(name)
        return self._values[name]


class Target(NamedTuple):
    """``found`` of a table is to be at least ``bound``, or at most where ``most``."""

    what: str
    bound: float
    unit: str
    most: bool
    found: Callable[[Measured], float]
    limit: Callable[[Measured], str]


def _features(of: Measured) -> float:
    rows = {
        "river, win": "river", "turn": "turn", "flop": "flop", "river, against": "river",
    }  # fmt: skip
    return sum(SITUATIONS[r] / of.rate("features", what) for what, r in rows.items())


def _clustering(of: Measured) -> float:
    return sum(
        RESTARTS * of.line("clustering", f"{name}, k-means").seconds
        + n / of.rate("clustering", f"{name}, nearest")
        for name, n in SITUATIONS.items()
    )


def _visits(table: str, cores: int = 1) -> Callable[[Measured], float]:
    counted = f"{cores} core{'s' if cores > 1 else ''}"
    return lambda of: of.rate("traversal", f"six players (default), {table}, {counted}", "decision")


def _openspiel(name: str) -> Callable[[Measured], float]:
    group = "external sampling"
    return lambda of: (
        of.rate(group, f"{name}, batches of 10") / of.rate(group, f"{name}, OpenSpiel")
    )


def _more_cores(table: str) -> Callable[[Measured], float]:
    return lambda of: _visits(table, 2)(of) / _visits(table)(of)


def _reads(table: str) -> Callable[[Measured], str]:
    def limit(of: Measured) -> str:
        visit, read = 1e9 / _visits(table)(of), of.value("read_ns")
        return (
            f"memory latency: a visit takes {visit:.0f} ns, {visit / read:.1f} of the random reads "
            f"of {read:.0f} ns that nothing can overlap, the next node being drawn from the row"
        )

    return limit


def _cores_limit(of: Measured) -> str:
    return "two cores wait for the same memory, and for each other at the end of a batch"


def _start_limit(of: Measured) -> str:
    alone = of.line("start", "the libraries").seconds
    return (
        f"numpy, numba and zarr alone take {alone:.2f} s; by processor seconds a start takes "
        f"{of.value('start_processor_s'):.2f}"
    )


def _said(text: str) -> Callable[[Measured], str]:
    return lambda of: text


_EVALUATOR, _RANDOM = "evaluator", "a random hand mispredicts its category; the call is compiled"
TARGETS = (
    Target("evaluator, a board enumerated, hands/s/core", 150e6, "", False,
           lambda of: of.rate(_EVALUATOR, "all holes"), _said("arithmetic")),
    Target("the same against phevaluator's Python call", 100, " x", False,
           lambda of: of.rate(_EVALUATOR, "all holes") / of.rate(_EVALUATOR, "phevaluator"),
           _said(_RANDOM)),
    Target("features of all three rounds, exhaustive", 120, " s", True, _features,
           _said("arithmetic: every river against every other hand")),
    Target("clustering of all three rounds", 240, " s", True, _clustering,
           _said("arithmetic: distances between histograms")),
    Target("its objective above the best of 10 runs on a sample", 1, " %", True,
           lambda of: of.value("objective_above_best_percent"), _said("the seeds of k-means")),
    Target("Leduc, one core, against OpenSpiel's iterations", 10, " x", False,
           _openspiel("leduc"), _said("arithmetic")),
    Target("Kuhn, one core, against OpenSpiel's iterations", 10, " x", False,
           _openspiel("kuhn"), _said("four decisions an iteration: dealing, seeding a generator "
                                     "and writing a log cost more than they do")),
    Target("six players, one core, first minute, decision nodes/s", 10e6, "", False,
           _visits("young table"), _reads("young table")),
    Target("the same, table beyond the cache", 6e6, "", False,
           _visits("table filled"), _reads("table filled")),
    Target("two cores against one, first minute", 1.8, " x", False,
           _more_cores("young table"), _cores_limit),
    Target("two cores against one, table beyond the cache", 1.8, " x", False,
           _more_cores("table filled"), _cores_limit),
    Target("a checkpoint of 4 GB written", 10, " s", True,
           lambda of: CHECKPOINT_GB / of.rate("checkpoint", "written"),
           _said("packing and the digest")),
    Target("a checkpoint of 4 GB read and checked", 5, " s", True,
           lambda of: CHECKPOINT_GB / of.rate("checkpoint", "read"),
           _said("unpacking and the digest, one after the other")),
    Target("start of a warm stage", 1, " s", True,
           lambda of: of.value("start_s"), _start_limit),
)  # fmt: skip


def markdown(found: dict[str, Any]) -> str:
    """A row for each target: wanted, measured, met or what limits it."""
    of = Measured(found)
    text = ["| target | wanted | measured | met | limit |", "|---|---|---|---|---|"]
    for t in TARGETS:
        wanted = f"{'≤' if t.most else '≥'} {short(t.bound)}{t.unit}"
        try:
            value = t.found(of)
            met = value <= t.bound if t.most else value >= t.bound
            cells = [f"{short(value)}{t.unit}", "yes" if met else "**no**", t.limit(of)]
        except MissingError as missing:
            cells = ["not measured", "", f"no line of {missing}"]
        text.append(f"| {t.what} | {wanted} | {' | '.join(cells)} |")
    return "\n".join(text) + "\n"
