"""The record of a measurement as a pyperf suite, as a table, by targets, published.

A line is a benchmark of pyperf, whose values are seconds a unit; everything else is its metadata.
So `python -m pyperf compare_to` and its other commands read a record.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyperf

from benchmarks.abstraction import ABOVE
from benchmarks.measure import QUIET, Line, said, short
from benchmarks.start import START
from benchmarks.training import GAIN, SIX
from sixmax.base.errors import UserError
from sixmax.base.files import write_text

ROOT = Path(__file__).parents[1]
PUBLISHED, NOTEBOOK = Path("benchmarks/table.json"), Path("docs/notebook/performance")
SLOWER = 1.25  # times the seconds a unit: more is called a slowdown


def save(path: Path, lines: list[Line]) -> None:
    """Write ``lines`` as a suite of pyperf; a line's own unit is its metadata ``of``."""
    suite = []
    for line in lines:
        about = line._asdict() | {"facts": json.dumps(line.facts), "waits": int(line.waits)}
        about |= {"name": line.name, "of": line.unit, "unit": "second"}
        turns = zip(about.pop("clock"), about.pop("processor"), strict=True)
        about = {name: x for name, x in about.items() if x not in (None, "")}
        suite.append(pyperf.Benchmark([
            pyperf.Run([clock], metadata=about | {"processor": spent}, collect_metadata=False)
            for clock, spent in turns
        ]))  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    pyperf.BenchmarkSuite(suite).dump(str(path), replace=True)


def load(path: Path) -> list[Line]:
    """The lines of a record on disk; none where there is no such file."""
    lines: list[Line] = []
    for benchmark in pyperf.BenchmarkSuite.load(str(path)) if path.exists() else ():
        about = benchmark.get_metadata()
        about |= {"unit": about["of"], "waits": bool(about["waits"])}
        about |= {"facts": json.loads(about["facts"]), "clock": list(benchmark.get_values())}
        about["processor"] = [run.get_metadata()["processor"] for run in benchmark.get_runs()]
        lines.append(Line(**{name: x for name, x in about.items() if name in Line._fields}))
    return lines


def merged(new: list[Line], old: list[Line]) -> list[Line]:
    """``new``, and of ``old`` the groups that were not measured anew, in the order of ``old``."""
    groups = list(dict.fromkeys(line.group for line in [*old, *new]))
    anew = {line.group for line in new}
    return [x for g in groups for x in (new if g in anew else old) if x.group == g]


def slower(new: list[Line], old: list[Line]) -> list[str]:
    """The lines that take SLOWER times as long as before, on the same machine, where the threads
    had their processors: by the clock, of which a thread that idles or waits has its share."""
    before, sentences = {line.name: line for line in old}, []
    for line in new:
        was = before.get(line.name)
        if was is None or was.machine != line.machine:
            continue
        if line.free and was.free and was.median > SLOWER * line.median:
            sentences.append(f"{line.name} {short(line.median)}, before {short(was.median)}")
    return sentences


def markdown(lines: list[Line]) -> str:
    """All lines as a table; a group has a row of its own."""
    text = [f"{about(lines)}\n", "| what | median a second | spread | by processor second "
            "| processors had | one turn | beside it |", "|---" * 7 + "|"]  # fmt: skip
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            text.append(f"| **{group}** | | | | | | |")
        text.append(
            f"| {line.what}, {line.unit.removesuffix('/s')} | {short(line.median)} "
            f"| {line.spread} | {short(line.by_processor)} | {line.had:.2f} of {line.threads} "
            f"| {short(line.turn_s)} s | {said(line.facts)} |"
        )
    return "\n".join(text)


def about(lines: list[Line]) -> str:
    """The days, machines and versions of ``lines``, and the processors that others had."""
    origins = dict.fromkeys(f"{x.when}, {x.machine}; {x.versions}." for x in lines)
    busy = max((line.others or 0.0 for line in lines), default=0.0)
    return " ".join([*origins, f"Other programs had at most {busy:.2f} processors."])


