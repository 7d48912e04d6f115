"""Hands read from PHH, the poker hand history format, as pokerkit reads it.

Source: Kim 2024, arXiv:2312.11753. A hand is a table of TOML: variant NT, no-limit hold'em. Seats
are p1, p2, … from the small blind on, but of two players p1 is the big blind. ``cbr N`` raises to N
chips of this round alone. A file of many hands (.phhs) names each by ``[1]``, ``[2]``, … and is
read a hand at a time. :mod:`sixmax.hands.phh_form` writes hands.
"""

import functools
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import ACTOR, CALL, CHIPS, FOLD, ROUND, apply, is_legal
from sixmax.betting.state import Betting
from sixmax.cards.deck import as_cards
from sixmax.hands import table_rules
from sixmax.hands.hand_file import HandFile
from sixmax.hands.phh_form import FIRST, implied_first, reversed_of_two
from sixmax.hands.record import UNSEEN, Actions, Parser, Record, numbered, rules
from sixmax.hands.showdown import net_of_collected, settled
from sixmax.hands.table_rules import Amount, exact, must_check, unit_of

LARGEST = 1 << 14  # characters of a hand: the reader of TOML is quadratic at its worst
_HEAD = re.compile(r"\s*\[{1,2}[^\[\],=]+\]{1,2}\s*")  # of a table with any name
_VARIANT = re.compile(r"\s*variant\s*=")
_PLAYER = re.compile(r"p[1-9][0-9]?")
_CHIPS = re.compile(r"[0-9][0-9,]{0,17}(?:\.[0-9]{1,20})?")
_STRING = r"'[ !#-&(-\[\]-~]*'"  # ASCII without quotes and backslash
_NUMBER = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,20})?"
_VALUE = rf"(?:{_STRING}|{_NUMBER})"
_PLAIN = re.compile(rf"(?:(?:[a-z_]+ = (?:{_VALUE}|\[{_VALUE}(?:, {_VALUE})*\]))?\n)+")
_CODES = {"f": FOLD, "cc": CALL}
NOBODY = -1  # the seat of a deal to the board
_WANTED = ("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions")
_RESULTS = ("finishing_stacks", "winnings")


def recognises(head: Sequence[str], ending: str) -> bool:
    """Whether a file that begins with the lines ``head`` is PHH; so is one with its ``ending``."""
    return ending in (".phh", ".phhs") or any(map(_VARIANT.match, head))


def read(file: HandFile, game: GameConfig | None) -> tuple[Iterator[tuple[str, str]], Parser]:
    """Place and text of each hand of ``file``, and the parser; rules are in each hand."""
    every = blocks(line.replace("\r\n", "\n") for line in file.lines)
    return ((f"{file.name}, line {number:,}", text) for number, text in every), parse


