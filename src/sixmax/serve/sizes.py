"""A size that is typed in: chips, big blinds, a share of the pot; on the tree or off it."""

import re
from typing import Any

from sixmax.api.spots.address import Address
from sixmax.api.spots.walk import Walk
from sixmax.base.errors import UserError
from sixmax.betting.state import Betting, spell
from sixmax.ongoing.translate import raise_by
from sixmax.serve.library import Library
from sixmax.serve.spot import option_of, translated

_NUMBER = r"\d{1,6}(?:\.\d{1,4})?"
_FORMS = re.compile(
    r"r(?P<acpc>\d{1,9})|(?P<chips>\d{1,9})|(?P<all>a|all[- ]?in)|"
    rf"(?P<blinds>{_NUMBER})\s*bb|(?P<percent>{_NUMBER})\s*%",
    re.ASCII,
)


def typed(library: Library, address: Address, text: str) -> dict[str, Any]:
    """The raise that ``text`` names, its address, and the sizes of the tree that stand for it.

    Raises UserError for other text and for a raise that is illegal.
    """
    walk = address.walk(Walk(library.opened.agent()))
    decision = walk.here()
    action = raise_to(decision.before, text, library.run.big_blind, decision.base)
    after = decision.before.copy()
    after.act(action)  # a raise leaves somebody to act, or ends the hand
    return {
        **option_of(decision.before, action, decision.base),
        "address": {**address.fields(), "actions": address.actions + spell(action)},
        "translation": translated(walk.translation(action)),
    }


def raise_to(betting: Betting, text: str, big_blind: int, base: int) -> int:
    """The raise-to that ``text`` names: ``300`` chips, ``3bb``, ``75%`` of the pot, ``all-in``.

    Chips and blinds count those of this round, before which each player had put in ``base``;
    ``r663`` counts the whole hand, as in ACPC notation. Raises UserError for other text, and where
    no raise is possible.
    """
    form = _FORMS.fullmatch(text.strip().lower())
    if form is None:
        raise UserError(f"size {text[:40]!r}: wanted chips as in 300, or 3bb, 75% or all-in")
    if betting.raise_range is None:
        raise UserError(betting.why_illegal(1))
    if form["all"]:
        return betting.raise_range[1]
    if form["acpc"]:
        return int(form["acpc"])
    if form["chips"]:
        return base + int(form["chips"])
    if form["blinds"]:
        return base + int(float(form["blinds"]) * big_blind + 0.5)
    return raise_by(betting.hand, float(form["percent"]) / 100)
