"""An endgame of two players: board, pot, stacks, ranges, bets."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sixmax.api import checks
from sixmax.api.strategy import Range
from sixmax.base.errors import UserError
from sixmax.betting.config import MAX_CHIPS, GameConfig, Size
from sixmax.betting.rules import begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.cards.deck import as_cards, format_cards, holds, n_holes
from sixmax.cards.ranges import parse_range

RANKS = 13
PLAYERS = ("OOP", "IP")  # out of position, who acts first, and in position
MOST_NODES = 100_000
BETS = ((0.5, 1, "A"), (1, "A"))
MOST_RAISES = 20
DEEP = 20  # pots left on a river, from which Linear CFR reaches the target before DCFR


@dataclass(frozen=True, eq=False)
class Endgame:
    """Two players after a board: all hands of both, all cards to come, any bets.

    board: int8[3 to 5]
    pot: chips in it, half of them from each; stack: chips that each player has left
    ranges: float64[2, 1326], weights by hole; first the player who acts first (OOP)
    bits: of a number in the solver's tables, 32 or 16
    """

    board: np.ndarray
    pot: int
    stack: int
    ranges: np.ndarray
    game: GameConfig
    bits: int = 32

    @property
    def packed(self) -> "Endgame":
        """The same with tables of 16 bits: half of the memory, and a little lost."""
        return replace(self, bits=16)

    @functools.cached_property
    def tree(self) -> Tree:
        """The betting that is left; the antes are the pot. Raises UserError for too large a one."""
        return build_from(begin(self.game), sizes(self.game), WHOLE, MOST_NODES)

    @property
    def fastest(self) -> str:
        """The method whose average reaches .3 % of the pot first (docs/guide/solve.md)."""
        deep = len(self.board) == 5 and self.stack >= DEEP * self.pot
        return "linear" if deep else "dcfr"

    def __repr__(self) -> str:
        hands = np.count_nonzero(self.ranges, axis=1)
        return (
            f"board {format_cards(self.board)}, pot {self.pot:,}, stack {self.stack:,}; "
            f"{len(self.tree.node)} nodes, ranges of {hands[0]} and {hands[1]} hands"
        )


def endgame(
    board: str | Sequence[str] | np.ndarray, pot: int, stack: int,
    ranges: Sequence[str | Range | np.ndarray], bets: Sequence[Sequence[Size]] = BETS,
    max_raises: int = MOST_RAISES,
) -> Endgame:  # fmt: skip
    """An endgame to solve: ``endgame("4s8hTc9h2s", 500, 2000, ("AA,KQs:0.5", "22+,A5s-A2s"))``.

    ``board`` has 3, 4 or 5 cards; a flop wants memory and patience. ``stack`` are the chips that
    each player has left. ``ranges`` are of the player who acts first and of the other: words
    (:mod:`sixmax.cards.ranges`), a :class:`Range` of a spot, or weights float[1326] by hole.
    ``bets`` are the sizes by the number of bets before in the round, the last row for all later:
    fractions of the pot, "A" for all-in, "300 chips". Raises UserError for values out of these.
    """
    cards = _board(board)
    pot = checks.whole("pot", pot, 2, MAX_CHIPS // 4)
    stack = checks.whole("stack", stack, 1, MAX_CHIPS // 4)
    if pot % 2:
        raise UserError(f"pot: found {pot}, wanted an even number of chips: half from each player")
    pair = "two, first that of the player to act, as ('AA,KQs', '22+')"
    checks.one("ranges", ranges, (list, tuple, np.ndarray), pair)
    if len(ranges) != 2:
        raise UserError(f"ranges: found {len(ranges)}, wanted {pair}")
    weights = np.stack([_weights(each) for each in ranges]) * ~holds(cards, RANKS)
    for player, row in zip(PLAYERS, weights, strict=True):
        if not row.any():
            raise UserError(f"range of {player}: no hand of weight above 0 on this board")
    rounds = 6 - len(cards)
    rows = "rows of sizes, as [[0.5, 1, 'A'], [1, 'A']]"
    for row in checks.one("bets", bets, (list, tuple), rows):
        checks.one("bets", row, (list, tuple), rows)
    one = {"sizes": [list(row) for row in bets], "max_raises": max_raises, "max_players": 2}
    values = {
        "stacks": [stack + pot // 2] * 2, "blinds": [0, 0],
        "antes": [pot // 2] * 2, "first": [0] * rounds, "rounds": [one] * rounds,
    }  # fmt: skip
    try:
        return Endgame(cards, pot, stack, weights, GameConfig.parse(values, "game"))
    except UserError:
        raise UserError(
            f"bets: found {bets!r} with max_raises {max_raises}, wanted {rows}: fractions of the "
            "pot, 'A' for all-in or '300 chips', and up to 20 raises"
        ) from None


def _board(given: str | Sequence[str] | np.ndarray) -> np.ndarray:
    if isinstance(given, (list, tuple)) and all(isinstance(card, str) for card in given):
        given = " ".join(given)
    if not isinstance(given, np.ndarray):
        checks.text("board", given, "4s8hTc9h2s")
    cards = as_cards(given, RANKS)
    if not 3 <= len(cards) <= 5:
        raise UserError(f"board: found {len(cards)} cards, wanted 3, 4 or 5")
    return cards


def _weights(given: str | Range | np.ndarray) -> np.ndarray:
    if isinstance(given, str):
        return parse_range(given, RANKS)
    words = "words as 'AA,KQs:0.5', a range of a spot, or weights"
    checks.one("range", given, (Range, np.ndarray), words)
    weights = np.asarray(given.weights if isinstance(given, Range) else given, np.float64)
    if weights.shape != (n_holes(RANKS),) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise UserError(
            f"range: found shape {weights.shape}, wanted {n_holes(RANKS)} weights of 0 or more"
        )
    return weights
