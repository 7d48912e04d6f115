"""Hands as PHH, the poker hand history format, as pokerkit reads it.

Source: Kim 2024, arXiv:2312.11753. A hand is a table of TOML: variant NT, no-limit hold'em. Seats
are p1, p2, … from the small blind on, but of two players p1 is the big blind. ``cbr N`` raises to N
chips of this round alone. A file of many hands (.phhs) names each by ``[1]``, ``[2]``, … and is
read a hand at a time.
"""

import functools
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.rules import ACTOR, CALL, CHIPS, FOLD, ROUND, apply, is_legal
from sixmax.betting.state import Betting
from sixmax.cards.deck import as_cards, format_cards
from sixmax.errors import UserError
from sixmax.evaluation.hands.record import (
    UNSEEN,
    Actions,
    Record,
    big_blind,
    numbered,
    rules,
    settled,
    shift,
    turned,
)
from sixmax.jit import njit

LARGEST = 1 << 14  # characters of a hand: the reader of TOML is quadratic at its worst
_HEAD = re.compile(r"\s*\[\s*\d+\s*\]\s*")
_PLAYER = re.compile(r"p[1-9][0-9]?")
_STRING = r"'[ !#-&(-\[\]-~]*'"  # ASCII without quotes and backslash
_NUMBER = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?"
_VALUE = rf"(?:{_STRING}|{_NUMBER})"
_PLAIN = re.compile(rf"(?:(?:[a-z_]+ = (?:{_VALUE}|\[{_VALUE}(?:, {_VALUE})*\]))?\n)+")
_CODES = {"f": FOLD, "cc": CALL}
NOBODY = -1  # the seat of a deal to the board
_WANTED = ("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions")


def form(hand: Record) -> str:
    """The table of ``hand``, lines with an end each."""
    hand = turned(hand, shift(hand.rules))
    game = hand.rules
    blinds = game.blinds[::-1] if game.seats == 2 else game.blinds
    finishing = hand.stacks + hand.payoffs
    values = {
        "variant": "NT",
        "antes": game.antes,
        "blinds_or_straddles": blinds,
        "min_bet": big_blind(game),
        "starting_stacks": game.stacks,
        "actions": _actions(hand),
        "hand": hand.number,
        "players": list(hand.names),
        "finishing_stacks": [int(v) if v == int(v) else float(v) for v in finishing],
    }
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(v) for v in value)}]"
    if isinstance(value, str):
        return "'" + value + "'" if "'" not in value and value.isprintable() else _quoted(value)
    return str(value)


def _quoted(text: str) -> str:
    plain = "".join(
        c if c.isprintable() else f"\\u{ord(c):04x}" for c in text.replace("\\", "\\\\")
    )
    return '"' + plain.replace('"', '\\"') + '"'


def _actions(hand: Record) -> list[str]:
    """Deals, actions and shown hands in the order in which they happen."""
    betting, dealt, ranks = Betting(hand.rules), 0, hand.ranks
    lines = [
        f"d dh p{p + 1} {format_cards(h, ranks) if UNSEEN not in h else '????'}"
        for p, h in enumerate(hand.holes)
    ]
    for part in hand.actions:
        if dealt < betting.round:
            dealt += 1
            lines.append(f"d db {format_cards(hand.board[SEEN[dealt - 1] : SEEN[dealt]], ranks)}")
        before = betting.contributed.copy()
        if not dealt:
            before[:] = np.minimum(hand.rules.antes, hand.rules.stacks)
        for seat, action in part:
            word = {FOLD: "f", CALL: "cc"}.get(action) or f"cbr {action - before[seat]}"
            lines.append(f"p{seat + 1} {word}")
            betting.act(action)
    lines += [f"p{p + 1} sm {format_cards(hand.holes[p], ranks)}" for p in _showing(hand, betting)]
    while SEEN[dealt] < len(hand.board):
        dealt += 1
        lines.append(f"d db {format_cards(hand.board[SEEN[dealt - 1] : SEEN[dealt]], ranks)}")
    return lines


def _showing(hand: Record, betting: Betting) -> list[int]:
    """The seats that show, in order: from the last raiser of the last round, or its first actor."""
    if not betting.showdown:
        return []
    last = hand.actions[-1]
    first = next((seat for seat, action in reversed(last) if action > CALL), last[0][0])
    seats = [(first + k) % betting.seats for k in range(betting.seats)]
    return [p for p in seats if betting.contenders >> p & 1]


