"""Games for tests: by hand, and by hypothesis."""

import numpy as np
from hypothesis import strategies as st

from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.state import Betting

# The only optimal strategy of the second player of the coin toss: heads, tails (Libratus paper).
GUESS = np.array([0.25, 0.75])
SIZES = [0.25, 0.5, 0.75, 1, 1.5, 2.0, "A", "3 chips"]


def holdem(stacks, sizes=((1,),), max_raises=1, max_players=10, *, blinds=None, ante=0, rounds=4):
    """Hold'em as the ACPC seats it: small blind first, but last of two."""
    n = len(stacks)
    usual = [100, 50] if n == 2 else [50, 100, *[0] * (n - 2)]
    rows = [list(row) for row in sizes]
    offered = RoundSizes(sizes=rows, max_raises=max_raises, max_players=max_players)
    return GameConfig(
        stacks=list(stacks), blinds=list(blinds or usual), antes=[ante] * n,
        first=[1 if n == 2 else 2, 0, 0, 0][:rounds], rounds=[offered] * rounds,
    )  # fmt: skip


def hand_after(game, actions):
    """The hand of ``game`` after ``actions``."""
    betting = Betting(game)
    for action in actions:
        betting.act(action)
    return betting


@st.composite
def games(draw, seats=(2, 9), stack=60, rounds=(1, 4), max_raises=3, max_width=3):
    """Any game: stacks far apart, blinds and antes that some cannot pay, any seat first."""
    n = draw(st.integers(*seats))
    count = draw(st.integers(*rounds))
    row = st.lists(st.sampled_from(SIZES), max_size=max_width)
    return GameConfig(
        stacks=draw(st.lists(st.integers(1, stack), min_size=n, max_size=n)),
        blinds=draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)),
        antes=[draw(st.integers(1, 3))] * n,
        first=draw(st.lists(st.integers(0, n - 1), min_size=count, max_size=count)),
        rounds=[
            RoundSizes(
                sizes=draw(st.lists(row, min_size=1, max_size=3)),
                max_raises=draw(st.integers(0, max_raises)),
                max_players=draw(st.integers(2, 10)),
            )
            for _ in range(count)
        ],
    )
