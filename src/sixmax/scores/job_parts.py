"""Measurements of numbered hands that several jobs share, and the time that each took.

A part says which hands it has: ``of``, a list of [seed, first hand, that after the last].
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import say
from sixmax.scores.statistics import LEVEL, Sums, interval, one_tailed
from sixmax.store.records import Form, RecordKind, read, write


class _CostForm(Form):
    seconds: float
    threads: int


COST = RecordKind("the cost of a search", "sixmax gain", _CostForm)  # beside its result
Part = tuple[Path, dict[str, Any]]


def cost_file(result: Path) -> Path:
    """The file with the time that ``result`` took: kept apart because it differs every time."""
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

    A hand, or deal, is a function of the seed and its number alone: the whole is the same to the
    last bit, however many jobs measured it. Raises UserError for files of another kind, for parts
    that differ in a key of ``alike``, and for hands that count twice.
    """
    parts = sorted(
        ((path, read(path, kind.record)) for path in paths), key=lambda part: part[1]["of"]
    )
    _refuse_different(parts, kind)
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


def finish(kind: PartKind, record: dict[str, Any], out: Path, seconds: float, threads: int) -> None:
    """Tell ``record`` line by line, and write it to ``out`` with its cost beside it."""
    for line in kind.lines(record, seconds):
        say(line)
    keep(out, record, seconds, threads, kind.record)


def _joined(values: list[Any]) -> Any:
    """Lists one after another, also of every name in dictionaries."""
    if isinstance(values[0], dict):
        return {name: _joined([value[name] for value in values]) for name in values[0]}
    return [item for value in values for item in value]


def figure(sums: Sums) -> dict[str, Any]:
    """Mean, error and interval of ``sums``, as records keep them."""
    return {
        "mean": sums.mean,
        "standard_error": sums.standard_error,
        "level": LEVEL,
        "interval": list(interval(sums)),
        "p_one_tailed": one_tailed(sums),
    }


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


def _refuse_different(parts: Sequence[Part], kind: PartKind) -> None:
    first, expected = parts[0]
    for path, record in parts[1:]:
        for key in kind.alike:
            if record.get(key) != expected.get(key):
                raise UserError(
                    f"measurements of different protocols cannot be put together: {key} is "
                    f"{expected.get(key)!r} in {first}, {record.get(key)!r} in {path}"
                )


def _refuse_twice(parts: Sequence[Part]) -> None:
    seen: dict[int, tuple[int, Path]] = {}
    runs = sorted((*run, path) for path, record in parts for run in record["of"])
    for seed, begin, end, path in runs:
        reached, before = seen.get(seed, (begin, path))
        if begin < reached:
            raise UserError(f"hand {begin} of seed {seed} is in {before} and in {path}: name one")
        seen[seed] = end, path
