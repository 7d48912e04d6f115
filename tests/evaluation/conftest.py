import numpy as np
import pytest

from evaluation.small_games import Small, small
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.cfr.deals import Deals
from sixmax.games import GAMES


@pytest.fixture(scope="session")
def kuhn3() -> Small:
    return small(GAMES["kuhn"].config(3), Deals(*GAMES["kuhn"].deals(3)))


@pytest.fixture(scope="session")
def leduc2() -> Small:
    return small(GAMES["leduc"].config(2), Deals(*GAMES["leduc"].deals(2)))


@pytest.fixture(scope="session")
def leduc3() -> Small:
    return small(GAMES["leduc"].config(3), Deals(*GAMES["leduc"].deals(3)))


@pytest.fixture(scope="session")
def uneven() -> Small:
    """Four seats with unequal stacks and blinds, two rounds, ties: side pots of every shape."""
    config = GameConfig(
        stacks=[300, 500, 900, 1300],
        blinds=[50, 100, 0, 0],
        antes=[0, 0, 0, 0],
        first=[2, 0],
        rounds=[
            RoundSizes(sizes=[[1], ["A"]], max_raises=2, max_players=4),
            RoundSizes(sizes=[["A"]], max_raises=1, max_players=2),
        ],
    )
    random = np.random.default_rng(3)
    bucket = random.integers(0, 3, (60, 4, 2)).astype(np.int32)
    bucket[0] = 2
    return small(config, Deals(bucket, random.integers(0, 4, (60, 1, 4)).astype(np.int32)))
