"""The records of measurements: the keys that a table, a page or another stage reads of them."""

from typing import Any

from sixmax.blueprint.run import Run
from sixmax.scores.job_parts import FigureForm, PartForm, PlayedForm, RowForm, TermsForm
from sixmax.scores.statistics import Protocol
from sixmax.store.records import Form, RecordKind


def terms(run: Run, design: str, payoff: str, sample: str) -> Protocol:
    """The protocol of a measurement on ``run``."""
    return Protocol(design, payoff, sample, run.game.seats, run.big_blind, run.game_digest)


class _SnapshotForm(PlayedForm):
    after_interval: int


class _OverTrainingForm(Form):
    opponent: str
    snapshots: list[_SnapshotForm]


class _MatchesForm(Form):
    protocol: TermsForm
    matches: list[RowForm]
    over_training: _OverTrainingForm


MATCHES = RecordKind("a table of matches", "sixmax stage matches", _MatchesForm)


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


class _FirstInForm(Form):
    agent: str
    ranks: int | None
    first_in: list[dict[str, Any]]
    totals: dict[str, Any]


class _PluribusForm(Form):
    random_share: float
    hands: int
    decisions: int
    first_in: dict[str, Any]
    later: list[dict[str, Any]]
    sizes: list[dict[str, Any]]
    donk: dict[str, Any]
    totals: dict[str, Any]
    self_play_hands: int


FIRST_IN = RecordKind("play before the flop", "sixmax compare", _FirstInForm)
PLURIBUS = RecordKind("scores beside Pluribus", "sixmax pluribus", _PluribusForm)


class _GainForm(PartForm):
    protocol: Any
    design: Any
    deals: Any
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


class _BoundForm(RowForm):
    protocol: TermsForm


class _BoundsForm(Form):
    bounds: list[_BoundForm]


class _SearchBoundForm(PartForm):
    a: str
    protocol: TermsForm
    known_each: int
    known: list[float]
    deals: int
    figures: dict[str, FigureForm | None]


class _SeatForm(Form):
    name: str
    value: float
    gain: float


class _NashConvForm(Form):
    nash_conv: float
    seats: list[_SeatForm]


class _ResponseForm(_NashConvForm):
    agent: str
    game: str
    uniform: _NashConvForm


_SEARCHES = "sixmax lbr --agent search"
BOUNDS = RecordKind("a table of local best responses", "sixmax stage bounds", _BoundsForm)
SEARCH_BOUND = RecordKind("a local best response to search", _SEARCHES, _SearchBoundForm)
RESPONSE = RecordKind("the gains of best responses", "sixmax response", _ResponseForm)
