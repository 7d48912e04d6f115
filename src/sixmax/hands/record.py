"""One played hand of any players, to be counted, corrected and written down.

The text forms are :mod:`sixmax.betting.notation` (one ACPC line, names and cards as letters) and
PHH (:mod:`sixmax.hands.phh`); here the same hand is numbers, with its rules.
"""

import functools
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from sixmax.base.config_section import one_line
from sixmax.base.errors import UserError
from sixmax.betting import notation
from sixmax.betting.config import SEEN, GameConfig, RoundSizes
from sixmax.betting.state import Betting
from sixmax.cards.deck import as_cards, format_cards
from sixmax.hands.showdown import settled, values
from sixmax.hands.table_rules import TableRules, is_dead, min_bet, unit_of

_UNWRITABLE = re.compile(r"[:|\s\ud800-\udfff]")  # in a name: an end of the field, or no UTF-8
STAKES = ("seats", "blinds", "antes", "first")  # of the rules: those of hands of any stacks
GAME = (*STAKES, "stacks")  # of the rules: those of one game
UNSEEN = -1  # a card that was not shown
_NO_RAISES = RoundSizes(sizes=[[1]], max_raises=0, max_players=2)

Actions = tuple[tuple[tuple[int, int], ...], ...]


class Record(NamedTuple):
    """One played hand of hold'em. All lists go by seat, but for actions and board."""

    number: int  # of the hand in its match or file
    names: tuple[str, ...]  # of the players
    rules: GameConfig  # stacks, blinds, antes (chips) and first players; no bet sizes
    ranks: int  # of the deck, 13 for all cards
    actions: Actions  # by round reached: (seat, FOLD, CALL or raise-to as in betting/rules.py)
    holes: np.ndarray  # int8[seats, 2]; UNSEEN where not shown
    board: np.ndarray  # int8[0, 3, 4 or 5], the cards dealt
    payoffs: np.ndarray  # float64[seats], net chips
    mucked: int = 0  # bit mask of the seats that gave their hand up at the showdown

    @property
    def stacks(self) -> np.ndarray:
        """int64[seats]: chips before antes and blinds."""
        return np.array(self.rules.stacks, np.int64)

    @property
    def hole_texts(self) -> tuple[str, ...]:
        """The hole cards by seat, as AhKd; "" where they were not shown."""
        return tuple("" if UNSEEN in h else format_cards(h, self.ranks) for h in self.holes)


Parser = Callable[[str, str], tuple[Record, np.ndarray]]  # of text and place: payoffs by the rules


def rules(
    stacks: list[int], blinds: list[int], antes: list[int], first: list[int], **own: Any
) -> GameConfig:
    """The rules of a hand whose bet sizes do not matter; ``own`` as of TableRules."""
    given = {"stacks": stacks, "blinds": blinds, "antes": antes, "first": first, **own}
    given["rounds"] = [_NO_RAISES.model_dump()] * len(first)
    kind = TableRules if own else GameConfig
    try:
        return kind.model_validate(given)
    except ValidationError as error:  # no reader of a hand is sent to the keys of a config
        text = one_line(error, kind, "game")
        raise UserError(text.removesuffix(f"; {kind.explained} explains every key")) from None


def big_blind(game: GameConfig) -> int:
    """Chips: the largest blind, or the largest ante where there are no blinds.

    Of straddled hands the smallest bet, where a blind is as large.
    """
    least = min_bet(game)
    return least if least in game.blinds else game.big_blind


def record(
    number: int,
    names: tuple[str, ...],
    game: GameConfig,
    ranks: int,
    actions: tuple[tuple[int, ...], ...],
    cards: np.ndarray,
) -> Record:
    """The record of a hand that was dealt ``cards`` int8[2 seats + 5] and went by ``actions``.

    The board ends with the last card dealt. Raises UserError where an action is illegal or the
    hand does not end.
    """
    betting = Betting(game)
    by_round = _played(betting, actions)
    holes = cards[: 2 * game.seats].reshape(-1, 2).astype(np.int8)
    shown = betting.showdown
    seen = game.board_cards if shown else SEEN[betting.round]
    board = cards[2 * game.seats :][:seen].astype(np.int8)
    net = betting.payoffs(values(holes, board) if shown else None)
    return Record(number, names, game, ranks, by_round, holes, board, net)


