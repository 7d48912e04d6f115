"""The records of the stages ``compare`` and ``pluribus``."""

from typing import Any

from sixmax.store.records import Form, RecordKind


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
