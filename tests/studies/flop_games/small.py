"""Flop and turn games of twenty cards, their settings, and the deals of one of twelve."""

import functools
import itertools

import numpy as np

from oracles.cards import best_hand, holes
from sixmax.cards.deck import classes, hole_id
from sixmax.cards.isomorphism import boards
from sixmax.cfr.deals import Deals
from sixmax.cfr.methods import DCFR
from sixmax.studies.flop_games.game import FlopGameSettings, open_game
from sixmax.studies.flop_games.off_tree import embedded
from sixmax.studies.libratus import blueprint

RANKS = 5
SETTINGS = FlopGameSettings(
    stack=1000, preflop=[[1], ["A"]], flop=[[1, "A"], ["A"]], max_raises=2, flops=3
)
FEW = 3  # ranks: twelve cards, whose deals can be listed
THREE = SETTINGS.model_copy(update={"flop": [[1]], "turn": [[1], ["A"]], "flops": 1})


@functools.cache
def game():
    return open_game(SETTINGS, 1, ranks=RANKS)


def with_bets(*first, more=("A",), raises=2, stack=1000):
    """The game with other first bets on the flop, and ``more`` raises of them."""
    changes = {"flop": [list(first), list(more)], "max_raises": raises, "stack": stack}
    return open_game(SETTINGS.model_copy(update=changes), 1, ranks=RANKS)


@functools.cache
def missing_bet():
    """A game, its blueprint, and both where the opponent may bet .3 pots on the flop, too."""
    small = with_bets(1.5, "A")
    strategy = blueprint.solve(small, 0, 150, DCFR).strategy
    return small, strategy, embedded(small, strategy, with_bets(0.3, 1.5, "A"))


def loses(of, strategy):
    """Half of NashConv, chips a hand."""
    return of.nash_conv(strategy).total / 2


@functools.cache
def coarse():
    """A blueprint of five buckets, far from an equilibrium."""
    return blueprint.solve(game(), 5, 40)


@functools.cache
def three():
    """The game of three rounds."""
    return open_game(THREE, 1, ranks=RANKS)


@functools.cache
def coarse_three():
    return blueprint.solve(three(), 5, 40)


def listed(flop_game):
    """All deals of the game, a flop as often as it weighs; a bucket is a class, then a hole."""
    count = boards(FEW, 3).count[flop_game.flops]
    each, of_hole = len(flop_game.cards.of_hole), classes(FEW)
    turns = len(flop_game.board) // len(count)  # 1: the game ends on the flop
    buckets, ranks = [], []
    for b, board in enumerate(flop_game.board.tolist()):
        held = [h for h in holes(FEW) if not set(h) & set(board)]
        value = {h: best_hand((*h, *board), FEW) for h in held}
        order = sorted(value.values())
        for pair in itertools.permutations(held, 2):
            if not set(pair[0]) & set(pair[1]):
                ids = [hole_id(*h) for h in pair]
                seen = [b // turns, b] if turns > 1 else [b]
                bucket = [[int(of_hole[i]), *(each * n + i for n in seen)] for i in ids]
                buckets += [bucket] * int(count[b // turns])
                ranks += [[[order.index(value[h]) for h in pair]]] * int(count[b // turns])
    return Deals(np.array(buckets, np.int32), np.array(ranks, np.int32))