def others(lines: list[Line]) -> float | None:
    """Processors that others had, on average over ``lines``; None where one is unknown."""
    if any(line.others is None for line in lines):
        return None
    took = [line.turn_s * len(line.clock) for line in lines]
    return float(np.average([line.others for line in lines], weights=took))


class Record:
    """Finds lines by the beginnings of group and name; remembers whether one was starved."""

    def __init__(self, lines: list[Line]):
        self._lines, self.starved = lines, False

    def line(self, group: str, label: str) -> Line:
        """Raises KeyError where it was not measured."""
        for x in self._lines:
            if x.group.startswith(group) and x.what.startswith(label):
                self.starved |= not x.free and (x.threads > 1 or x.waits)
                return x
        raise KeyError(f"{group}, {label}")

    def rate(self, group: str, label: str) -> float:
        """Units a second: of one thread that computes by processor seconds, else by the clock."""
        line = self.line(group, label)
        return line.by_processor if line.threads == 1 and not line.waits else line.median

    def ratio(self, group: str, label: str, other: str) -> float:
        """The rate of one line by that of another."""
        return self.rate(group, label) / self.rate(group, other)

    def fact(self, group: str, label: str, name: str) -> float:
        """The median of a fact."""
        value = self.line(group, label).facts[name]
        return value[1] if isinstance(value, list) else value