def blocks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The line that each hand begins at, and its text, of one over LARGEST only a part."""
    start, text, size, any_hand = 1, [], 0, False  # a table with nothing in it is a hand, too
    for number, line in enumerate(lines, start=1):
        if line.startswith("[") and _HEAD.fullmatch(line.split("#")[0]):
            if any_hand:
                yield start, "".join(text)
            start, text, size, any_hand = number + 1, [], 0, True
            continue
        any_hand = any_hand or line.lstrip()[:1] not in ("", "#")
        if size <= LARGEST:
            text.append(line)
            size += len(line)
    if any_hand:
        yield start, "".join(text)


def parse(text: str, place: str = "hand") -> tuple[Record, np.ndarray]:
    """The record of one hand, and its payoffs by the rules: float64[seats].

    The record has the payoffs of finishing_stacks or winnings, those which are farther from the
    rules; without both, those of the rules. Raises UserError for an error, naming ``place``.
    """
    if len(text) > LARGEST:
        raise UserError(f"{place}: a hand of more than {LARGEST:,} characters")
    try:
        values = _plain(text) or tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:  # digits and brackets beyond Python's limits, too
        raise UserError(f"{place}: no TOML ({error})") from None
    try:
        missing = [name for name in _WANTED if name not in values]
        if missing or values["variant"] != "NT":
            kind = f"no {missing[0]}" if missing else f"variant {values['variant']!r}"
            raise UserError(f"found {kind}, wanted a hand of no-limit hold'em (NT)")
        inner = [name for name in values if isinstance(values[name], dict) and name[0] != "_"]
        if inner:
            raise UserError(f"found a table {inner[0]!r} in a hand, wanted a head [{inner[0]}]")
        return _record(values, place)
    except UserError as error:
        text = str(error)
        raise UserError(text if text.startswith(place) else f"{place}: {text}") from None
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise UserError(f"{place}: no hand of PHH ({error})") from None


def _plain(text: str) -> dict[str, Any] | None:
    """The table ``text`` if each value is a line of whole numbers and plain strings, else None.

    Nearly all hands are written so; read as JSON they take a tenth of the time of TOML.
    """
    if not _PLAIN.fullmatch(text):
        return None
    rows = [row.split(" = ", 1) for row in text.splitlines() if row]
    if len(dict(rows)) < len(rows):
        return None
    pairs = ", ".join(f'"{name}": {value}' for name, value in rows)
    return json.loads("{" + pairs.replace("'", '"') + "}", parse_float=Decimal)


def _record(values: dict[str, Any], place: str) -> tuple[Record, np.ndarray]:
    seats = len(values["starting_stacks"])
    shown, mucked, board, texts, steps, shows = {}, [], [], [], [], False
    for text in values["actions"]:
        word, seat, value = _step(text)
        if seat >= seats:
            raise UserError(f"{place}: {text!r}: found player p{seat + 1}, wanted p1 to p{seats}")
        if word in ("hole", "show"):
            shown |= {} if value is None else {seat: value}
            shows |= word == "show"
        elif word == "muck":
            mucked.append(seat)
        elif word == "board":
            board += value
        if word in ("board", "act"):
            texts.append(text)
            steps.append((seat, value if word == "act" else 0))
    as_cards([card for hole in shown.values() for card in hole] + board)
    if len(board) > 5:
        raise UserError(f"{place}: found {len(board)} board cards; one board of 5 is read")
    lists = (tuple(values[n]) for n in ("starting_stacks", "blinds_or_straddles", "antes"))
    trimmed = values.get("ante_trimming_status", False)
    first = tuple(values[FIRST]) if FIRST in values else None
    parts = tuple(value for _, value in steps if isinstance(value, Decimal))
    game = _rules(*lists, values["min_bet"], trimmed, first, parts)
    unit = unit_of(game)
    if unit > 1:
        steps = [(seat, int(v * unit) if v > 0 else v) for seat, v in steps]
    betting, parts = _play(game, steps, texts, place)
    names = tuple(str(name) for name in values.get("players", [f"p{k + 1}" for k in range(seats)]))
    if any(len(listed) != seats for listed in (names, *(values.get(n, names) for n in _RESULTS))):
        raise UserError(f"{place}: {len(names)} players, wanted {seats}, as many as stacks")
    if betting.showdown and not betting.contenders & ~_mask(mucked):
        mucked.pop()  # the last one left wins, and need not show
    number = values.get("hand", 0)
    hand = Record(
        number if isinstance(number, int) and 0 <= number < 10**18 else 0,
        names,
        game,
        13,
        parts,
        np.array([shown.get(seat, (UNSEEN, UNSEEN)) for seat in range(seats)], np.int8),
        np.array(board, np.int8),
        np.zeros(seats),
        _mask(mucked),
    )
    return _with_results(hand, betting, values, shows, place)


def _with_results(
    hand: Record, betting: Betting, values: dict[str, Any], shows: bool, place: str
) -> tuple[Record, np.ndarray]:
    """``hand`` with the payoffs that its results state, and those by the rules."""
    unit, stated = unit_of(hand.rules), []
    for name in _RESULTS:
        if name not in values or table_rules.INFINITE in values[name]:
            continue
        chips = np.array([exact(v) * unit for v in values[name]], np.float64)
        stated.append(
            net_of_collected(chips, hand, betting) if name == "winnings" else chips - hand.stacks
        )
    net = settled(betting, hand, place, stated[0] if stated else None, shows)
    if len(stated) > 1:
        stated.sort(key=lambda chips: -abs(chips - net).max())
    return hand._replace(payoffs=stated[0] if stated else net), net


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in set(seats))


@functools.lru_cache(maxsize=4096, typed=True)
def _rules(
    stacks: tuple[Amount, ...], blinds: tuple[Amount, ...], antes: tuple[Amount, ...],
    least: Amount, trimmed: bool, first: tuple[int, ...] | None, bets: tuple[Decimal, ...],
) -> GameConfig:  # fmt: skip
    """The rules by the values of a file; ``bets`` are in parts of a chip. Raises UserError."""
    unknown = table_rules.INFINITE in stacks
    known = [exact(v) for v in stacks if v != table_rules.INFINITE]
    unit = table_rules.unit_for([*known, *map(exact, (*blinds, *antes, least)), *bets])

    def chips(value: Amount) -> int:
        return table_rules.ENDLESS if value == table_rules.INFINITE else int(exact(value) * unit)

    stacks, blinds, antes = (list(map(chips, amounts)) for amounts in (stacks, blinds, antes))
    least, equal = chips(least), len(set(antes)) == 1
    if trimmed and not equal:
        raise UserError("found unequal antes with ante_trimming_status = true, which is not read")
    posts, antes = reversed_of_two(blinds), reversed_of_two(antes)
    order = [seat - 1 for seat in first] if first else implied_first(posts, antes, stacks)
    posts = [abs(post) for post in posts]  # those below 0 are of players who come late
    dead = not trimmed and (not equal or antes[0] > min(stacks))
    own = {"min_bet": least, "dead": dead, "unit": unit, "unknown": unknown}
    usual = unit == 1 and not dead and not unknown and least == max(*posts, 1)
    return rules(stacks, posts, antes, order, **({} if usual else own))


@functools.lru_cache(maxsize=1 << 14)
def _step(text: str) -> tuple[str, int, Any]:
    """An action: ``hole``, dealt, or ``show`` with its seat and cards, None where not known;
    ``muck`` with its seat; ``board`` with cards and seat -1; ``act`` with its seat and FOLD, CALL
    or the chips of a raise; ``none`` for a comment.
    """
    words = text.split("#")[0].split()
    if not words:
        return "none", NOBODY, None
    if words[:2] == ["d", "db"]:
        return "board", NOBODY, numbered(words[2])
    player, cards = (words[2], words[3]) if words[:2] == ["d", "dh"] else (words[0], words[-1])
    if not _PLAYER.fullmatch(player):
        raise UserError(f"{text!r}: found player {player!r}, wanted p1, p2, …")
    seat = int(player[1:]) - 1
    if words[0] == "d" or words[1] == "sm":
        word = "hole" if words[0] == "d" else "show"
        if word == "show" and (cards == "sm" or "?" in cards):
            return "muck", seat, None
        if "?" in cards or cards == "-":
            return word, seat, None
        if len(cards) != 4:
            raise UserError(f"{text!r}: found {cards!r}, wanted two cards")
        return word, seat, numbered(cards)
    if words[1] == "cbr" and _CHIPS.fullmatch(words[2]):
        chips = exact(Decimal(words[2].replace(",", "")))
        if chips > 0:
            return "act", seat, chips
    if words[1] in _CODES:
        return "act", seat, _CODES[words[1]]
    raise UserError(f"{text!r}: wanted f, cc or cbr and chips")


def _play(
    game: GameConfig, steps: list[tuple[int, int]], texts: list[str], place: str
) -> tuple[Betting, Actions]:
    """Betting after ``steps``, actions by round. Raises UserError, which shows its text."""
    betting, table = table_rules.betting_of(game), np.array(steps, np.int64).reshape(-1, 2)
    rounds = np.empty(len(table), np.int64)
    at = _play_kernel(betting.hand, table_rules.live_antes(game), table, rounds)
    if at >= 0:
        actor = "nobody" if betting.over else f"p{betting.actor + 1}"
        seat, action = table[at].tolist()
        wrong = betting.over or seat != betting.actor
        why = f"wanted an action of {actor}" if wrong else betting.why_illegal(action)
        if unit_of(game) > 1 and not wrong:
            why += f" (chips of 1/{unit_of(game):,})"
        raise UserError(f"{place}: {texts[at]!r}: {why}")
    parts: list[list[tuple[int, int]]] = [[] for _ in range(betting.round + 1)]
    for in_round, (seat, action) in zip(rounds.tolist(), table.tolist(), strict=True):
        if in_round >= 0:
            parts[in_round].append((seat, action))
    return betting, tuple(map(tuple, parts))


@njit
def _play_kernel(hand, before, steps, rounds):
    """Do ``steps`` int64[n, 2] in ``hand``; returns the first that is illegal, or -1.

    Raises are counted from ``before`` int64[seats], the chips put in by the last board; they become
    those of the whole hand. ``rounds`` int64[n] gets the round of each action, -1 of a board, and
    of a check where a player can do nothing else: pokerkit asks for some of these, we do not.
    """
    for k in range(len(steps)):
        seat, rounds[k] = steps[k, 0], hand[ROUND]
        if seat == NOBODY:
            before[:] = hand[CHIPS : CHIPS + before.size]
        if seat == NOBODY or (
            steps[k, 1] == CALL and seat != hand[ACTOR] and must_check(hand, seat)
        ):
            rounds[k] = -1
            continue
        if steps[k, 1] > 0:
            steps[k, 1] += before[seat]
        if seat != hand[ACTOR] or not is_legal(hand, steps[k, 1]):
            return k
        apply(hand, steps[k, 1])
    return -1
