"""The record of the stage ``measure``."""

from typing import Any

from sixmax.store.records import Form, RecordKind


class _CurveForm(Form):
    game: str
    seats: int
    method: str
    settings: dict[str, Any]
    size: dict[str, int]
    uniform: dict[str, float]
    iterations: list[int]
    runs: list[dict[str, list[float]]]


CURVE = RecordKind("a curve of a small game", "sixmax measure", _CurveForm)
