"""The record of the stage ``ranges``."""

from sixmax.store.records import Form, RecordKind


class _SpotForm(Form):
    seat: str
    against: str | None
    actions: str
    options: list[str]
    total: list[float]
    trained: float
    reach: list[float]  # by hand class
    classes: list[list[float]]


class _RangesForm(Form):
    ranks: int | None
    first_in: list[_SpotForm]
    facing_raise: list[_SpotForm]
    facing_three_bet: list[_SpotForm]


RANGES = RecordKind("the ranges before the flop", "sixmax ranges", _RangesForm)
