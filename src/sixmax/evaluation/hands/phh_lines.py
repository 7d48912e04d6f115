"""PHH as it is usually written, turned into ACPC lines for the fast reader.

Only the plain form is taken: one ``name = value`` a line, strings in single quotes, all that a hand
of no-limit hold'em needs. Whatever else a TOML file may hold is left to
:mod:`sixmax.evaluation.hands.phh`.
"""

import functools
import re
from typing import NamedTuple

from sixmax.game.config import MAX_SEATS

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
_DIGIT = "1234567890"  # of each seat
_SEATS = [{f"p{seat + 1}": seat for seat in range(n)} for n in range(MAX_SEATS + 1)]
_HAND = re.compile(_NUMBER)
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


@functools.lru_cache(maxsize=4096)
def _start(antes: str, blinds: str, stacks: str, least: str) -> tuple[list[int], int, int]:
    """The stacks, what each has put in before the blinds, and the most anybody has after them.

    Raises ValueError where the lists do not fit each other.
    """
    before, posted, chips = numbers(antes), numbers(blinds), numbers(stacks)
    if not len(before) == len(posted) == len(chips):
        raise ValueError(stacks)
    if numbers(f"[{least}]") != [max(posted) or max(before)]:
        raise ValueError(least)
    if len(chips) == 2:
        posted.reverse()  # as :mod:`sixmax.evaluation.hands.phh` says of two players
    return chips, max(before), max(map(min, map(sum, zip(before, posted, strict=True)), chips))


def _line(values: dict[str, str], players: dict[str, int]) -> Line | None:
    key = values["antes"], values["blinds_or_straddles"], values["starting_stacks"]
    stacks, base, high = _start(*key, values["min_bet"])
    names, ends = _strings(values["players"]), values["finishing_stacks"]
    if not (_CHIPS.fullmatch(ends) and _HAND.fullmatch(values["hand"])):
        return None
    won = [float(word) for word in ends[1:-1].split(",")]
    played = _played(_strings(values["actions"]), len(stacks), base, high)
    if played is None or not len(names) == len(won) == len(stacks):
        return None
    turns, done, holes, board = played
    net = "|".join([f"{end - stack:.6f}" for end, stack in zip(won, stacks, strict=True)])
    who = "|".join([str(players.setdefault(name, len(players))) for name in names])
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
    seat_of = _SEATS[seats]
    for action in actions:
        match action.split(" "):
            case ["d", "db", cards]:
                done.append("/")
                board += f"/{cards}"
                base = high
            case ["d", "dh", who, cards] | [who, "sm", cards]:
                seat = seat_of[who]
                if "?" not in cards:
                    if holes[seat] not in ("", cards):
                        return None
                    holes[seat] = cards
            case [who, "f"]:
                turns.append(_DIGIT[seat_of[who]])
                done.append("f")
            case [who, "cc"]:
                turns.append(_DIGIT[seat_of[who]])
                done.append("c")
            case [who, "cbr", chips]:
                high = base + int(chips)
                turns.append(_DIGIT[seat_of[who]])
                done.append(f"r{high}")
            case _:
                return None
    return "".join(turns), "".join(done), holes, board
