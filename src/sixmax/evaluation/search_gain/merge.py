"""The stage ``gains``: merge the gain of search that several jobs measured.

The hands of a seed are numbered, and each is a function of the seed and its number alone: the whole
is the same to the last bit, however many jobs measure it. Hands of several seeds can be merged too;
measurements of different protocols cannot.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation.scores.statistics import LEVEL, Sums, interval, one_tailed
from sixmax.files import write_json
from sixmax.progress import say
from sixmax.stage import stage
from sixmax.store.records import Form, Kind, read

_ALIKE = ("protocol", "design", "deals", "setting", "config", "unit", "flops")  # equal in all parts


_ROWS = {"won": "gain", "won_more": "more"}  # by hand, and their figures


class _GainForm(Form):
    protocol: Any
    design: Any
    deals: Any
    setting: Any
    config: Any
    unit: Any
    of: list[tuple[int, int, int]]  # seed, first hand, and that after the last
    won: dict[str, list[float]]
    won_more: dict[str, list[float]]
    hands: int
    searches: int


class _CostForm(Form):
    seconds: float
    threads: int


GAIN = Kind("a gain of search", "sixmax gain", _GainForm)
COST = Kind("the cost of a search", "sixmax gain", _CostForm)  # beside its result


def cost_file(result: Path) -> Path:
    """The file with the time that ``result`` took: kept apart because it differs every time."""
    return result.with_name(f"{result.stem}_cost.json")


def keep(out: Path, record: dict[str, Any], seconds: float, threads: int) -> None:
    """Write ``record`` to ``out``, and its cost beside it."""
    write_json(cost_file(out), {"seconds": seconds, "threads": threads})
    write_json(out, record)


def results(won: dict[str, dict[str, Any]], flop: list[int] | None = None) -> dict[str, Any]:
    """``gain`` and ``more``: mean, error and interval of each row; and the rows themselves.

    ``won``, the gain, and ``won_more``, that of the last iterate less the average, have rows by
    name, float64[hands] in mbb/game. Where hands are on given flops alone, ``flop`` is that of
    each, and the flops are the samples.
    """
    rows = {key: {name: np.asarray(row) for name, row in won[key].items()} for key in _ROWS}
    figures = {
        to: {name: _figure(row, flop) for name, row in rows[key].items()}
        for key, to in _ROWS.items()
    }
    return figures | {key: {n: row.tolist() for n, row in rows[key].items()} for key in _ROWS}


def _figure(values: np.ndarray, flop: list[int] | None) -> dict[str, Any]:
    sums = Sums.of(values if flop is None else by_flop(values, flop))
    return {
        "mean": sums.mean,
        "standard_error": sums.standard_error,
        "level": LEVEL,
        "interval": list(interval(sums)),
        "p_one_tailed": one_tailed(sums),
    }


def by_flop(values: np.ndarray, flop: list[int]) -> np.ndarray:
    """A sample for each flop, with the mean of ``values`` float64[hands] as their mean.

    The mean is a ratio, of the sums of flops and of their hands; the deviations are those of a
    ratio (linearised), as hands on a flop are not independent of each other.
    """
    _, of = np.unique(flop, return_inverse=True)
    mean, flops = values.mean(), of.max() + 1
    return mean + np.bincount(of, values - mean) * flops / len(values)


def announce(record: dict[str, Any], seconds: float) -> None:
    """Print a line for each row of a gain; its searches took ``seconds``."""
    each = seconds / max(record["searches"], 1)
    for name, row in record["gain"].items():
        say(
            f"gain of search, {name}: {_told(row)}; {record['hands']:,} hands, "
            f"{record['searches']:,} searches of {each:.2f} s"
        )
    for name, row in record["more"].items():
        say(f"the last iterate less the average, {name}: {_told(row)}, the same hands")


def _told(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{row['mean']:+.2f} mbb/game, 95 % interval {low:+.2f} to {high:+.2f}"


@stage
def pool(parts: list[Path], out: Path) -> None:
    """Stage ``gains``: write to ``out`` the gain over the hands of all ``parts``, and its cost.

    Raises UserError for other files, different protocols, and hands that count twice.
    """
    gains = sorted((_read(path) for path in parts), key=lambda gain: gain[1]["of"])
    _refuse_different(gains)
    _refuse_twice(gains)
    records = [record for _, record in gains]
    won = {
        key: {
            name: [value for record in records for value in record[key][name]]
            for name in records[0][key]
        }
        for key in _ROWS
    }
    flop = [f for record in records for f in record.get("flop", ())] or None
    whole = records[0] | results(won, flop) | ({"flop": flop} if flop else {})
    whole |= {key: sum(record[key] for record in records) for key in ("hands", "searches")}
    whole["of"] = [run for record in records for run in record["of"]]
    costs = [_cost(path) for path, _ in gains]
    seconds = sum(cost["seconds"] for cost in costs)
    threads = max(cost["threads"] for cost in costs)
    announce(whole, seconds)
    keep(out, whole, seconds, threads)


def _read(path: Path) -> tuple[Path, dict[str, Any]]:
    """A gain, with its hands in the order in which they are numbered."""
    return path, read(path, GAIN)


def _refuse_different(gains: list[tuple[Path, dict[str, Any]]]) -> None:
    first, expected = gains[0]
    for path, record in gains[1:]:
        for key in _ALIKE:
            if record.get(key) != expected.get(key):
                raise UserError(
                    f"gains of different protocols cannot be put together: {key} is "
                    f"{expected.get(key)!r} in {first}, {record.get(key)!r} in {path}"
                )


def _refuse_twice(gains: list[tuple[Path, dict[str, Any]]]) -> None:
    seen: dict[int, tuple[int, Path]] = {}
    runs = sorted((*run, path) for path, record in gains for run in record["of"])
    for seed, begin, end, path in runs:
        reached, before = seen.get(seed, (begin, path))
        if begin < reached:
            raise UserError(f"hand {begin} of seed {seed} is in {before} and in {path}: name one")
        seen[seed] = end, path


def _cost(path: Path) -> dict[str, Any]:
    cost = read(cost_file(path), COST)
    return {"seconds": float(cost["seconds"]), "threads": int(cost["threads"])}
