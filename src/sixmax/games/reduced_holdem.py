"""Reduced hold'em: three betting rounds, two private cards, and few enough deals to list.

A deck of a few ranks in three suits; each player holds two cards, one card comes on the flop and
one on the turn. The best four-card hand wins: larger groups of a rank count first, then higher
ranks (three of a kind, two pairs, a pair, high card). Suits only say how many there are.
"""

import itertools

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.cfr.deals import Deals
from sixmax.games.game import Game, Known
from sixmax.games.listed import ListedGame, of_deals

RANKS = 4
SUITS = 3
STACK, BIG_BLIND = 20, 2  # chips


def game(max_raises: int = 2) -> GameConfig:
    """Two players with blinds of 1 and 2 chips, raises of the pot, ``max_raises`` a round.

    The small blind is seat 0, first before the flop and last after it.
    """
    pot = RoundSizes(sizes=[[1]], max_raises=max_raises, max_players=2)
    return GameConfig(
        stacks=[STACK, STACK],
        blinds=[BIG_BLIND // 2, BIG_BLIND],
        antes=[0, 0],
        first=[0, 1, 1],
        rounds=[pot, pot, pot],
    )


def reduced() -> ListedGame:
    """Reduced hold'em for two; its infosets are numbered as :func:`deals` does."""
    return of_deals("Reduced hold’em", game(), deals())


def deals(ranks: int = RANKS) -> Deals:
    """Deals of ``ranks`` ranks; a deal that is k times as likely is listed k times.

    The bucket of round 0 is the pair of ranks held; a later one is ``bucket of the round before *
    ranks + rank on the board``. Raises UserError for a deck too small or too large to list.
    """
    if not 2 <= ranks <= 6:
        raise UserError(f"reduced hold'em: found {ranks} ranks, wanted 2 to 6")
    pairs = list(itertools.combinations_with_replacement(range(ranks), 2))
    rows, ranked, times = [], [], []
    for a, b, flop, turn in itertools.product(
        range(len(pairs)), range(len(pairs)), range(ranks), range(ranks)
    ):
        ways = _ways([*_split(pairs[a]), *_split(pairs[b]), {flop: 1}, {turn: 1}], ranks)
        if ways:
            known = [(p, p * ranks + flop, (p * ranks + flop) * ranks + turn) for p in (a, b)]
            rows.append(known)
            ranked.append([[_value((*pairs[p], flop, turn)) for p in (a, b)]])
            times.append(ways)
    times = np.array(times) // np.gcd.reduce(times)
    return Deals(
        np.repeat(np.array(rows, np.int32), times, axis=0),
        np.repeat(np.array(ranked, np.int32), times, axis=0),
    )


def _split(pair: tuple[int, int]) -> list[dict[int, int]]:
    """The cards of a hand that are drawn together: two of a rank, or one and one."""
    return [{pair[0]: 2}] if pair[0] == pair[1] else [{pair[0]: 1}, {pair[1]: 1}]


def _ways(drawn: list[dict[int, int]], ranks: int) -> int:
    """The number of ways to draw cards of these ranks from the deck, group after group."""
    left, ways = [SUITS] * ranks, 1
    for group in drawn:
        for rank, n in group.items():
            ways *= left[rank] * (left[rank] - 1) // 2 if n == 2 else left[rank]
            left[rank] -= n
    return max(ways, 0) if min(left) >= 0 else 0


def _value(cards: tuple[int, ...]) -> int:
    """A number that is higher for the better hand of four cards."""
    groups = sorted(((cards.count(r), r) for r in set(cards)), reverse=True)
    groups += [(0, 0)] * (4 - len(groups))
    value = 0
    for digit in (*(n for n, _ in groups), *(r for _, r in groups)):
        value = 8 * value + digit
    return value


_KNOWN = Known(
    uniform=11.2491703,
    ours={"coarse": (100_000, 0.5), "cfr+": (100, 0.02)},  # coarse is to be poor
    beats={"search4": (300, ("coarse", "search1"))},
)
GAMES = (
    Game("reduced", "Reduced hold’em", {2: _KNOWN}, lambda seats: game(), lambda seats: deals()),
)
