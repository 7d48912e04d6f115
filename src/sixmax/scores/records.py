"""The parts that records of measurements share."""

from typing import Any

from sixmax.store.records import Form


class TermsForm(Form):
    """The conditions of a measurement; other games are kept apart by their digests."""

    game: str


class FigureForm(Form):
    """An estimate."""

    mean: float
    standard_error: float
    level: float
    interval: tuple[float, float]


class MeasuredForm(Form):
    """A measurement by :mod:`sixmax.scores.measured`, as a report tells it."""

    title: str
    unit: str
    game: str
    estimates: dict[str, FigureForm]


class PlayedForm(FigureForm):
    """An estimate, and how much was played for it."""

    deals: int
    hands: int


class RowForm(PlayedForm):
    """A match as tables show it."""

    a: str
    b: str


class PartForm(Form):
    """A measurement that several jobs may share."""

    setting: str
    config: Any
    unit: str
    of: list[tuple[int, int, int]]  # seed, first hand or deal, and that after the last
    won: dict[str, list[float]]
    hands: int
    searches: int
