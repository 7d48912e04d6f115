"""The records of the stages ``gain``, ``gains``, ``duel`` and ``chooser``."""

from typing import Any

from sixmax.scores.records import FigureForm, PartForm, RowForm, TermsForm
from sixmax.store.records import Form, RecordKind


class _GainForm(PartForm):
    protocol: Any
    design: Any
    deals: Any
    won_more: dict[str, list[float]]
    gain: dict[str, FigureForm]


class _WholeGainForm(_GainForm):
    first: int  # round from which all is searched


class _ChooserForm(Form):
    wins: dict[str, Any]  # an estimate each; before the flop its mean alone
    won: dict[str, list[float]]


class _DuelForm(RowForm):
    protocol: TermsForm
    setting: str
    config: Any


GAIN = RecordKind("a gain of search", "sixmax gain", _GainForm)
WHOLE_GAIN = RecordKind("a gain of search in whole hands", "sixmax gain", _WholeGainForm)
DUEL = RecordKind("a duel of search with its blueprint", "sixmax duel", _DuelForm)
CHOOSER = RecordKind("the win of an opponent who chooses", "sixmax chooser", _ChooserForm)