def blocks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The hands of a file: the number of the line each begins at, and its text.

    Of a hand larger than LARGEST the text goes only so far that it is seen.
    """
    start, text, size, any_hand = 1, [], 0, False
    for number, line in enumerate(lines, start=1):
        if line.startswith("[") and _HEAD.fullmatch(line.split("#")[0]):
            if any_hand:
                yield start, "".join(text)
            start, text, size, any_hand = number + 1, [], 0, False
            continue
        any_hand = any_hand or line.lstrip()[:1] not in ("", "#")
        if size <= LARGEST:
            text.append(line)
            size += len(line)
    if any_hand:
        yield start, "".join(text)


def parse(text: str, place: str = "hand") -> tuple[Record, np.ndarray]:
    """The record of one hand, and its payoffs by the rules: float64[seats].

    The record has the payoffs of the file; without finishing_stacks, those of the rules. Raises
    UserError for an error in the hand, naming ``place``.
    """
    if len(text) > LARGEST:
        raise UserError(f"{place}: a hand of more than {LARGEST:,} characters")
    try:
        values = _plain(text) or tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # digits and brackets beyond Python's limits, too
        raise UserError(f"{place}: no TOML ({error})") from None
    try:
        missing = [name for name in _WANTED if name not in values]
        if missing or values["variant"] != "NT":
            kind = f"no {missing[0]}" if missing else f"variant {values['variant']!r}"
            raise UserError(f"found {kind}, wanted a hand of no-limit hold'em (NT)")
        return _record(values, place)
    except UserError as error:
        text = str(error)
        raise UserError(text if text.startswith(place) else f"{place}: {text}") from None
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
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
    return json.loads("{" + pairs.replace("'", '"') + "}")


def _record(values: dict[str, Any], place: str) -> tuple[Record, np.ndarray]:
    stacks, blinds = list(values["starting_stacks"]), list(values["blinds_or_straddles"])
    seats = len(stacks)
    game = _rules(tuple(stacks), tuple(blinds), tuple(values["antes"]))
    if values["min_bet"] != big_blind(game):
        raise UserError(
            f"found min_bet {values['min_bet']}, wanted the big blind {big_blind(game)}"
        )
    shown, board, texts, steps = {}, [], [], []
    for text in values["actions"]:
        word, seat, value = _step(text)
        if seat >= seats:
            raise UserError(f"{place}: {text!r}: found player p{seat + 1}, wanted p1 to p{seats}")
        if word == "hole":
            shown[seat] = value
        elif word == "board":
            board += value
        if word in ("board", "act"):
            texts.append(text)
            steps.append((seat, value if word == "act" else 0))
    as_cards([card for hole in shown.values() for card in hole] + board)
    betting, parts = _play(game, steps, texts, place)
    given = values.get("finishing_stacks")
    names = tuple(str(name) for name in values.get("players", [f"p{k + 1}" for k in range(seats)]))
    if len(names) != seats or (given is not None and len(given) != seats):
        raise UserError(f"{place}: {len(names)} players, wanted {seats}, as many as stacks")
    number = values.get("hand", 0)
    hand = Record(
        number if isinstance(number, int) and 0 <= number < 10**18 else 0,
        names,
        game,
        13,
        parts,
        np.array([shown.get(seat, (UNSEEN, UNSEEN)) for seat in range(seats)], np.int8),
        np.array(board, np.int8),
        np.array(stacks if given is None else given, np.float64) - stacks,
    )
    net = settled(betting, hand, place)
    known = given is not None and not np.isnan(hand.payoffs).any()
    return (hand if known else hand._replace(payoffs=net)), net


@functools.lru_cache(maxsize=4096, typed=True)
def _rules(stacks: tuple[int, ...], blinds: tuple[int, ...], antes: tuple[int, ...]) -> GameConfig:
    """The rules of a hand, from the lists that a file has. Raises UserError."""
    two = len(stacks) == 2
    posted = list(blinds[::-1] if two else blinds)
    return rules(list(stacks), posted, list(antes), [1 if two else 2, 0, 0, 0])


@functools.lru_cache(maxsize=1 << 14)
def _step(text: str) -> tuple[str, int, Any]:
    """An action: ``hole`` with its seat and cards, ``board`` with cards and seat -1, or ``act``
    with its seat and FOLD, CALL or the chips of a raise; ``none`` for a comment.
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
        if "?" in cards or cards in ("sm", "-"):
            return "none", seat, None
        if len(cards) != 4:
            raise UserError(f"{text!r}: found {cards!r}, wanted two cards")
        return "hole", seat, numbered(cards)
    if words[1] == "cbr" and int(words[2]) > 0:
        return "act", seat, int(words[2])
    if words[1] in _CODES:
        return "act", seat, _CODES[words[1]]
    raise UserError(f"{text!r}: wanted f, cc or cbr and chips")


def _play(
    game: GameConfig, steps: list[tuple[int, int]], texts: list[str], place: str
) -> tuple[Betting, Actions]:
    """The betting after ``steps``, seat NOBODY for a board, and the actions by round.

    Raises UserError with the one of ``texts`` that is illegal.
    """
    betting, table = Betting(game), np.array(steps, np.int64).reshape(-1, 2)
    rounds = np.empty(len(table), np.int64)
    at = _play_kernel(betting.hand, np.minimum(game.antes, game.stacks), table, rounds)
    if at >= 0:
        actor = "nobody" if betting.over else f"p{betting.actor + 1}"
        seat, action = table[at].tolist()
        wrong = betting.over or seat != betting.actor
        why = f"wanted an action of {actor}" if wrong else betting.why_illegal(action)
        raise UserError(f"{place}: {texts[at]!r}: {why}")
    parts: list[list[tuple[int, int]]] = [[] for _ in range(betting.round + 1)]
    for in_round, (seat, action) in zip(rounds.tolist(), table.tolist(), strict=True):
        if seat != NOBODY:
            parts[in_round].append((seat, action))
    return betting, tuple(map(tuple, parts))


@njit
def _play_kernel(hand, before, steps, rounds):
    """Do ``steps`` int64[n, 2] in ``hand``; returns the first that is illegal, or -1.

    Raises are counted from ``before`` int64[seats], the chips put in by the last board; they become
    those of the whole hand. ``rounds`` int64[n] gets the round of each action.
    """
    for k in range(len(steps)):
        seat, rounds[k] = steps[k, 0], hand[ROUND]
        if seat == NOBODY:
            before[:] = hand[CHIPS : CHIPS + before.size]
            continue
        if steps[k, 1] > 0:
            steps[k, 1] += before[seat]
        if seat != hand[ACTOR] or not is_legal(hand, steps[k, 1]):
            return k
        apply(hand, steps[k, 1])
    return -1
