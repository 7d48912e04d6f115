"""Games with known answers, as configs of the same tree: Kuhn and Leduc poker.

The conventions are OpenSpiel's, so that its numbers are ours. Kuhn (Kuhn 1950): ante 1, one bet
of 1, one card each from n + 1. Leduc (Southey et al. 2005): ante 1, raises of 2 and then 4, at
most two a round, one card each and one on the board, from two suits of n + 1 ranks.
"""

import itertools

import numpy as np

from sixmax.cfr.deals import Deals
from sixmax.errors import UserError
from sixmax.game.config import GameConfig, RoundSizes

NAMES = ("kuhn", "leduc")


def game(name: str, seats: int = 2) -> GameConfig:
    """The config of ``name`` ("kuhn" or "leduc") for 2-5 players. Raises UserError."""
    _check(name, seats)
    raises, cap = {"kuhn": ((1,), 1), "leduc": ((2, 4), 2)}[name]
    rounds = [
        RoundSizes(sizes=[[f"{chips} chips"]], max_raises=cap, max_players=seats)
        for chips in raises
    ]
    return GameConfig(
        cards=name,
        stacks=[1 + cap * sum(raises)] * seats,
        blinds=[0] * seats,
        antes=[1] * seats,
        first=[0] * len(rounds),
        rounds=rounds,
    )


def deals(name: str, seats: int = 2) -> Deals:
    """Every deal of ``name`` for ``seats`` players, in lexicographic order of the cards.

    Kuhn: (n + 1)! / 1! deals, the bucket is the card. Leduc: suits are dealt (so that deals are
    equally likely) but ignored; the bucket of round 0 is the rank of the own card, that of round 1
    ``own rank * (n + 1) + board rank``. Raises UserError for a game or a number of seats unknown.
    """
    _check(name, seats)
    ranks = seats + 1
    if name == "kuhn":
        own = np.array(list(itertools.permutations(range(ranks), seats)), dtype=np.int32)
        return Deals(own[:, :, None], own[:, None, :])
    dealt = np.array(list(itertools.permutations(range(2 * ranks), seats + 1)), dtype=np.int32) // 2
    own, board = dealt[:, :seats], dealt[:, seats:]
    bucket = np.stack([own, own * ranks + board], axis=2)
    rank = np.where(own == board, ranks + own, own).astype(np.int32)
    return Deals(bucket, rank[:, None, :])


def _check(name: str, seats: int) -> None:
    if name not in NAMES:
        raise UserError(f"toy game: found {name!r}, wanted one of {', '.join(NAMES)}")
    if not 2 <= seats <= 5:
        raise UserError(f"{name}: found {seats} seats, wanted 2 to 5: all deals are enumerated")
