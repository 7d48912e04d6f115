"""Typed lines as commands of the person at the table."""

import re
from typing import NamedTuple

from sixmax.base.errors import UserError, did_you_mean
from sixmax.betting.rules import CALL, FOLD
from sixmax.session.state import SeatView

WORDS = {
    "fold": ("f", "fold"),
    "call": ("c", "call", "check", "k", "x"),
    "raise": ("r", "raise", "bet", "b", "raise to"),
    "all-in": ("a", "all-in", "allin", "all in", "shove", "jam"),
    "opinion": ("o", "opinion", "hint"),
    "score": ("s", "score", "result"),
    "help": ("?", "h", "help"),
    "quit": ("q", "quit", "exit"),
    "next": ("", "n", "next"),
}
_MEANING = {word: command for command, words in WORDS.items() for word in words}
_RAISE = re.compile(r"(?:r|raise|bet|b)(?:\s*to)?\s*([\d.,]+\s*(?:%|bb)?|min|half|pot|max|all-?in)")
_AMOUNT = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*(%|bb)?")


class Command(NamedTuple):
    """A command, and for a raise its raise-to in chips of the whole hand."""

    name: str
    action: int | None = None


def parse(line: str, state: SeatView) -> Command:
    """The command that ``line`` means where ``state`` is. Raises UserError for a mistake.

    Commands that act carry their action, which is legal.
    """
    text = " ".join(line.lower().split())
    name, size = _MEANING.get(text), _RAISE.fullmatch(text)
    if size and name is None:
        return _raise(size[1].replace(" ", ""), state)
    if name is None:
        shown = line.strip()[:20]
        hint = did_you_mean(text, [w for w in _MEANING if len(w) > 1]) or "? lists the commands"
        raise UserError(f"{shown!r} is no command; {hint}")
    if name in ("fold", "call", "raise", "all-in"):
        _your_turn(state)
    if name == "fold":
        if not state.to_call:
            raise UserError("checking is free: c checks")
        return Command(name, FOLD)
    if name == "call":
        return Command(name, CALL)
    if name == "raise":
        raise UserError(f"raise to how much? {legal_sizes(state)}")
    if name == "all-in":
        return Command(name, _all_in(state))
    return Command(name)


def _your_turn(state: SeatView) -> None:
    if state.over:
        raise UserError("the hand is over: Enter deals the next, q leaves")
    if not state.mine:
        raise UserError("it is not your turn")


def _raise(size: str, state: SeatView) -> Command:
    _your_turn(state)
    if state.raises is None:
        raise UserError(legal_sizes(state))
    low, high = state.raises
    before = state.before[state.seat]
    words = {**state.sizes, "max": high, "allin": high}
    amount = _AMOUNT.fullmatch(size)
    if size in words:
        chips = words[size]
    elif amount:
        chips = _chips(float(amount[1].replace(",", "")), amount[2], state) + before
    else:
        raise UserError(f"a raise to {size!r}: wanted a legal size; {legal_sizes(state)}")
    if not low <= chips <= high:
        raise UserError(f"to {chips - before:,} is not legal; {legal_sizes(state)}")
    return Command("raise", int(chips))


def _chips(number: float, unit: str | None, state: SeatView) -> int:
    """Chips of this round that an amount stands for: a per cent of the pot is after calling."""
    if unit == "bb":
        return round(number * max(state.blinds))
    if unit == "%":
        own = state.put_in[state.seat]
        pot = state.pot + state.to_call
        return round(own + state.to_call + number / 100 * pot) - state.before[state.seat]
    if number != int(number):
        raise UserError(f"{number:g} chips: wanted whole chips")
    return int(number)


def _all_in(state: SeatView) -> int:
    if state.raises is not None:
        return state.raises[1]
    if state.to_call and state.to_call == state.stacks[state.seat]:
        return CALL
    raise UserError(legal_sizes(state))


def legal_sizes(state: SeatView) -> str:
    """The raises that are legal, in chips of this round."""
    if state.raises is None:
        return "no raise is legal here: " + ("c calls" if state.to_call else "c checks")
    low, high = (chips - state.before[state.seat] for chips in state.raises)
    if low == high:
        return f"the one legal size is {high:,}, all-in: a"
    return f"legal: {low:,} to {high:,}, also min, half, pot, 75%, 3bb, all-in"
