"""Hands written as PHH, for :mod:`sixmax.hands.phh` and pokerkit to read.

PHH has no field for the order of action, which follows from the seats. A hand is written in the
numbering of seats that gives its order; where there is none, a field ``_first`` of our own has the
seat that acts first, by round.
"""

import math
from itertools import pairwise
from typing import Any

from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting
from sixmax.cards.deck import format_cards
from sixmax.hands import table_rules
from sixmax.hands.record import Record, turned
from sixmax.hands.table_rules import TableRules, betting_of, unit_of

FIRST = "_first"  # the field: players from 1 on, by round


def form(hand: Record) -> str:
    """The table of ``hand``, lines with an end each."""
    hand = turned(hand, first_seat(hand.rules))
    game, unit = hand.rules, unit_of(hand.rules)

    def amounts(chips: Any) -> list[int | float]:
        return [_amount(c, unit) for c in chips]

    values = {"variant": "NT"}
    if max(game.antes) > min(game.stacks) and not table_rules.is_dead(game):
        values["ante_trimming_status"] = True  # who pays less than the ante wins as much of others
    values |= {
        "antes": amounts(reversed_of_two(game.antes)),
        "blinds_or_straddles": amounts(reversed_of_two(game.blinds)),
        "min_bet": _amount(table_rules.min_bet(game), unit),
        "starting_stacks": _stacks(game, amounts(game.stacks)),
        "actions": _actions(hand, unit),
        "hand": hand.number,
        "players": list(hand.names),
        "finishing_stacks": _stacks(game, amounts((hand.stacks + hand.payoffs).tolist())),
    }
    if game.first != implied_first(game.blinds, game.antes, game.stacks):
        values[FIRST] = [seat + 1 for seat in game.first]
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


def first_seat(game: GameConfig) -> int:
    """The seat that is p1 of PHH, the first to act on the flop; 0 if it lacks the order."""
    by = game.first[1]
    rows = (chips[by:] + chips[:by] for chips in (game.blinds, game.antes, game.stacks))
    order = [(seat + by) % game.seats for seat in implied_first(*rows)]
    return by if order == game.first else 0


def implied_first(posts: list, antes: list, stacks: list) -> list[int]:
    """The seat that acts first, by round, in a hand of PHH with these, each by seat."""
    return [table_rules.opener(tuple(posts), tuple(antes), tuple(stacks)), 0, 0, 0]


def reversed_of_two(chips: list) -> list:
    """What is posted, from the order of seats to that of PHH, or back: that of two is reversed."""
    return chips[::-1] if len(chips) == 2 else chips


def _stacks(game: GameConfig, amounts: list) -> list:
    """``amounts`` by seat, but infinite where the stack is not known."""
    unknown = isinstance(game, TableRules) and game.unknown
    endless = table_rules.ENDLESS if unknown else None
    pairs = zip(game.stacks, amounts, strict=True)
    return [math.inf if stack == endless else amount for stack, amount in pairs]


def _amount(chips: float, unit: int) -> int | float:
    if unit > 1:
        chips /= unit
    return int(chips) if chips == int(chips) else chips


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(v) for v in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    if "'" not in value and value.isprintable():
        return f"'{value}'"
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text) + '"'


def _actions(hand: Record, unit: int) -> list[str]:
    """Deals, actions and shown hands in the order in which they happen."""
    betting, dealt, holes = betting_of(hand.rules), 0, hand.hole_texts
    lines = [f"d dh p{p + 1} {text or '????'}" for p, text in enumerate(holes)]
    boards = [f"d db {format_cards(hand.board[a:b], hand.ranks)}" for a, b in pairwise(SEEN)]
    for part in hand.actions:
        if dealt < betting.round:
            lines.append(boards[dealt])
            dealt += 1
        before = (betting.contributed if dealt else table_rules.live_antes(hand.rules)).tolist()
        for seat, action in part:
            word = {FOLD: "f", CALL: "cc"}.get(action)
            word = word or f"cbr {_amount(action - before[seat], unit)}"
            lines.append(f"p{seat + 1} {word}")
            betting.act(action)
    for p in _showing(hand, betting):
        shown = "" if hand.mucked >> p & 1 else holes[p]
        lines.append(f"p{p + 1} sm {shown}".rstrip())
    return lines + boards[dealt : sum(seen < len(hand.board) for seen in SEEN)]


def _showing(hand: Record, betting: Betting) -> list[int]:
    """The seats that show, in order: from the last raiser of the last round, or its first actor."""
    if not betting.showdown:
        return []
    last = hand.actions[-1] if hand.actions else ()
    actors = [seat for seat, action in reversed(last) if action > CALL] + [s for s, _ in last[:1]]
    first = (actors or [0])[0]
    return sorted(betting.left, key=lambda seat: (seat - first) % betting.seats)
