"""A file with an endgame of two players: board, pot, and the reach of each hand of both.

One line a key, first the name, then values:

    -board 4s8hTc9h2s      the cards seen: 3, 4 on the turn or 5 on the river
    -pot 500               chips, half of them from each player
    -reach 0.0 0.74 …      2 x 1,326 weights, first those of the player who acts first
    -range 77+,KQs:0.5     in place of -reach, once for each player: words of a range
                           (:mod:`sixmax.cards.ranges`)

A reach is in the order of the endgames of Libratus's authors: all pairs of the deck 2s 2h 2d 2c 3s
… Ac, by the first card and then by the second. Lines that begin with # are comments, -round is
checked against the board.
"""

import itertools
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError, did_you_mean
from sixmax.base.files import read_text
from sixmax.cards.deck import holds, hole_id, parse_cards
from sixmax.cards.ranges import MOST_WEIGHT, parse_range

RANKS = 13
KEYS = ("-board", "-pot", "-reach", "-range", "-round")
_WANTED = "a file with -board, -pot and -reach, as docs/guide/solve.md has them"


class EndgameFile(NamedTuple):
    """board: int8[3 to 5]; pot: chips; reach: float64[2, holes], of blocked holes 0."""

    board: np.ndarray
    pot: int
    reach: np.ndarray


def read_endgame(path: Path) -> EndgameFile:
    """The endgame in the file ``path``. Raises UserError for one that is missing or wrong."""
    text = read_text(path, _WANTED)
    try:
        return _endgame(_lines(text))
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _endgame(lines: dict[str, list[list[str]]]) -> EndgameFile:
    board = parse_cards(" ".join(_one(lines, "-board")), RANKS)
    if not 3 <= len(board) <= 5:
        raise UserError(f"-board: found {len(board)} cards, wanted 3, 4 or 5")
    in_round = str(len(board) - 1)
    if "-round" in lines and (given := " ".join(_one(lines, "-round"))) != in_round:
        raise UserError(f"-round: found {given}, wanted {in_round} with {len(board)} cards")
    if {"-reach", "-range"} <= set(lines):
        raise UserError("found -reach and -range, wanted one of them")
    reach = _reach(_one(lines, "-reach")) if "-reach" in lines else _ranges(lines.get("-range", []))
    reach = np.where(holds(board, RANKS), 0.0, reach)
    for player, weights in enumerate(reach, 1):
        if not weights.any():
            raise UserError(f"player {player} has no hand of weight above 0 on this board")
    pot = " ".join(_one(lines, "-pot"))
    if not pot.isascii() or not pot.isdigit() or int(pot) < 2 or int(pot) % 2:
        raise UserError(f"-pot: found {pot!r}, wanted an even number of chips")
    return EndgameFile(board, int(pot), reach)


def _lines(text: str) -> dict[str, list[list[str]]]:
    """The values of each line, by key."""
    lines: dict[str, list[list[str]]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        key, *values = line.split() or ["#"]
        if key.startswith("#"):
            continue
        if key not in KEYS:
            hint = did_you_mean(key, list(KEYS))
            raise UserError(
                f"line {number}: found {key[:20]!r}, wanted one of {', '.join(KEYS)}"
                + (f"; {hint}" if hint else "")
            )
        lines.setdefault(key, []).append(values)
    return lines


def _one(lines: dict[str, list[list[str]]], key: str) -> list[str]:
    given = lines.get(key, [])
    if len(given) != 1 or not given[0]:
        raise UserError(f"found {len(given)} lines {key} with values, wanted one")
    return given[0]


def _reach(values: list[str]) -> np.ndarray:
    deck = [4 * rank + "cdhs".index(suit) for rank in range(RANKS) for suit in "shdc"]
    ids = [hole_id(a, b) for a, b in itertools.combinations(deck, 2)]
    if len(values) != 2 * len(ids):
        raise UserError(f"-reach: found {len(values)} weights, wanted {2 * len(ids)}")
    reach = np.zeros((2, len(ids)))
    reach[:, ids] = np.array([_weight(v) for v in values]).reshape(2, -1)
    return reach


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 <= weight <= MOST_WEIGHT:
        raise UserError(f"-reach: found {text[:20]!r}, wanted weights from 0 to {MOST_WEIGHT:,.0f}")
    return weight


def _ranges(given: list[list[str]]) -> np.ndarray:
    if len(given) != 2:
        raise UserError(
            f"found {len(given)} lines -range and no -reach; wanted one for each player"
        )
    try:
        return np.stack([parse_range(" ".join(values), RANKS) for values in given])
    except UserError as error:
        raise UserError(f"-range: {error}") from None
