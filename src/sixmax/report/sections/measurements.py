"""Measurements that have no section of their own: an estimate a row."""

from typing import Any, NamedTuple

from sixmax.report.gather import Inputs

TITLE = "More measurements"


class MeasuredRow(NamedTuple):
    """One estimate."""

    title: str
    name: str
    mean: float
    low: float
    high: float
    unit: str


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where there are none."""
    rows = [
        MeasuredRow(record["title"], name, row["mean"], *row["interval"], record["unit"])
        for record in inputs.measurements
        for name, row in record["estimates"].items()
    ]
    return {"rows": rows} if rows else None
