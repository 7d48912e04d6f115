"""PHH as it is usually written, turned into ACPC lines for the fast reader.

Only the plain form is taken: one ``name = value`` a line, strings in single quotes, all that a hand
of no-limit hold'em needs. Whatever else a TOML file may hold is left to
:mod:`sixmax.evaluation.phh`.
"""

import re
from typing import NamedTuple

_NAMES = frozenset(
    [
        "variant",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "starting_stacks",
        "actions",
        "hand",
        "players",
        "finishing_stacks",
    ]
)
_NUMBER = r"(?:0|[1-9][0-9]*)"
_NUMBERS = re.compile(rf"\[{_NUMBER}(?:, {_NUMBER})*\]")
_CHIPS = re.compile(rf"\[{_NUMBER}(?:\.[0-9]+)?(?:, {_NUMBER}(?:\.[0-9]+)?)*\]")


class Line(NamedTuple):
    """A hand as an ACPC line, and the rules it was played by.

    In the line players are numbers, and the number of the hand says who acted, a digit an action.
    """

    rules: tuple[str, str, str]  # antes, blinds and stacks as the file writes them
    text: str


def as_line(text: str, players: dict[str, int]) -> Line | None:
    """The table ``text`` as a line; None where it is not in the plain form.

    ``players`` numbers the names met so far; new ones are added. The line is not checked: where it
    is not what the rules allow, the reader of lines will find out.
    """
    rows = [row.split(" = ", 1) for row in text.splitlines() if row]
    if any(len(row) != 2 for row in rows) or {name for name, _ in rows} != _NAMES:
        return None
    values = dict(rows)
    if len(rows) > len(values) or values["variant"] != "'NT'":
        return None
    try:
        return _line(values, players)
    except (ValueError, LookupError):
        return None


def numbers(text: str) -> list[int]:
    """A list of whole numbers. Raises ValueError."""
    if not _NUMBERS.fullmatch(text):
        raise ValueError(text)
    return [int(word) for word in text[1:-1].split(",")]


def _line(values: dict[str, str], players: dict[str, int]) -> Line | None:
    key = values["antes"], values["blinds_or_straddles"], values["starting_stacks"]
    antes, blinds, stacks = (numbers(text) for text in key)
    (least,), _ = numbers(f"[{values['min_bet']}]"), numbers(f"[{values['hand']}]")
    names, ends = _strings(values["players"]), values["finishing_stacks"]
    if least != (max(blinds) or max(antes)) or not _CHIPS.fullmatch(ends):
        return None
    ends = [float(word) for word in ends[1:-1].split(",")]
    if not len(names) == len(ends) == len(stacks) == len(blinds) == len(antes):
        return None
    if len(stacks) == 2:
        blinds.reverse()  # as :mod:`sixmax.evaluation.phh` says of two players
    high = max(min(a + b, s) for a, b, s in zip(antes, blinds, stacks, strict=True))
    played = _played(_strings(values["actions"]), len(stacks), max(antes), high)
    if played is None:
        return None
    turns, done, holes, board = played
    net = "|".join(repr(end - stack) for end, stack in zip(ends, stacks, strict=True))
    who = "|".join(str(players.setdefault(name, len(players))) for name in names)
    return Line(key, f"STATE:{turns}:{done}:{'|'.join(holes)}{board}:{net}:{who}\n")


def _strings(text: str) -> list[str]:
    if text[:2] != "['" or text[-2:] != "']" or "\\" in text or '"' in text:
        raise ValueError(text)
    found = text[2:-2].split("', '")
    if any("'" in word for word in found):
        raise ValueError(text)
    return found


def _played(
    actions: list[str], seats: int, base: int, high: int
) -> tuple[str, str, list[str], str] | None:
    """Who acted, a digit an action; actions in ACPC notation, hole cards by seat, and the board.

    ``base`` is what whoever acts has put in before the round, ``high`` the most anybody has put in.
    """
    holes, turns, done, board = [""] * seats, [], [], ""
    seat_of = {f"p{seat + 1}": seat for seat in range(seats)}
    for action in actions:
        words = action.split(" ")
        what = words[1]
        if what == "f" and len(words) == 2:
            done.append("f")
        elif what == "cc" and len(words) == 2:
            done.append("c")
        elif what == "cbr" and len(words) == 3:
            high = base + int(words[2])
            done.append(f"r{high}")
        elif words[0] == "d" and what == "db" and len(words) == 3:
            done.append("/")
            board += f"/{words[2]}"
            base = high
        elif (what == "dh" and len(words) == 4) or (what == "sm" and len(words) == 3):
            if "?" not in words[-1]:
                seat = seat_of[words[2 if what == "dh" else 0]]
                if holes[seat] not in ("", words[-1]):
                    return None
                holes[seat] = words[-1]
        else:
            return None
        if words[0] != "d" and what != "sm":
            turns.append(str((seat_of[words[0]] + 1) % 10))
    return "".join(turns), "".join(done), holes, board
