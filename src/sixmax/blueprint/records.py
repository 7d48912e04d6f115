"""The records that training leaves beside its stores."""

from sixmax.store.records import Form, RecordKind


class _IntervalForm(Form):
    interval: int
    iterations: int
    nodes: int
    pruned: int
    touched: list[float]  # by round


class _MadeForm(Form):
    date: str
    commit: str


INTERVAL = RecordKind("the record of an interval", "sixmax stage train", _IntervalForm)
MADE = RecordKind("date and commit of a strategy", "sixmax stage average", _MadeForm)
