"""The records of the stages ``gain``, ``gains`` and ``duel``."""

from typing import Any

from sixmax.evaluation.scores.records import FigureForm, RowForm, TermsForm
from sixmax.store.records import Form, RecordKind


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
    gain: dict[str, FigureForm]
    hands: int
    searches: int


class _WholeGainForm(_GainForm):
    first: int  # round from which all is searched


class _DuelForm(RowForm):
    protocol: TermsForm
    setting: str
    config: Any


GAIN = RecordKind("a gain of search", "sixmax gain", _GainForm)
WHOLE_GAIN = RecordKind("a gain of search in whole hands", "sixmax gain", _WholeGainForm)
DUEL = RecordKind("a duel of search with its blueprint", "sixmax duel", _DuelForm)
