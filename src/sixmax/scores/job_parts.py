"""Records of measurements of numbered hands, which several jobs may share, and their time."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.scores.statistics import LEVEL, refuse_different
from sixmax.store.records import Form, RecordKind, read, write


class TermsForm(Form):
    """The conditions of a measurement; other games are kept apart by their digests."""

    game: str


class FigureForm(Form):
    """An estimate (:func:`sixmax.scores.statistics.figure`)."""

    mean: float
    standard_error: float
    level: float
    interval: tuple[float, float]


class PlayedForm(FigureForm):
    """An estimate, and how much was played for it."""

    deals: int
    hands: int


class RowForm(PlayedForm):
    """A match as tables show it."""

    a: str
    b: str


class PartForm(Form):
    """A part of a measurement."""

    setting: str
    config: Any
    unit: str
    of: list[tuple[int, int, int]]  # seed, first hand or deal, and that after the last
    won: dict[str, list[float]]
    hands: int
    searches: int


class _CostForm(Form):
    seconds: float
    threads: int


COST = RecordKind("the cost of a search", "sixmax gain", _CostForm)  # beside its result


def cost_file(result: Path) -> Path:
    """The file with the time that ``result`` took: apart, because it differs every time."""
    return result.with_name(f"{result.stem}_cost.json")


def keep(out: Path, record: dict[str, Any], seconds: float, threads: int, kind: RecordKind) -> None:
    """Write ``record``, of the given ``kind``, to ``out``, and its cost beside it."""
    write(cost_file(out), COST, {"seconds": seconds, "threads": threads})
    write(out, kind, record)


class PartKind(NamedTuple):
    """A measurement that several jobs share: its record, and how parts of it become one."""

    record: RecordKind
    alike: tuple[str, ...]  # keys that are equal in all parts
    joined: tuple[str, ...]  # lists, or lists by name, that follow one another
    added: tuple[str, ...]  # counts
    derived: Callable[[dict[str, Any]], dict[str, Any]]  # of the whole: its figures
    lines: Callable[[dict[str, Any], float], list[str]]  # of a record and its seconds


def pooled(kind: PartKind, paths: Sequence[Path], out: Path) -> None:
    """Write to ``out`` the whole of the parts in ``paths``, and its cost beside it.

    The whole is the same to the last bit, however many jobs measured it, since a hand is a function
    of the seed and its number. Raises UserError for files of another kind, parts that differ in a
    key of ``alike``, and hands that count twice.
    """
    parts = sorted(
        ((path, read(path, kind.record)) for path in paths), key=lambda part: part[1]["of"]
    )
    refuse_different(parts, kind.alike)
    _refuse_twice(parts)
    records = [record for _, record in parts]
    whole = dict(records[0])
    joined = [key for key in ("of", *kind.joined) if key in whole]
    whole |= {key: _joined([record[key] for record in records]) for key in joined}
    whole |= {key: sum(record[key] for record in records) for key in kind.added}
    whole |= kind.derived(whole)
    costs = [read(cost_file(path), COST) for path, _ in parts]
    seconds = sum(float(cost["seconds"]) for cost in costs)
    finish(kind, whole, out, seconds, max(int(cost["threads"]) for cost in costs))


def finish(
    kind: PartKind, record: dict[str, Any], out: Path | None, seconds: float, threads: int
) -> None:
    """Tell ``record`` line by line, and write it to ``out``, if any, with its cost beside it."""
    for line in kind.lines(record, seconds):
        say(line)
    if out is not None:
        keep(out, record, seconds, threads, kind.record)


def _joined(values: list[Any]) -> Any:
    """Lists one after another, also of every name in dictionaries.

    Raises UserError for parts with other names, as an older version of sixmax writes.
    """
    if isinstance(values[0], dict):
        for value in values:
            if value.keys() != values[0].keys():
                rows = f"{', '.join(values[0])} and {', '.join(value)}"
                raise UserError(f"found parts with the rows {rows}: wanted the same rows in all")
        return {name: _joined([value[name] for value in values]) for name in values[0]}
    return [item for value in values for item in value]


def controlled(values: np.ndarray, beside: np.ndarray, known: np.ndarray) -> dict[str, Any] | None:
    """The mean of ``values`` float64[n] with ``beside`` float64[n] as a control variate.

    ``known`` float64[N] are samples of the law of ``beside`` from other deals. The factor of the
    control is that of least squares; the interval is Student's t of n − 2 degrees of freedom, and
    the error of the mean of ``known`` is in it. None where there is too little to tell.
    """
    from sixmax.scores.distributions import stdtrit

    n = len(values)
    if n < 4 or len(known) < 2 or np.ptp(beside) == 0.0:
        return None
    factor = float(np.cov(values, beside)[0, 1] / beside.var(ddof=1))
    mean = float(values.mean() - factor * (beside.mean() - known.mean()))
    left = float((values - factor * beside).var(ddof=1)) * (n - 1) / (n - 2)
    error = math.sqrt(left / n + factor**2 * float(known.var(ddof=1)) / len(known))
    half = float(stdtrit(n - 2, (1 + LEVEL) / 2)) * error
    return {
        "mean": mean, "standard_error": error, "level": LEVEL,
        "interval": [mean - half, mean + half],
        "factor": factor, "deviation": math.sqrt(left), "known": len(known),
    }  # fmt: skip


def _refuse_twice(parts: Sequence[tuple[Path, dict[str, Any]]]) -> None:
    seen: dict[int, tuple[int, Path]] = {}
    runs = sorted((*run, path) for path, record in parts for run in record["of"])
    for seed, begin, end, path in runs:
        reached, before = seen.get(seed, (begin, path))
        if begin < reached:
            raise UserError(f"hand {begin} of seed {seed} is in {before} and in {path}: name one")
        seen[seed] = end, path
