"""The stage ``gains``: merge the gain of search that several jobs measured.

The hands of a seed are numbered, and each is a function of the seed and its number alone: the whole
is the same to the last bit, however many jobs measure it. Hands of several seeds can be merged too;
measurements of different protocols cannot.
"""

from typing import Any

import numpy as np

from sixmax.base import options
from sixmax.base.progress import say
from sixmax.base.stage import stage
from sixmax.evaluation.search_gain.records import GAIN
from sixmax.scores.job_parts import cost_of, figure, keep, read_parts, together
from sixmax.scores.statistics import Sums

_ALIKE = ("protocol", "design", "deals", "setting", "config", "unit", "flops")  # equal in all parts
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


def announce(record: dict[str, Any], seconds: float) -> None:
    """Print a line for each row of a gain; its searches took ``seconds``."""
    each = seconds / max(record["searches"], 1)
    for name, row in record["gain"].items():
        say(
            f"gain of search, {name}: {told(row)}; {record['hands']:,} hands, "
            f"{record['searches']:,} searches of {each:.2f} s"
        )
    for name, row in record["more"].items():
        say(f"the last iterate less the average, {name}: {told(row)}, the same hands")


def told(row: dict[str, Any]) -> str:
    """A figure in words, with its interval where it has one."""
    words = f"{row['mean']:+.2f} mbb/game"
    if "interval" not in row:
        return words
    low, high = row["interval"]
    return f"{words}, 95 % interval {low:+.2f} to {high:+.2f}"


@stage
def pool(parts: options.Files, out: options.Out) -> None:
    """Merge gains of search that several jobs measured.

    Parts share a protocol. Their hands are of one seed, shared by several jobs, or of several
    seeds.

    \b
    sixmax stage gains gain-0.json gain-100.json --out gain.json

    Raises UserError for other files, different protocols, and hands that count twice.
    """
    gains = read_parts(parts, GAIN, _ALIKE, "gains")
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
    whole |= together(records, ("hands", "searches"))
    seconds, threads = cost_of(gains)
    announce(whole, seconds)
    keep(out, whole, seconds, threads, GAIN)
