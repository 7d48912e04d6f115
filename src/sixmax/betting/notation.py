"""Hands in the ACPC log format (as of Pluribus's logs): read, written, played.

A hand is one line, ``STATE:<hand>:<actions>:<cards>:<payoffs>:<names>``; all lists go by seat.
Actions: ``f``, ``c`` (check or call) and ``rN`` (raise to N chips over the whole hand), ``/`` ends
a round. Cards: hole cards parted by ``|``, then the board of each later round after a ``/``.
After an all-in the remaining rounds are empty. Lines that begin with ``#`` are comments.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting.rules import ACTOR, BETTING, CALL, FOLD, PHASE, ROUND, ROUNDS, apply, is_legal
from sixmax.betting.state import Betting, spell

FIELDS = "STATE:<hand>:<actions>:<cards>:<payoffs>:<names>"
BOARD_CARDS = (0, 3, 1, 1)  # dealt at the start of each round
_ACTION = re.compile(r"[fc]|r[1-9][0-9]{0,9}")
_CHIPS = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]+)?")
_CODES = {"f": FOLD, "c": CALL}
_WORDS = (
    (r"folds?", "f"),
    (r"checks?|calls?|(?<![\dc])k|x", "c"),
    (r"(raises?|bets?|b)(to)?(?=\d)", "r"),
)
_DECK = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Line(NamedTuple):
    """One played hand; tuples go by seat unless said otherwise."""

    number: int
    actions: tuple[tuple[int, ...], ...]  # by round reached: FOLD, CALL or raise-to
    holes: tuple[str, ...]  # such as "AhKd"; empty if not shown
    boards: tuple[str, ...]  # by round reached after the first: "7d5h9d", "7c", "Qh"
    payoffs: tuple[float, ...]  # net chips
    names: tuple[str, ...]


def parse(line: str, place: str = "hand") -> Line:
    """Read one line. Raises UserError saying what is wrong with the line at ``place``."""
    fields = line.strip().split(":")
    if len(fields) != 6 or fields[0] != "STATE":
        raise UserError(f"{place}: found {_short(line)}, wanted {FIELDS}")
    _, number, actions, cards, payoffs, names = fields
    if not number.isdecimal() or len(number) > 18:
        raise UserError(f"{place}: found hand number {_short(number)}, wanted up to 18 digits")
    holes, *boards = cards.split("/")
    record = Line(
        int(number),
        tuple(_actions(part, place) for part in actions.split("/")),
        tuple(holes.split("|")),
        tuple(boards),
        tuple(_chips(part, place) for part in payoffs.split("|")),
        tuple(names.split("|")),
    )
    _check_cards(record, place)
    counts = {len(record.holes), len(record.payoffs), len(record.names)}
    if len(counts) > 1:
        raise UserError(
            f"{place}: {len(record.holes)} hands, {len(record.payoffs)} payoffs and "
            f"{len(record.names)} names, wanted as many of each"
        )
    return record


def form(record: Line) -> str:
    """The line of ``record``, without the end of line; the inverse of :func:`parse`."""
    actions = "/".join("".join(spell(a) for a in part) for part in record.actions)
    cards = "/".join(["|".join(record.holes), *record.boards])
    payoffs = "|".join(
        str(int(chips)) if chips == int(chips) else repr(float(chips)) for chips in record.payoffs
    )
    return f"STATE:{record.number}:{actions}:{cards}:{payoffs}:{'|'.join(record.names)}"


def play_seats(
    by_round: tuple[tuple[int, ...], ...], betting: Betting, place: str = "hand"
) -> list[int]:
    """Do the actions ``by_round`` in ``betting``, which has just begun: the seat of each.

    Raises UserError for an illegal action.
    """
    if len(by_round) > betting.hand[ROUNDS]:
        raise UserError(f"{place}: found {len(by_round)} rounds, wanted {betting.hand[ROUNDS]}")
    actions = [a for part in by_round for a in part]
    rounds = [r for r, part in enumerate(by_round) for _ in part]
    steps = np.array([actions, rounds], np.int64)
    at = _play_kernel(betting.hand, *steps)
    if at < 0:
        return steps[1].tolist()
    action = f"action {at + 1} of the hand, {spell(actions[at])}"
    if betting.over or betting.round == rounds[at]:
        raise UserError(f"{place}: {action}: {betting.why_illegal(actions[at])}")
    raise UserError(
        f"{place}: {action}, is in round {rounds[at]}, wanted round {betting.round}, where "
        f"{betting.names[betting.actor]} is to act; mend the slashes"
    )


@njit
def _play_kernel(hand, actions, seats):
    """Do ``actions`` in ``hand``; returns the index of the first illegal one, or -1.

    ``seats`` int has the round of each action at first; that of an action done becomes its seat.
    """
    for k in range(actions.size):
        if hand[PHASE] != BETTING or hand[ROUND] != seats[k] or not is_legal(hand, actions[k]):
            return k
        seats[k] = hand[ACTOR]
        apply(hand, actions[k])
    return -1


def _actions(text: str, place: str) -> tuple[int, ...]:
    if (actions := codes(text)) is None:
        raise UserError(f"{place}: found actions {_short(text)}, wanted f, c and rN")
    return actions


@lru_cache(maxsize=1 << 14)
def codes(text: str) -> tuple[int, ...] | None:
    """The actions of a round, None where ``text`` is something else."""
    words = _ACTION.findall(text)
    if "".join(words) != text:
        return None
    return tuple(_CODES[word] if word in _CODES else int(word[1:]) for word in words)


def _chips(text: str, place: str) -> float:
    if not _CHIPS.fullmatch(text):
        raise UserError(f"{place}: found payoff {_short(text)}, wanted chips such as -100 or 162.5")
    return float(text)


def _check_cards(record: Line, place: str) -> None:
    if len(record.boards) != len(record.actions) - 1 or len(record.actions) > len(BOARD_CARDS):
        raise UserError(
            f"{place}: {len(record.actions)} betting rounds and {len(record.boards)} boards, "
            f"wanted at most {len(BOARD_CARDS)} rounds and a board for each after the first"
        )
    dealt: list[str] = []
    sizes = [2] * len(record.holes) + list(BOARD_CARDS[1:])
    for text, size in zip(record.holes + record.boards, sizes, strict=False):
        cards = _cards(text)
        if len(cards) not in (size, 0) or not _DECK.issuperset(cards):
            raise UserError(f"{place}: found cards {_short(text)}, wanted {size} such as Ah")
        dealt += cards
    if len(set(dealt)) < len(dealt):
        twice = next(card for k, card in enumerate(dealt) if card in dealt[:k])
        raise UserError(f"{place}: the card {twice} is dealt twice")


@lru_cache(maxsize=1 << 14)
def _cards(text: str) -> tuple[str, ...]:
    return tuple(text[k : k + 2] for k in range(0, len(text), 2))


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


def in_acpc_notation(text: str) -> str:
    """Poker actions in words, spelt as in the ACPC format; anything else stays.

    >>> in_acpc_notation("Fold, raise to 250; call/check"), in_acpc_notation("f c r225")
    ('fr250c/c', 'fcr225')
    """
    notation = re.sub(r"[\s,;]+", "", text.lower())
    for words, letter in _WORDS:
        notation = re.sub(words, letter, notation)
    return notation
