"""A flop game of twenty cards, and its settings."""

import functools

from sixmax.libratus import blueprint
from sixmax.libratus.config import GameSettings
from sixmax.libratus.game import open_game

RANKS = 5
SETTINGS = GameSettings(
    stack=1000, preflop=[[1], ["A"]], flop=[[1, "A"], ["A"]], max_raises=2, flops=3
)


@functools.cache
def game():
    return opened(SETTINGS)


def opened(settings):
    return open_game(settings.game(), settings.flops, 1, RANKS)


def with_bets(*first, more=("A",), raises=2, stack=1000):
    """The game with other first bets on the flop, and ``more`` raises of them."""
    changes = {"flop": [list(first), list(more)], "max_raises": raises, "stack": stack}
    return opened(SETTINGS.model_copy(update=changes))


@functools.cache
def coarse():
    """A blueprint of five buckets, far from an equilibrium."""
    return blueprint.solve(game(), 5, 40)
