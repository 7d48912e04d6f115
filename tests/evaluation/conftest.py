import pytest

from evaluation.small_games import Small, drawn, small
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.cfr.deals import Deals
from sixmax.games import GAMES


def listed(name, seats):
    """The fixture of the game ``name``."""
    game = GAMES[name]
    return pytest.fixture(scope="session")(
        lambda: small(game.config(seats), Deals(*game.deals(seats)))
    )


kuhn3, leduc2, leduc3 = listed("kuhn", 3), listed("leduc", 2), listed("leduc", 3)


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
    return drawn(config, 3, 60, 3, 4)
