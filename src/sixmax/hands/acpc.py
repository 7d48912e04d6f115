"""The words of the ACPC protocol (version 2.0.0): states, answers, game definitions, logs.

A dealer sends each player ``MATCHSTATE:<position>:<hand>:<actions>:<cards>``, after every action
and when a hand is over; cards that the player does not see are left out. The player to act answers
with the same line, a colon and an action. Lines that begin with ``#`` or ``;`` are comments. Seats
are those of the game definition: a match of two players has the big blind in seat 0.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.files import encoding
from sixmax.betting import notation
from sixmax.betting.config import MAX_SEATS, GameConfig
from sixmax.betting.state import Betting, spell
from sixmax.cards.deck import as_cards
from sixmax.hands import record as records
from sixmax.hands.hand_file import LONGEST, HandFile, placed
from sixmax.hands.record import UNSEEN, Parser, Record
from sixmax.hands.showdown import played

VERSION = "VERSION:2.0.0"
STATE_FORM = "MATCHSTATE:<position>:<hand>:<actions>:<cards>"
_POSITION = re.compile(r"[0-9]{1,2}")
_KEYS = (  # of a game definition, those that are read
    "numplayers", "numrounds", "stack", "blind", "ante", "firstplayer", "numsuits", "numranks",
    "numholecards", "numboardcards",
)  # fmt: skip
_ITEM = re.compile(r"\s*(\w+)\s*=?\s*(.*)")
_HEAD_WIDTH = 1000  # characters of a comment in which a log names its game
_STACK = {2: 20_000, 6: 10_000}  # chips: the ACPC's heads-up game, and Pluribus's


class MatchState(NamedTuple):
    """The knowledge of the player in seat ``position``. Cards unseen are UNSEEN."""

    position: int
    number: int  # of the hand
    actions: tuple[tuple[int, ...], ...]  # by round: FOLD, CALL or raise-to
    holes: np.ndarray  # int8[seats, 2]
    board: np.ndarray  # int8[0, 3, 4 or 5]


def parse_state(line: str, ranks: int = 13) -> MatchState:
    """Read a match state. Raises UserError for an error in it."""
    place, fields = "line of the dealer", line.strip().split(":")
    if len(fields) != 5 or fields[0] != "MATCHSTATE" or not _POSITION.fullmatch(fields[1]):
        raise UserError(f"{place}: found {line.strip()[:80]!r}, wanted {STATE_FORM}")
    seats = fields[4].split("/")[0].count("|") + 1
    blank = "|".join(["0"] * seats)
    parsed = notation.parse(":".join(["STATE", *fields[2:], blank, blank]), place)
    every = [records.numbered(text, ranks) or (UNSEEN, UNSEEN) for text in parsed.holes]
    holes, position = np.array(every, np.int8), int(fields[1])
    if position >= seats or UNSEEN in holes[position]:
        raise UserError(f"{place}: found no cards of position {position} in {line.strip()[:80]!r}")
    board = as_cards("".join(parsed.boards), ranks)
    return MatchState(position, parsed.number, parsed.actions, holes, board)


def form_state(position: int, number: int, actions: list[list[int]], cards: str) -> str:
    """The line of a match state, without the end of line; ``cards`` as the protocol writes them."""
    text = "/".join("".join(spell(a) for a in part) for part in actions)
    return f"MATCHSTATE:{position}:{number}:{text}:{cards}"


def form_end(record: Record, position: int) -> str:
    """The match state that ends a hand: at a showdown the players left show their cards."""
    letters, betting = records.to_notation(record), played(record)
    shown = [position, *(betting.left if betting.showdown else ())]
    holes = [text if seat in shown else "" for seat, text in enumerate(letters.holes)]
    cards = "/".join(["|".join(holes), *letters.boards])
    return form_state(position, record.number, [list(part) for part in letters.actions], cards)


def read_answer(line: str, state: str) -> int:
    """The action that answers ``state``. Raises UserError where ``line`` is no answer to it."""
    text = line.strip()
    head, _, word = text.rpartition(":")
    if head != state:
        raise UserError(f"found answer {text[:100]!r}, wanted {state}: and an action")
    actions = notation.codes(word) or ()
    if len(actions) != 1:
        raise UserError(f"found action {word[:20]!r}, wanted f, c or rN")
    return actions[0]


def read_game(path: Path) -> GameConfig:
    """The rules in an ACPC game definition of no-limit hold'em. Raises UserError."""
    content = path.read_bytes()
    return game_from(content.decode(encoding(content), "replace").splitlines(), str(path))


