"""The person at the table: the hand as the person may see it, and typed lines as commands."""

import re
from typing import NamedTuple

from sixmax.base.errors import UserError, did_you_mean
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import ROUNDS, format_cards
from sixmax.evaluation.match.by_hand import LiveHand
from sixmax.hands.record import Record
from sixmax.ongoing.translate import raise_by

SIZES = {"half": 0.5, "pot": 1.0}  # words for raises, in pots after calling
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
_AMOUNT = re.compile(r"(\d{1,3}(?:,\d{3}){1,6}|\d{1,20}(?:\.\d+)?)\s*(%|bb)?", re.ASCII)


class SeatView(NamedTuple):
    """A hand in plain values. Lists go by seat; amounts are chips."""

    number: int  # of the hand
    seat: int  # the person's
    names: tuple[str, ...]  # of the players
    positions: tuple[str, ...]  # SB, BB, …
    stacks: tuple[int, ...]  # left behind
    put_in: tuple[int, ...]  # over the whole hand
    before: tuple[int, ...]  # of that, before this round
    folded: tuple[bool, ...]
    blinds: tuple[int, ...]
    pot: int
    round: str  # preflop, flop, turn or river
    board: str  # as in AhKd2c
    hole: str  # the person's
    actions: tuple[tuple[tuple[int, int], ...], ...]  # by round: seat, and FOLD, CALL or raise-to
    over: bool
    actor: int  # the seat to act, -1 for none
    thinking: bool  # whether an agent is to act that searches
    legal: tuple[str, ...]  # of fold, check, call, raise: for the person to act, else none
    to_call: int
    raises: tuple[int, int] | None  # smallest and largest raise-to of the person to act
    sizes: dict[str, int]  # some raises-to by their words
    shown: tuple[str, ...]  # all hole cards, once the hand is over, else ()
    won: tuple[float, ...]  # net chips, once the hand is over, else ()

    @property
    def mine(self) -> bool:
        return self.actor == self.seat


def see(hand: LiveHand, seat: int, ranks: int, record: Record | None) -> SeatView:
    """``hand`` as ``seat`` sees it; ``record`` is its end, None before."""
    betting, seats, actor = hand.betting, hand.game.seats, hand.betting.actor
    mine = actor == seat
    to_call, raises = (betting.to_call, betting.raise_range) if mine else (0, None)
    calls = ("fold", "call") if to_call else ("check",)
    board = hand.board if record is None else record.board
    shown = () if record is None else tuple(format_cards(h, ranks) for h in record.holes)
    return SeatView(
        number=hand.number, seat=seat,
        names=tuple(player.name for player in hand.players),
        positions=betting.names, stacks=tuple(map(int, betting.stacks)),
        put_in=tuple(map(int, betting.contributed)), before=tuple(map(int, hand.before)),
        folded=tuple(not betting.contenders >> p & 1 for p in range(seats)),
        blinds=tuple(hand.game.blinds), pot=int(betting.contributed.sum()),
        round=ROUNDS[len(hand.done) - 1], board=format_cards(board, ranks),
        hole=format_cards(hand.cards[2 * seat : 2 * seat + 2], ranks),
        actions=tuple(map(tuple, hand.done)), over=record is not None, actor=actor,
        thinking=actor >= 0 and not mine and bool(hand.players[actor].searching),
        legal=((*calls, "raise") if raises else calls) if mine else (),
        to_call=to_call, raises=raises,
        sizes=_sizes(hand, raises) if raises else {}, shown=shown,
        won=() if record is None else tuple(map(float, record.payoffs)),
    )  # fmt: skip


def _sizes(hand: LiveHand, raises: tuple[int, int]) -> dict[str, int]:
    """Raises-to by their words: the smallest, parts of the pot that lie between, all-in."""
    low, high = raises
    between = {word: raise_by(hand.betting.hand, pots) for word, pots in SIZES.items()}
    between = {word: chips for word, chips in between.items() if low < chips < high}
    return {"min": low, **between, "all-in": high}


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
    if name == "fold" and not state.to_call:
        raise UserError("checking is free: c checks")
    if name == "raise":
        raise UserError(f"raise to how much? {legal_sizes(state)}")
    if name == "all-in":
        return Command(name, _all_in(state))
    return Command(name, {"fold": FOLD, "call": CALL}.get(name))


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
    chips, pot = words.get(size), state.pot + state.to_call
    if chips is None:
        chips = raise_to(size, max(state.put_in), pot, before, max(state.blinds))
    if chips is None:
        raise UserError(f"a raise to {size!r}: wanted a legal size; {legal_sizes(state)}")
    if not low <= chips <= high:
        raise UserError(f"to {chips - before:,} is not legal; {legal_sizes(state)}")
    return Command("raise", chips)


def raise_to(size: str, highest: int, pot: int, base: int, big_blind: int) -> int | None:
    """The raise-to that ``size`` names: ``300`` chips of the round, ``3bb``, ``75%`` of the pot.

    ``pot`` is that after calling ``highest``, and ``base`` chips were put in before the round. None
    for other text. Raises UserError for a part of a chip.
    """
    form = _AMOUNT.fullmatch(size)
    if form is None:
        return None
    number = float(form[1].replace(",", ""))
    if form[2] == "%":
        return int(highest + number / 100 * pot + 0.5)
    if form[2] == "bb":
        return base + int(number * big_blind + 0.5)
    if number != int(number):
        raise UserError(f"{number:g} chips: wanted whole chips")
    return base + int(number)


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
