"""A flop game of twenty cards, its equilibrium, and an opening bet that it lacks."""

import functools

from sixmax.studies.flop_games.game import open_game
from sixmax.studies.flop_games.learn import equilibrium
from sixmax.studies.flop_games.off_tree import embedded
from sixmax.studies.modicum import makers
from studies.flop_games.small import RANKS, SETTINGS

BET = 0.75
SMALL = SETTINGS.model_copy(
    update={"preflop": [[0.5, 1, "A"], [1, "A"], ["A"]], "max_raises": 3, "flops": 3}
)


@functools.cache
def game(ranks=RANKS):
    return open_game(SMALL, 1, ranks=ranks)


@functools.cache
def solved(ranks=RANKS, iterations=400):
    return equilibrium(game(ranks), iterations)


@functools.cache
def case():
    return embedded(game(), solved(), open_game(SMALL, 1, BET, RANKS))


@functools.cache
def own():
    """Three self-generated continuations in the game with the bet, after its equilibrium."""
    large = case().game
    return makers.generate(large, equilibrium(large, 400), 0, 3, 200)


@functools.cache
def known():
    """Three self-generated continuations."""
    return makers.generate(game(), solved(), 0, 3, 200)