def game_from(lines: list[str], path: str) -> GameConfig:
    """The rules in ``lines`` of a definition, others passed over. Raises UserError."""
    items = [_ITEM.fullmatch(line.strip()) for line in lines if not line.startswith("#")]
    values: dict[str, list[str]] = {}
    for item in filter(None, items):
        key, value = item[1].lower(), item[2].split()
        if key in _KEYS and values.setdefault(key, value) != value:
            raise UserError(f"{path}: found {key} twice, {values[key]} and {value}; keep one")
        values[key] = value
    wanted = {"numrounds": "4", "numholecards": "2", "numsuits": "4", "numranks": "13"}
    for name, value in wanted.items():
        if values.get(name) != [value]:
            raise UserError(f"{path}: found {name} = {values.get(name)}, wanted {value}")
    if "nolimit" not in values or values.get("numboardcards") != ["0", "3", "1", "1"]:
        raise UserError(f"{path}: wanted a no-limit game with boards of 0 3 1 1 cards")
    try:
        seats = int(values["numplayers"][0])
        stacks, blinds = ([int(v) for v in values[name]] for name in ("stack", "blind"))
        antes = [int(v) for v in values.get("ante", [])]
        first = [int(v) - 1 for v in values["firstplayer"]]
    except (KeyError, ValueError, IndexError) as error:
        raise UserError(f"{path}: no game definition ({error!r})") from None
    if not 2 <= seats <= MAX_SEATS:
        raise UserError(f"{path}: found {seats:,} players, wanted 2 to {MAX_SEATS}")
    first = (first * 4)[:4] if len(first) == 1 else first
    return records.rules((stacks * seats)[:seats], blinds, antes or [0] * seats, first)


def form_game(game: GameConfig) -> str:
    """The game definition of ``game``, as dealers read it, who know no ante: its line is ours."""
    rows = {"stack": game.stacks, "blind": game.blinds, "ante": game.antes}
    rows["firstPlayer"] = [seat + 1 for seat in game.first]
    if not any(game.antes):
        del rows["ante"]
    lines = ["GAMEDEF", "nolimit", f"numPlayers = {game.seats}", f"numRounds = {len(game.rounds)}"]
    lines += [f"{key} = {' '.join(map(str, row))}" for key, row in rows.items()]
    lines += ["numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1"]
    return "\n".join([*lines, "END GAMEDEF", ""])


def log_head(game: GameConfig) -> str:
    """The comments at the begin of a log of ``game``, lines with an end each."""
    seats = records.turned_rules(game, records.shift(game))
    return "".join(f"# {line}\n" for line in form_game(seats).splitlines())


def log_line(record: Record) -> str:
    """The line of a log for one hand, in the seats of the ACPC, with its end."""
    return records.to_line(records.turned(record, records.shift(record.rules))) + "\n"


def recognises(head: Sequence[str], ending: str) -> bool:
    """Whether a file that begins with the lines ``head`` is a log, whatever its ``ending``."""
    return any(line.startswith(("STATE:", "SCORE:")) for line in head)


def read(log: HandFile, game: GameConfig | None) -> tuple[Iterator[tuple[str, str]], Parser]:
    """Place and text of each hand of a log and of lines with totals; and the parser of a hand.

    Its hands are all of one game: :func:`game_of`.
    """
    own = game_of(log, game)
    start = Betting(own)

    def parse(line: str, place: str) -> tuple[Record, np.ndarray]:
        if len(line) > LONGEST:
            raise UserError(f"{place}: a line of more than {LONGEST:,} characters")
        return records.from_line(line, own, place=place, start=start)

    return placed(log), parse


def game_of(log: HandFile, game: GameConfig | None) -> GameConfig:
    """The rules that a log names, else ``game``, else the usual ones. Raises UserError."""
    head, seats = [], 6
    for line in log.head:
        if line.startswith("#"):
            head.append(line[:_HEAD_WIDTH].lstrip("# "))
        elif line.startswith("STATE:"):
            try:
                seats = len(notation.parse(line).names)
            except UserError:
                continue  # the first hand that is not damaged says it
            break
    if any(line.startswith("GAMEDEF") for line in head):
        return game_from(head, log.name)
    if game is not None:
        return game
    if seats not in _STACK:
        raise UserError(
            f"{log.name}: {seats} players, whose stacks are unknown; name them by --game"
        )
    blinds = [100, 50] if seats == 2 else [50, 100] + [0] * (seats - 2)
    first = [1 if seats == 2 else 2, 0, 0, 0]
    return records.rules([_STACK[seats]] * seats, blinds, [0] * seats, first)
