"""Estimates with their intervals on one scale, as rows of the page that fit any screen.

A row has the name, the interval on a track, and both numbers in words. Places on the track are
percent of its width.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sixmax.report import words

_TICKS = 6  # at most, on a linear scale


def forest(
    title: str, unit: str, rows: Sequence[Mapping[str, Any]], linear: float | None = None
) -> dict[str, Any]:
    """Values of forest.html.j2: the ``rows`` on a scale that shows them all, and zero.

    A row has a ``name``, ``mean`` and ``interval``; it may have a ``beside``, the value of an open
    mark, a ``tip`` with more in words, and a ``link``. The scale is linear, or where ``linear`` is
    given linear within ± that number and logarithmic beyond it.
    """
    if linear:
        unit += f" (linear within ±{linear:g}, logarithmic beyond)"
    values = [value for row in rows for value in (*row["interval"], row["mean"], row.get("beside"))]
    finite = [v for v in values if v is not None and math.isfinite(v)]
    low, high = min(0.0, *finite, 0.0), max(0.0, *finite, 0.0)
    marks = _powers(low, high, linear) if linear else _even(low, high)
    first, last = (_warp(v, linear) for v in (min(low, marks[0]), max(high, marks[-1])))

    def place(value: float) -> float:
        at = (_warp(value, linear) - first) / ((last - first) or 1.0)
        return round(100 * min(max(at, 0.0), 1.0), 2)

    drawn = [
        {
            "name": row["name"], "interval": row["interval"], "mean": place(row["mean"]),
            "low": place(row["interval"][0]), "high": place(row["interval"][1]),
            "beside": None if row.get("beside") is None else place(row["beside"]),
            "text": f"{words.signed(row['mean'])} [{words.between(row['interval'])}]",
            "tip": row.get("tip", ""), "link": row.get("link", ""),
        }
        for row in rows
    ]  # fmt: skip
    ticks = [(place(m), _mark(m, _digits(marks))) for m in marks]
    return {"title": title, "unit": unit, "rows": drawn, "ticks": ticks, "zero": place(0.0)}


def tip(row: Mapping[str, Any], *more: str) -> str:
    """The figures of ``row`` beside its mean and interval, in words, and ``more``."""
    error = f"SE {row['standard_error']:.1f}"
    if row.get("p_one_tailed") is not None:
        error += f", one-tailed {words.p_value(row['p_one_tailed'])}"
    counted = [f"{words.count(row[name])} {name}" for name in ("deals", "hands") if name in row]
    return "; ".join(filter(None, [error, ", ".join(counted), *more]))


def _warp(value: float, linear: float | None) -> float:
    """The place of ``value`` on the scale, in decades beyond ``linear``."""
    if not linear or not math.isfinite(value):
        return value
    size = abs(value) / linear
    return math.copysign(0.7 * size if size <= 1 else 0.7 + math.log10(size), value)


def _powers(low: float, high: float, linear: float) -> list[float]:
    """Zero and the powers of ten of ``linear`` to the first beyond each end that needs one."""

    def out_to(end: float) -> list[float]:
        if end <= linear / 10:
            return []
        return [linear * 10**k for k in range(max(0, math.ceil(math.log10(end / linear))) + 1)]

    return [*(-m for m in reversed(out_to(-low))), 0.0, *out_to(max(high, linear))]


def _even(low: float, high: float) -> list[float]:
    """Round numbers at even steps, the first at most ``low`` and the last at least ``high``."""
    span = (high - low) or 1.0
    power = 10 ** math.floor(math.log10(span))
    steps = (power * k for k in (0.2, 0.5, 1.0, 2.0, 5.0))
    step = next((s for s in steps if _count(low, high, s) <= _TICKS), 10 * power)
    begin = math.floor(low / step + 1e-9)
    return [step * (begin + i) for i in range(_count(low, high, step))]


def _count(low: float, high: float, step: float) -> int:
    return math.ceil(high / step - 1e-9) - math.floor(low / step + 1e-9) + 1


def _mark(value: float, digits: int) -> str:
    """A tick in few letters: +50, +10k."""
    if abs(value) < 1000:
        return words.signed(value, digits) if value else "0"
    return f"{value / 1000:+g}k".replace("-", words.MINUS)


def _digits(marks: Sequence[float]) -> int:
    """Decimals that tell the marks apart."""
    step = min((abs(b - a) for a, b in itertools.pairwise(marks)), default=1.0)
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step < 1 else 0
