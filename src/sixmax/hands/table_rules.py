"""The rules of a hand played at any table, which have more than those of a run.

A run has whole chips, equal antes, and the largest blind as its smallest raise. A hand of a file
may be in cents, straddled, or pay an ante from one seat alone.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.config import MAX_CHIPS, GameConfig
from sixmax.betting.state import Betting

ENDLESS = 10**8  # chips of a stack that the file does not know: more than anybody bets
INFINITE = math.inf  # PHH's word for such a stack
DECIMALS = 9  # of an amount: further ones are the noise of binary fractions
CENTS = 2  # decimals of the unit of hands that are not in whole chips, or more where they have more

Amount = int | Decimal


class TableRules(GameConfig):
    """Rules that no run has; amounts are chips, ``unit`` of them one of the file's."""

    min_bet: int = Field(ge=1)  # the smallest bet, and by how much a raise raises at least
    dead: bool = False  # antes belong to the main pot whole, whatever each player paid
    unit: int = 1
    unknown: bool = False  # whether some stacks are: ENDLESS

    @field_validator("blinds", "antes")
    @classmethod
    def _posted(cls, chips: list[int], info: ValidationInfo) -> list[int]:
        if len(chips) != len(info.data.get("stacks", chips)):
            raise ValueError(f"one number for each of the {len(info.data['stacks'])} stacks")
        if min(chips) < 0 or max(chips) > MAX_CHIPS:
            raise ValueError("numbers of chips, 0 or more")
        return chips


def unit_of(game: GameConfig) -> int:
    """Chips of ``game`` to one of the amounts in its file."""
    return game.unit if isinstance(game, TableRules) else 1


def min_bet(game: GameConfig) -> int:
    """Chips: the smallest bet, and by how much a raise raises at least."""
    return game.min_bet if isinstance(game, TableRules) else max(*game.blinds, 1)


def is_dead(game: GameConfig) -> bool:
    """Whether antes belong to the main pot whole, and are no part of a bet."""
    return isinstance(game, TableRules) and game.dead


def dead_antes(game: GameConfig) -> np.ndarray:
    """int64[seats]: chips that belong to the main pot and to no bet, so that nobody calls them."""
    return np.minimum(game.antes, game.stacks) if is_dead(game) else np.zeros(game.seats, np.int64)


def live_antes(game: GameConfig) -> np.ndarray:
    """int64[seats]: chips of antes that are in front of their seats, as part of its bets."""
    return np.zeros(game.seats, np.int64) if is_dead(game) else np.minimum(game.antes, game.stacks)


def betting_of(game: GameConfig) -> Betting:
    """The betting of a hand of ``game`` from the first action on; dead antes are in no seat."""
    if not isinstance(game, TableRules):
        return Betting(game)
    if game.dead:
        left = np.array(game.stacks) - dead_antes(game)
        game = game.model_copy(update={"stacks": left.tolist(), "antes": [0] * game.seats})
    betting = Betting(game)
    betting.hand[[rules.BIG_BLIND, rules.REOPEN]] = game.min_bet
    return betting


@functools.lru_cache(maxsize=4096)
def opener(posts: tuple[int, ...], antes: tuple[int, ...], stacks: tuple[int, ...]) -> int:
    """The seat that acts first: the next after the last of the largest posts.

    Where stacks are too short for their posts those paid count, as in pokerkit, if that changes who
    acts. Posts below 0 are of players who come late, and do not count.
    """
    seats = range(len(posts))
    left = [max(0, stacks[seat] - antes[seat]) for seat in seats]
    paid = [min(posts[seat], left[seat]) for seat in seats]

    def after(chips: Sequence[int]) -> list[int]:
        last = max(seats, key=lambda seat: (chips[seat], seat))
        return [(last + 1 + seat) % len(posts) for seat in seats]

    def actor(order: list[int]) -> int:
        return next((seat for seat in order if left[seat] > abs(posts[seat])), -1)

    usual, actual = after(posts), after(paid)
    return usual[0] if actor(usual) == actor(actual) else actual[0]


@njit
def must_check(hand, seat):
    """Whether ``seat`` is in, owes nothing, and has nobody to bet against: no turn of ours."""
    stack, high = hand[rules.STACKS + seat], hand[rules.HIGH]
    able = (
        hand[rules.LEFT] > 1
        and hand[rules.CHIPS + seat] < stack
        and rules.contenders(hand) >> seat & 1
    )
    return able and hand[rules.CHIPS + seat] >= high and rules.deepest_opponent(hand, seat) <= high


def exact(value: Any) -> Amount:
    """A number of a file without binary fractions, rounded to DECIMALS; an int where whole.

    Raises UserError for infinities, ValueError for what is no number.
    """
    if type(value) is int:
        return value
    if not isinstance(value, Decimal):
        raise ValueError(f"found {value!r}, wanted a number")
    if not value.is_finite():
        raise UserError(f"found {value} chips, which only starting_stacks may have")
    value = round(value, DECIMALS).normalize()
    return int(value) if value == int(value) else value


def unit_for(amounts: Iterable[Amount]) -> int:
    """The smallest number of chips to one, such that all ``amounts`` are whole chips.

    1, or else 100 or a larger power of ten: one unit, as far as possible, for the hands of a file.
    """
    places = [-v.as_tuple().exponent for v in amounts if isinstance(v, Decimal)]
    return 10 ** max(CENTS, *places) if places else 1