def from_line(
    line: str, game: GameConfig, ranks: int = 13, place: str = "hand", start: Betting | None = None
) -> tuple[Record, np.ndarray]:
    """The record of an ACPC line with its payoffs, and those by the rules: float64[seats].

    ``start`` is a hand of ``game`` before its first action, so that many lines share it. Raises
    UserError for an error in the line, naming ``place``.
    """
    parsed = notation.parse(line, place)
    if len(parsed.names) != game.seats:
        raise UserError(f"{place}: found {len(parsed.names)} players, wanted {game.seats}")
    betting = Betting(game) if start is None else start.copy()
    by_round = _played(betting, parsed.actions, place)
    holes = [numbered(text, ranks) or (UNSEEN, UNSEEN) for text in parsed.holes]
    board = [card for text in parsed.boards for card in numbered(text, ranks)]
    hand = Record(
        parsed.number, parsed.names, game, ranks, by_round, np.array(holes, np.int8),
        np.array(board, np.int8), np.array(parsed.payoffs),
    )  # fmt: skip
    return hand, settled(betting, hand, place, hand.payoffs)


@functools.lru_cache(maxsize=1 << 14)
def numbered(text: str, ranks: int = 13) -> tuple[int, ...]:
    """The cards in ``text``, such as AhKd, as numbers. Raises UserError as parse_cards does."""
    return tuple(as_cards(text, ranks).tolist())


def shift(game: GameConfig) -> int:
    """Where seat 0 of the ACPC sits: 1 for two players with the small blind first, else 0."""
    return int(game.seats == 2 and game.blinds[0] < game.blinds[1])


def turned(hand: Record, by: int) -> Record:
    """``hand`` with the seats numbered from seat ``by`` on."""
    if not by:
        return hand
    seats = hand.rules.seats
    return hand._replace(
        names=hand.names[by:] + hand.names[:by],
        rules=turned_rules(hand.rules, by),
        actions=tuple(tuple(((s - by) % seats, a) for s, a in part) for part in hand.actions),
        holes=np.roll(hand.holes, -by, axis=0),
        payoffs=np.roll(hand.payoffs, -by),
        mucked=sum(1 << (s - by) % seats for s in range(seats) if hand.mucked >> s & 1),
    )


def seated(hand: Record, game: GameConfig, keys: tuple[str, ...] = GAME) -> Record:
    """``hand`` in the seats of ``game``.

    Raises UserError where one of ``keys`` differs, and for rules that no run has.
    """
    its, place = hand.rules, f"hand {hand.number}"
    if is_dead(its):
        raise UserError(f"{place}: found antes {its.antes}, wanted the same of all")
    if (least := min_bet(its)) != max(*its.blinds, 1):
        raise UserError(
            f"{place}: found raises by {least / unit_of(its):g} or more, wanted by the largest "
            "blind or more"
        )
    for by in range(game.seats):
        own = turned_rules(its, by)
        if all(getattr(own, key) == getattr(game, key) for key in keys):
            return turned(hand, by)
    actual, wanted = (
        ", ".join(f"{key} {getattr(each, key)}" for key in keys) for each in (its, game)
    )
    raise UserError(f"{place}: found {actual}; wanted {wanted}")


def turned_rules(game: GameConfig, by: int) -> GameConfig:
    """``game`` with the seats numbered from seat ``by`` on."""
    values = game.model_dump()
    for name in ("stacks", "blinds", "antes"):
        values[name] = values[name][by:] + values[name][:by]
    values["first"] = [(seat - by) % game.seats for seat in game.first]
    return type(game).parse(values, "game")


def to_line(hand: Record) -> str:
    """The ACPC line of ``hand``, without the end of line."""
    return notation.form(to_notation(hand))


def to_notation(hand: Record) -> notation.Line:
    """``hand`` with cards as letters. After an all-in the rounds left are empty, boards dealt."""
    actions = [tuple(action for _, action in part) for part in hand.actions]
    rounds = SEEN.index(len(hand.board)) + 1
    actions += [()] * (rounds - len(actions))
    boards = [format_cards(hand.board[a:b], hand.ranks) for a, b in pairwise(SEEN[:rounds])]
    payoffs = tuple(float(chips) for chips in hand.payoffs)
    names = tuple(_UNWRITABLE.sub("_", name) for name in hand.names)
    return notation.Line(
        hand.number, tuple(actions), hand.hole_texts, tuple(boards), payoffs, names
    )


def _played(betting: Betting, actions: tuple[tuple[int, ...], ...], place: str = "hand") -> Actions:
    """Do ``actions`` in ``betting``, which has just begun; the same with their seats."""
    seats = notation.play_seats(actions, betting, place)
    if not betting.over:
        raise UserError(f"{place}: the hand stops with {betting.names[betting.actor]} to act")
    by_round, at = [], 0
    for part in filter(None, actions):  # rounds after an all-in are empty
        by_round.append(tuple(zip(seats[at:], part, strict=False)))
        at += len(part)
    return tuple(by_round)
