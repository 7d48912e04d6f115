"""A hand as the person at the table may see it: no card of others before the hand is over."""

from typing import NamedTuple

from sixmax.betting.config import ROUNDS
from sixmax.cards.deck import format_cards
from sixmax.evaluation.match.by_hand import LiveHand
from sixmax.hands.record import Record
from sixmax.ongoing.translate import raise_by

SIZES = {"half": 0.5, "pot": 1.0}  # words for raises, in pots after calling


class SeatView(NamedTuple):
    """The part that a person may see, in plain values. Lists go by seat; amounts are chips."""

    number: int  # of the hand
    seat: int  # the person's
    names: tuple[str, ...]  # of the players
    positions: tuple[str, ...]  # SB, BB, …
    stacks: tuple[int, ...]  # left behind
    put_in: tuple[int, ...]  # over the whole hand
    before: tuple[int, ...]  # of that, before this round
    folded: tuple[bool, ...]
    blinds: tuple[int, ...]
    pot: int
    round: str  # preflop, flop, turn or river
    board: str  # as in AhKd2c
    hole: str  # the person's
    actions: tuple[tuple[tuple[int, int], ...], ...]  # by round: seat, and FOLD, CALL or raise-to
    over: bool
    actor: int  # the seat to act, -1 for none
    thinking: bool  # whether an agent is to act that searches
    legal: tuple[str, ...]  # of fold, check, call, raise: for the person to act, else none
    to_call: int
    raises: tuple[int, int] | None  # smallest and largest raise-to of the person to act
    sizes: dict[str, int]  # some raises-to by their words
    shown: tuple[str, ...]  # all hole cards, once the hand is over, else ()
    won: tuple[float, ...]  # net chips, once the hand is over, else ()

    @property
    def mine(self) -> bool:
        """Whether the person is to act."""
        return self.actor == self.seat


def see(hand: LiveHand, seat: int, ranks: int, record: Record | None) -> SeatView:
    """``hand`` as ``seat`` sees it; ``record`` is its end, None before."""
    betting, seats = hand.betting, hand.game.seats
    actor = betting.actor
    mine = actor == seat
    raises = betting.raise_range if mine else None
    board = hand.board if record is None else record.board
    shown = () if record is None else tuple(format_cards(h, ranks) for h in record.holes)
    return SeatView(
        number=hand.number,
        seat=seat,
        names=tuple(player.name for player in hand.players),
        positions=betting.names,
        stacks=tuple(map(int, betting.stacks)),
        put_in=tuple(map(int, betting.contributed)),
        before=tuple(map(int, hand.before)),
        folded=tuple(not betting.contenders >> p & 1 for p in range(seats)),
        blinds=tuple(hand.game.blinds),
        pot=int(betting.contributed.sum()),
        round=ROUNDS[len(hand.done) - 1],
        board=format_cards(board, ranks),
        hole=format_cards(hand.cards[2 * seat : 2 * seat + 2], ranks),
        actions=tuple(map(tuple, hand.done)),
        over=record is not None,
        actor=actor,
        thinking=actor >= 0 and not mine and bool(hand.players[actor].searching),
        legal=_legal(betting.to_call, raises) if mine else (),
        to_call=betting.to_call if mine else 0,
        raises=raises,
        sizes=_sizes(hand, raises) if raises else {},
        shown=shown,
        won=() if record is None else tuple(map(float, record.payoffs)),
    )


def _legal(to_call: int, raises: tuple[int, int] | None) -> tuple[str, ...]:
    words = ("fold", "call") if to_call else ("check",)
    return (*words, "raise") if raises else words


def _sizes(hand: LiveHand, raises: tuple[int, int]) -> dict[str, int]:
    """Raises-to by their words: the smallest, parts of the pot that lie between, all-in."""
    low, high = raises
    between = {word: raise_by(hand.betting.hand, pots) for word, pots in SIZES.items()}
    between = {word: chips for word, chips in between.items() if low < chips < high}
    return {"min": low, **between, "all-in": high}
