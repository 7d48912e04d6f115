"""Buckets of the later rounds through a solve on the full deck: from flop and turn."""

import functools

import numpy as np
import pytest

from search.holdem import public_state
from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop import cluster
from sixmax.abstraction.flop.kernels import BLOCKED, river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.rules import CALL
from sixmax.betting.tree_build import build as build_tree
from sixmax.cards.deck import as_cards, classes, hole_cards, hole_id, n_cards, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import strategy_at
from sixmax.ongoing.locate import places
from sixmax.search.solvers.problem import Problem
from sixmax.search.solvers.sampled import Effort, solve_for
from sixmax.search.subgame import SubgameCards, build

RANKS, COUNT = 13, 500
HOLES = n_holes(RANKS)
FLOP, TURN = as_cards("8d4d3s", RANKS), as_cards("8d4d3sQh", RANKS)
BET = 300  # raise-to: all that each has put in after a pot bet


def bucketed(board):
    """Hands on ``board`` by strength into COUNT buckets of one size: uint16[H]."""
    rank, bucket = np.empty(HOLES, np.int32), np.full(HOLES, BLOCKED, np.uint16)
    rank_holes(board, RANKS, rank)
    free = np.flatnonzero(rank >= 0)
    bucket[free[np.argsort(rank[free], kind="stable")]] = np.arange(len(free)) * COUNT // len(free)
    return bucket


@functools.cache
def by_strength():
    """Buckets as the search's, but by strength alone: a second instead of ten."""
    rest = [card for card in range(n_cards(RANKS)) if card not in FLOP]
    turn = np.full((n_cards(RANKS), HOLES), BLOCKED, np.uint16)
    river = np.full((HOLES, HOLES), BLOCKED, np.uint16)
    for card in rest:
        turn[card] = bucketed(np.array([*FLOP, card], np.int8))
    for pair, (a, b) in enumerate(hole_cards(RANKS)):
        if a in rest and b in rest:
            river[pair] = bucketed(np.array([*FLOP, a, b], np.int8))
    suits, hole = np.arange(4).astype(np.int8), np.arange(HOLES).astype(np.int16)
    strength = np.linspace(0, 1, COUNT).astype(np.float32)
    return FlopBuckets(turn, river, suits, hole, strength, strength)


@functools.cache
def blueprint():
    """The game, tree and buckets of a blueprint for two that knows nothing after the flop."""
    pot = RoundSizes(sizes=[[1]], max_raises=1, max_players=2)
    game = GameConfig(
        stacks=[2000, 2000], blinds=[50, 100], antes=[0, 0], first=[0, 1, 1, 1], rounds=[pot] * 4
    )
    tables = [np.zeros((len(boards(RANKS, k).count), HOLES), np.uint8) for k in (3, 4, 5)]
    counts = np.array([RANKS**2, 1, 1, 1], np.int32)
    strength = np.zeros((4, RANKS**2), np.float32)
    buckets = Buckets(classes(RANKS)[None], *tables, counts, strength)
    return game, build_tree(game), buckets


def solved(board, actions, iterations=20_000, later=None):
    """The subgame of two players who limped, and what is played in it on average."""
    game, tree, buckets = blueprint()
    state = public_state(game, board, actions)
    subgame = build(state, game.rounds, places(game, tree), RANKS, COUNT)
    assert subgame.to_the_end
    cards = SubgameCards(RANKS, buckets, later or by_strength())
    problem = Problem(subgame, np.ones((2, HOLES)), 1, cards)
    return subgame, solve_for(problem, Effort(iterations, batch=100)).average


def rows(subgame, strategy, actions):
    """The strategy after ``actions`` of the subgame, by bucket."""
    return strategy_at(subgame.tree, subgame.layout, strategy, subgame.tree.find(actions))


def fold_share(rows, part):
    """How often the weakest or the strongest tenth of the buckets folds to a bet."""
    return rows[: COUNT // 10, 0].mean() if part == "weak" else rows[-COUNT // 10 :, 0].mean()


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("board", "before", "bets"),
    [
        (FLOP, [CALL, CALL], {"turn": (CALL, CALL), "river": (CALL,) * 4}),
        (TURN, [CALL] * 4, {"river": (CALL, CALL)}),
    ],
    ids=["flop", "turn"],
)
def test_solve__later_rounds_have_500_buckets_that_play_by_their_strength(board, before, bets):
    """Facing a bet of the pot on turn and river. Never seen, or not told apart, all fold alike."""
    subgame, average = solved(board, before)
    assert subgame.layout.buckets.tolist()[1:] == [COUNT] * len(bets)
    for name, checks in bets.items():
        facing = rows(subgame, average, (*checks, BET))
        weak, strong = (fold_share(facing, part) for part in ("weak", "strong"))
        assert strong < 0.1 < 0.5 < weak, (name, weak, strong)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_solve__with_the_buckets_that_are_clustered_for_a_flop():
    """As the search makes them, half a minute; opponents' hands in eight clusters of classes."""
    clusters = (np.arange(RANKS**2) * 8 // RANKS**2).astype(np.uint8)
    river = cluster.river(FLOP, RANKS, clusters, COUNT, 1)
    table = cluster.spread(river.of, river.label)
    turn = cluster.turn(FLOP, RANKS, river, table, COUNT, 1)
    later = by_strength()._replace(
        turn=cluster.spread(turn.of, turn.clustering.label), river=table,
        turn_strength=turn.strength, river_strength=river.strength,
    )  # fmt: skip
    held = {name: hole_id(*as_cards(name, RANKS)) for name in ("QdQc", "9c7h")}
    queen, king = as_cards("QhKs", RANKS)
    assert turn_bucket(later, queen, held["QdQc"]) > turn_bucket(later, queen, held["9c7h"])
    assert river_bucket(later, queen, king, held["QdQc"]) > COUNT * 9 // 10
    subgame, average = solved(FLOP, [CALL, CALL], later=later)
    for checks in ((CALL, CALL), (CALL,) * 4):
        facing = rows(subgame, average, (*checks, BET))
        assert fold_share(facing, "strong") < 0.1 < 0.5 < fold_share(facing, "weak")
