"""The stage ``gains``: what search wins, measured in several jobs, put together.

The hands of a seed are numbered, and each is a function of the seed and its number alone: in how
many jobs they are measured, the whole is the same to the last bit. Hands of several seeds may be
put together too; what was measured in another way may not.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation.scores.statistics import LEVEL, Sums, interval, one_tailed
from sixmax.files import write_json
from sixmax.progress import say

_ALIKE = ("protocol", "design", "deals", "setting", "config", "unit")  # of all that is pooled
_KEYS = {*_ALIKE, "of", "won", "hands", "searches"}


def cost_file(result: Path) -> Path:
    """Where the time lies that the search of ``result`` took: apart, as it differs every time."""
    return result.with_name(f"{result.stem}_cost.json")


def keep(out: Path, record: dict[str, Any], seconds: float, threads: int) -> None:
    """Write ``record`` to ``out`` and what it took beside it."""
    write_json(cost_file(out), {"seconds": seconds, "threads": threads})
    write_json(out, record)


def figures(won: dict[str, np.ndarray]) -> dict[str, Any]:
    """Mean, error and interval of each row of ``won``, float64[hands] in mbb/game."""
    return {name: _figure(values) for name, values in won.items()}


def _figure(values: np.ndarray) -> dict[str, Any]:
    sums = Sums.of(values)
    return {
        "mean": sums.mean,
        "standard_error": sums.standard_error,
        "level": LEVEL,
        "interval": list(interval(sums)),
        "p_one_tailed": one_tailed(sums),
    }


def tell(record: dict[str, Any], seconds: float) -> None:
    """A line for each row of a gain whose searches took so many seconds."""
    each = seconds / max(record["searches"], 1)
    for name, row in record["gain"].items():
        low, high = row["interval"]
        say(
            f"gain of search, {name}: {row['mean']:+.2f} mbb/game, 95 % interval {low:+.2f} to "
            f"{high:+.2f}; {record['hands']:,} hands, {record['searches']:,} searches of "
            f"{each:.2f} s"
        )


def pool(parts: list[Path], out: Path) -> None:
    """Stage ``gains``: write to ``out`` the gain over the hands of all ``parts``, and its cost.

    Raises UserError for what is no gain, was measured in different ways, or counts a hand twice.
    """
    found = sorted((_read(path) for path in parts), key=lambda one: one[1]["of"])
    _refuse_different(found)
    _refuse_twice(found)
    records = [record for _, record in found]
    won = {
        name: [value for record in records for value in record["won"][name]]
        for name in records[0]["won"]
    }
    whole = records[0] | {
        "of": [run for record in records for run in record["of"]],
        "hands": sum(record["hands"] for record in records),
        "searches": sum(record["searches"] for record in records),
        "won": won,
        "gain": figures({name: np.array(values) for name, values in won.items()}),
    }
    costs = [_cost(path) for path, _ in found]
    seconds = sum(cost["seconds"] for cost in costs)
    threads = max(cost["threads"] for cost in costs)
    tell(whole, seconds)
    keep(out, whole, seconds, threads)


def _read(path: Path) -> tuple[Path, dict[str, Any]]:
    """A gain, with its hands in the order in which they are numbered."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        lacking = _KEYS - record.keys()
    except (ValueError, AttributeError):
        raise UserError(f"{path}: not a gain of search; `sixmax gain` writes one") from None
    if lacking:
        raise UserError(
            f"{path}: not a gain of search (it has no {min(lacking)!r}); `sixmax gain` writes one"
        )
    return path, record


def _refuse_different(found: list[tuple[Path, dict[str, Any]]]) -> None:
    first, expected = found[0]
    for path, record in found[1:]:
        for key in _ALIKE:
            if record[key] != expected[key]:
                raise UserError(
                    f"gains of different protocols cannot be put together: {key} is "
                    f"{expected[key]!r} in {first}, {record[key]!r} in {path}"
                )


def _refuse_twice(found: list[tuple[Path, dict[str, Any]]]) -> None:
    seen: dict[int, tuple[int, Path]] = {}
    runs = sorted((*run, path) for path, record in found for run in record["of"])
    for seed, begin, end, path in runs:
        reached, before = seen.get(seed, (begin, path))
        if begin < reached:
            raise UserError(f"hand {begin} of seed {seed} is in {before} and in {path}: name one")
        seen[seed] = end, path


def _cost(path: Path) -> dict[str, Any]:
    try:
        cost = json.loads(cost_file(path).read_text(encoding="utf-8"))
        return {"seconds": float(cost["seconds"]), "threads": int(cost["threads"])}
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(
            f"{cost_file(path)}: no cost of a search; `sixmax gain` writes it beside its result"
        ) from None
