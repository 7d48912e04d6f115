"""Kuhn poker (Kuhn 1950): ante 1, one bet of 1, one card each from n + 1.

The conventions are OpenSpiel's, so that its numbers are ours.
"""

import itertools

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.cfr.deals import Deals
from sixmax.games.game import FULL_WIDTH, SAMPLED, Game, Known, Value
from sixmax.games.listed import ListedGame, of_deals

SEATS = (2, 3, 4, 5)


def config(seats: int = 2) -> GameConfig:
    """The config for 2-5 players. Raises UserError."""
    return ante_game("kuhn", seats, (1,), 1)


def kuhn(players: int = 2) -> ListedGame:
    """Kuhn poker for 2 to 5 players, its infosets named after cards. Raises UserError."""
    return of_deals("Kuhn poker", config(players), deals(players), [cards(players + 1)])


def cards(ranks: int) -> list[str]:
    """The names of so many ranks, the lowest first: J, Q, K of three."""
    return list("89TJQK"[-ranks:])


def deals(seats: int = 2) -> Deals:
    """Every deal, (n + 1)! of them, in lexicographic order; the bucket is the card."""
    check("kuhn", seats)
    own = np.array(list(itertools.permutations(range(seats + 1), seats)), dtype=np.int32)
    return Deals(own[:, :, None], own[:, None, :])


def ante_game(name: str, seats: int, raises: tuple[int, ...], cap: int) -> GameConfig:
    """Ante 1, then rounds with raises of so many chips, at most ``cap`` a round."""
    check(name, seats)
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


def check(name: str, seats: int) -> None:
    """Raise UserError where the deals of so many seats are too many to list."""
    if seats not in SEATS:
        raise UserError(f"{name}: found {seats} seats, wanted 2 to 5: all deals are enumerated")


_TWO = Known(
    uniform="0.916667",
    printed={
        "cfr": {10: ".0687", 100: ".00823", 1000: ".000938", 10_000: ".000113"},
        "cfr+": {10: ".0327", 100: ".00119", 1000: "8.7e-5", 10_000: "9.6e-6"},
        "linear": {10: ".02125", 100: ".00109", 1000: "9.35e-5"},
    },
    value=Value("−1/18", -1 / 18, 10_000, 9.6e-6, "Kuhn 1950"),
    sampled={
        10_000: (".0075", ".0138"), 100_000: (".0024", ".0032"), 1_000_000: (".0005", ".0009")
    },
    ours={"dcfr": (10_000, 0.02), "blueprint": (1_000_000, 0.02), "libratus": (1_000_000, 0.02)},
)  # fmt: skip
_THREE = Known(
    uniform="2.0625",
    printed={"cfr": {10: ".3125", 100: ".0370", 1000: ".00392"}},
    sampled={10_000: (".03", ".05"), 100_000: (".011", ".024")},
    ours={
        "cfr+": (10_000, 0.02), "linear": (10_000, 0.02), "dcfr": (10_000, 0.02),
        "blueprint": (100_000, 0.02), "libratus": (100_000, 0.02),
    },
)  # fmt: skip
GAMES = (
    Game("kuhn", "Kuhn poker", {2: _TWO, 3: _THREE}, config, deals, (*FULL_WIDTH, *SAMPLED), SEATS),
)
