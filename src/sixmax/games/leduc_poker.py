"""Leduc poker (Southey et al. 2005): ante 1, raises of 2 and then 4, at most two a round.

One card each and one on the board, from two suits of n + 1 ranks. The conventions are OpenSpiel's,
so that its numbers are ours.
"""

import itertools

import numpy as np

from sixmax.betting.config import GameConfig
from sixmax.cfr.deals import Deals
from sixmax.games.game import Game, Known, Value
from sixmax.games.kuhn_poker import SEATS, ante_game, cards, check
from sixmax.games.listed import ListedGame, of_deals


def config(seats: int = 2) -> GameConfig:
    """The config for 2-5 players. Raises UserError."""
    return ante_game("leduc", seats, (2, 4), 2)


def leduc(players: int = 2) -> ListedGame:
    """Leduc poker for 2 to 5 players; ``K/Q`` is a king with a queen on the board.

    Raises UserError.
    """
    ranks, game = cards(players + 1), config(players)
    known = ranks, [f"{own}/{board}" for own in ranks for board in ranks]
    return of_deals("Leduc poker", game, deals(players), known)


def deals(seats: int = 2) -> Deals:
    """Every deal for ``seats`` players, in lexicographic order of the cards.

    Suits are dealt (so that deals are equally likely) but ignored; the bucket of round 0 is the
    rank of the own card, that of round 1 ``own rank * (n + 1) + board rank``. Raises UserError.
    """
    check("leduc", seats)
    ranks = seats + 1
    dealt = np.array(list(itertools.permutations(range(2 * ranks), seats + 1)), dtype=np.int32) // 2
    own, board = dealt[:, :seats], dealt[:, seats:]
    bucket = np.stack([own, own * ranks + board], axis=2)
    rank = np.where(own == board, ranks + own, own).astype(np.int32)
    return Deals(bucket, rank[:, None, :])


_TWO = Known(
    uniform="4.7472222",
    printed={
        "cfr": {10: ".8886", 100: ".0957", 1000: ".01182"},
        "cfr+": {10: ".6104", 100: ".01342", 1000: ".000257~.15"},
        "linear": {10: ".7211", 30: ".1448", 100: ".0345", 300: ".01527~.3", 1000: ".00483~.6"},
        "dcfr": {
            10: ".7788", 30: ".0638", 100: ".00775~.003", 300: ".000989~.25", 1000: ".000143~.5"
        },
    },
    value=Value("−0.0856064", -0.085606424078, 1000, 0.000257, "linear programme"),
    sampled={10_000: (".27", ".30"), 100_000: (".065", ".076"), 1_000_000: (".019", ".027")},
    ours={
        "blueprint": (1_000_000, 0.02), "libratus": (1_000_000, 0.02),
        "coarse": (100_000, 0.5),  # it is to be poor
    },
    beats={"search4": (300, ("coarse", "search1"))},
)  # fmt: skip
_THREE = Known(
    uniform="12.6112213",
    ours={
        "cfr": (100, 0.05), "cfr+": (100, 0.02), "linear": (100, 0.02), "dcfr": (100, 0.02),
        "mccfr": (300_000, 0.02), "blueprint": (300_000, 0.02), "libratus": (300_000, 0.02),
    },
)  # fmt: skip
GAMES = (Game("leduc", "Leduc poker", {2: _TWO, 3: _THREE}, config, deals, seats=SEATS),)
