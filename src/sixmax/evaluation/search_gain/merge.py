"""The figures of a gain of search, and how parts of it become one."""

from typing import Any

import numpy as np

from sixmax.evaluation.records import GAIN
from sixmax.scores.job_parts import PartKind
from sixmax.scores.statistics import Sums, figure, told

_ROWS = {"won": "gain", "won_more": "more"}  # by hand, and their figures


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
    return figure(Sums.of(values if flop is None else by_flop(values, flop)))


def by_flop(values: np.ndarray, flop: list[int]) -> np.ndarray:
    """Samples float64[flops], one a flop, with the mean of ``values`` float64[hands].

    The mean is a ratio, of the sums of flops and of their hands; the deviations are those of a
    ratio (linearised), as hands on a flop are not independent of each other.
    """
    _, of = np.unique(flop, return_inverse=True)
    mean, flops = values.mean(), of.max() + 1
    return mean + np.bincount(of, values - mean) * flops / len(values)


def lines(record: dict[str, Any], seconds: float) -> list[str]:
    """A line for each row of a gain; its searches took ``seconds``."""
    each = seconds / max(record["searches"], 1)
    hands, searches = f"{record['hands']:,} hands", f"{record['searches']:,} searches"
    gains = [
        f"gain of search, {name}: {told(row)}; {hands}, {searches} of {each:.2f} s"
        for name, row in record["gain"].items()
    ]
    more = record["more"].items()
    return gains + [
        f"the last iterate less the average, {name}: {told(row)}, the same hands"
        for name, row in more
    ]


PARTS = PartKind(
    GAIN,
    alike=("protocol", "design", "deals", "setting", "config", "unit", "flops"),
    joined=("won", "won_more", "flop"),
    added=("hands", "searches"),
    derived=lambda record: results(record, record.get("flop")),
    lines=lines,
)
