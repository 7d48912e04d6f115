"""Games small enough to enumerate, and agents for them beside their slow twins."""

import functools
from typing import NamedTuple

import numpy as np

from oracles import evaluation as oracle
from oracles.continuation import infosets, unpack
from oracles.evaluation import certain, policy_agent
from sixmax.agents.registry import calling, folding, uniform
from sixmax.agents.rule import rule_book, rule_policy, sampled_strength
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.layout import Layout, infoset, layout
from sixmax.cfr.policy import rows
from sixmax.continuation import compress, generate
from sixmax.ongoing.policies import MatchGame, match_game, mixed, pure

RANDOM, CALLER, FOLDER, RULE, MIXED, PACKED = range(6)  # kinds of policy


class Small(NamedTuple):
    """A game small enough to enumerate."""

    config: GameConfig
    tree: Tree
    layout: Layout
    deals: Deals
    dealer: TableDealer
    ground: MatchGame


def small(config: GameConfig, deals: Deals) -> Small:
    tree, dealer = build(config), TableDealer(deals)
    place = layout(tree, dealer.buckets)
    return Small(config, tree, place, deals, dealer, match_game(tree, place))


def drawn(config: GameConfig, seed: int, deals: int, buckets: int, ranks: int) -> Small:
    """The game of ``config`` with deals drawn at random, of so many buckets and ranks."""
    random, shape = np.random.default_rng(seed), (deals, config.seats, len(config.rounds))
    bucket = random.integers(0, buckets, shape).astype(np.int32)
    bucket[0] = buckets - 1
    rank = random.integers(0, ranks, (deals, 1, config.seats)).astype(np.int32)
    return small(config, Deals(bucket, rank))


def mean_win(game: Small, twins: tuple, hero: int) -> float:
    """The mean winnings of the first of two ``twins`` in seat ``hero``, by enumeration."""
    deals = game.deals
    return oracle.expectation(game.tree, twins, hero, deals.bucket, deals.rank[:, 0])


def random_policy(game: Small, seed: int, untrained: float = 0.1) -> np.ndarray:
    """Rows that sum to 255, or are all zero."""
    random, table = np.random.default_rng(seed), rows(game.tree)
    policy = np.zeros(game.layout.size, np.uint8)
    rounds, seats = game.tree.columns.shape
    for r in range(rounds):
        for p in range(seats):
            here = slice(*table.start[r * seats + p : r * seats + p + 2])
            for slot, n in zip(table.slot[here], table.n[here].tolist(), strict=True):
                for b in range(game.layout.buckets[r]):
                    at = infoset(game.layout, r, p, b, slot)
                    if random.random() >= untrained:
                        weights = random.exponential(size=n)
                        policy[at : at + n] = random.multinomial(255, weights / weights.sum())
    return policy


@functools.cache
def _agents(key: int) -> dict:
    game = _GAMES[key]
    tree, place = game.tree, game.layout
    policy, other = random_policy(game, 1), random_policy(game, 2)
    packed = compress.pack(tree, place, generate.biased(other, 5.0), 1)[3]
    sure = policy_agent(tree, place, _unpacked(game, packed))
    strength, weight = sampled_strength(game.dealer, 1), np.ones(game.dealer.buckets[0])
    better = rule_book(game.config, tree, strength, weight).better
    seen = oracle.context(game.config, tree)
    follows = certain(
        tree, lambda x, b: oracle.rule_action(game.config, tree, strength, better, x, b, seen[x])
    )
    folds = certain(tree, lambda x, _: 0)
    return {
        RANDOM: (uniform(game.ground), oracle.uniform(tree)),
        CALLER: (calling(game.ground), oracle.caller(tree)),
        FOLDER: (folding(game.ground), folds),
        RULE: (rule_policy(game.config, game.ground, strength, weight), follows),
        MIXED: (mixed(game.ground, policy), policy_agent(tree, place, policy)),
        PACKED: (pure(game.ground, packed), sure),
    }


_GAMES: dict[int, Small] = {}


def agents_of(game: Small) -> dict:
    """Kind -> (agent, its slow twin)."""
    _GAMES[id(game)] = game
    return _agents(id(game))


def _unpacked(game: Small, packed: np.ndarray) -> np.ndarray:
    """The policy that takes the packed actions, read bit by bit."""
    bits, policy = game.ground.bits, np.zeros(game.layout.size, np.uint8)
    for r, p, b, x, at, kinds in infosets(game.tree, game.layout):
        bit = int(bits.base[r, p] + b * bits.columns[r, p] + bits.slot[x])
        policy[at + unpack(packed, bit, len(kinds))] = 255
    return policy