ROWS = {"flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}  # situations
KINDS = {"river, win": "river", "turn": "turn", "flop": "flop", "river, against": "river"}


def _features(of: Record) -> float:
    """Seconds of every kind of features of every situation."""
    return sum(ROWS[r] / of.rate("features", kind) for kind, r in KINDS.items())


def _clusters(of: Record) -> float:
    """Seconds of two runs of k-means and of the nearest centroid of every situation."""
    part = "clustering"
    learned = sum(2 * of.line(part, f"{name}, k-means").turn_s for name in ROWS)
    return learned + sum(n / of.rate(part, f"{name}, nearest") for name, n in ROWS.items())


GAME, YOUNG, FILLED = "external", f"{SIX}, young table", f"{SIX}, table filled"
OURS, THEIRS = "batches of 10, average", "OpenSpiel"
TARGETS: tuple[tuple[str, str, float, str, Callable[[Record], float]], ...] = (
    ("evaluator, a board enumerated, hands/s/core", "≥", 150e6, "",
     lambda of: of.rate("evaluator", "all holes")),
    ("a board enumerated against phevaluator's Python call a hand", "≥", 100, " x",
     lambda of: of.ratio("evaluator", "all holes", "phevaluator")),
    ("features of all three rounds, exhaustive", "≤", 120, " s", _features),
    ("clustering of all three rounds", "≤", 240, " s", _clusters),
    ("its objective above the best of 10 runs on a sample", "≤", 1, " %",
     lambda of: max(of.fact("clustering", f"{name}, k-means", ABOVE) for name in ROWS)),
    ("Leduc, one core, against OpenSpiel's iterations", "≥", 10, " x",
     lambda of: of.ratio(GAME, f"leduc, {OURS}", f"leduc, {THEIRS}")),
    ("Kuhn, one core, against OpenSpiel's iterations", "≥", 10, " x",
     lambda of: of.ratio(GAME, f"kuhn, {OURS}", f"kuhn, {THEIRS}")),
    ("six players, one core, first minute, decision nodes/s", "≥", 10e6, "",
     lambda of: of.rate("traversal", f"{YOUNG}, 1 core")),
    ("the same, table beyond the cache", "≥", 6e6, "",
     lambda of: of.rate("traversal", f"{FILLED}, 1 core")),
    ("two cores against one, first minute", "≥", 1.8, " x",
     lambda of: of.fact("traversal", f"{YOUNG}, 2 cores", GAIN)),
    ("two cores against one, table beyond the cache", "≥", 1.8, " x",
     lambda of: of.fact("traversal", f"{FILLED}, 2 cores", GAIN)),
    ("a checkpoint of 4 GB written", "≤", 10, " s",
     lambda of: 4 / of.rate("checkpoint", "written")),
    ("a checkpoint of 4 GB read and checked", "≤", 5, " s",
     lambda of: 4 / of.rate("checkpoint", "read")),
    ("start of a warm stage, beyond its own work", "≤", 1, " s",
     lambda of: max(of.fact("start", f"sixmax {job}", START) for job in ("tree", "train"))),
)  # fmt: skip


def targets(lines: list[Line]) -> str:
    """A row for each target.

    Where threads did not have their processors, a missed target is not judged, nor one of two
    cores.
    """
    text = ["| target | wanted | measured | met |", "|---|---|---|---|"]
    for target, sign, bound, unit, value_of in TARGETS:
        of = Record(lines)
        try:
            value = value_of(of)
            met = value >= bound if sign == "≥" else value <= bound
            judged = "yes" if met else "**no**"
            if of.starved and (not met or target.startswith("two cores")):
                judged = "not measurable: too few processors"
            cells = f"{short(value)}{unit} | {judged}"
        except KeyError as missing:
            cells = f"not measured: {missing.args[0]} | "
        text.append(f"| {target} | {sign} {short(bound)}{unit} | {cells} |")
    return "\n".join(text)


SHOWN = (  # the rows of the page of results, by the beginnings of group and name
    ("evaluator", "all holes"), ("features", "river, win"), ("clustering", "river, k-means"),
    ("betting tree", "six players"), (GAME, f"leduc, {OURS}"), (GAME, f"leduc, {THEIRS}"),
    ("traversal", "default, trained table, as configured, 1"),
    ("traversal", "default, trained table, as configured, 2"),
    ("match", "strategy against itself"), ("search: a flop", "two players"),
)  # fmt: skip


def main_lines(lines: list[Line]) -> str:
    """The table of the page of results: the lines of SHOWN that were measured."""
    text = ["| what | median a second | spread |", "|---|---|---|"]
    for group, label in SHOWN:
        for x in lines:
            if x.group.startswith(group) and x.what.startswith(label):
                unit = x.unit.removesuffix("/s")
                text.append(f"| {x.group}: {x.what}, {unit} | {short(x.median)} | {x.spread} |")
    return "\n".join(text)


PLACES = (  # a mark, its page, its text
    ("main", Path("docs/results/performance.md"), main_lines),
    ("table", NOTEBOOK / "every-stage.md", markdown),
    ("targets", NOTEBOOK / "targets.md", targets),
)


def publish(out: Path, root: Path = ROOT, busy: bool = False, worse: bool = False) -> list[Path]:
    """Put the record of ``out`` into the pages of the documents, and keep it; returns all paths.

    Raises UserError where nothing was measured, with settings other than the defaults, beside
    others that had processors (unless ``busy``), where a line has become slower than the published
    one (unless ``worse``), or where a mark is missing.
    """
    path = out / PUBLISHED.name
    if not (lines := load(path)):
        raise UserError(f"{path}: nothing measured there; run `make bench` first")
    if departures := sorted({x.departures for x in lines} - {""}):
        raise UserError(f"{path}: measured with {', '.join(departures)}; measure by the defaults")
    had = others(lines)
    if (had is None or had > QUIET) and not busy:
        number = "an unknown number of" if had is None else f"{had:.2f}"
        raise UserError(
            f"{path}: found others that had {number} processors on average, wanted at most "
            f"{QUIET}; measure when the machine is quiet, or add --busy"
        )
    if (lost := slower(lines, load(root / PUBLISHED))) and not worse:
        raise UserError(f"{path}: found slower than published: {'; '.join(lost)}; mend it, or add "
                        "--slower to compare with this record from now on")  # fmt: skip
    for name, page, part in PLACES:
        text = between_marks((root / page).read_text(), name, part(lines))
        write_text(root / page, text)
    save(root / PUBLISHED, lines)
    return [root / PUBLISHED, *(root / page for _, page, _ in PLACES)]


def between_marks(text: str, name: str, inside: str) -> str:
    """``text`` with the part between the marks of ``name`` replaced."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    pattern = re.escape(begin) + ".*?" + re.escape(end)
    if not re.search(pattern, text, re.DOTALL):
        raise UserError(f"a page: found no {begin.strip()}, wanted one before {end}")
    return re.sub(pattern, lambda match: f"{begin}{inside.strip()}\n{end}", text, flags=re.DOTALL)
