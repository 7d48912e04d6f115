"""A small hold'em run in memory: 24 cards, a few buckets, a strategy drawn at random."""

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.base.jit import read_only
from sixmax.betting import rules, tree_build
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards import deck, evaluate, isomorphism
from sixmax.cfr import deals, layout
from sixmax.cfr.policy import from_sums
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import biased
from sixmax.continuation.mixed import mixed_play
from sixmax.games.holdem import HoldemDealer
from sixmax.ongoing.locate import places
from sixmax.search.config import SearchConfig
from sixmax.search.players import PLAYERS
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.first_round import NO_BOARD, FirstRound, ranges_at
from sixmax.search.solvers.limited.ends import betting_round
from sixmax.search.solvers.limited.hands import edges, hands_on
from sixmax.search.solvers.problem import Problem, leaf_game
from sixmax.search.subgame import PublicState, SubgameCards, depth, leaf_nodes
from sixmax.search.subgame import build as build_subgame

RANKS, BUCKETS = 6, 5
HOLES = deck.n_holes(RANKS)
RIVER = np.array([0, 5, 9, 14, 23], np.int8)
SEARCH = SearchConfig(
    buckets=20, rounds=[], bets=[], iterations=200, vector_iterations=[500, 1000, 1000, 50],
    seconds=0.0, first=1, off_tree=100, believe_blueprint=0.0, tremble=0.0,
)  # fmt: skip
NESTED = SEARCH.changed(
    player=PLAYERS["libratus-unshifted"], buckets=0, first=2, off_tree=None,
    vector_iterations=[500, 1000, 300, 300],
)  # fmt: skip


def with_player(config: SearchConfig, **fields) -> SearchConfig:
    """``config`` with other fields of its player."""
    return config.model_copy(update={"player": config.player._replace(**fields)})


def table(k):
    """Buckets by strength on boards of ``k`` cards: uint8[boards, holes]."""
    bucket = np.full((len(isomorphism.boards(RANKS, k).cards), deck.n_holes(RANKS)), 255, np.uint8)
    rank = np.empty(deck.n_holes(RANKS), np.int32)
    for row, board in zip(bucket, isomorphism.boards(RANKS, k).cards, strict=True):
        evaluate.rank_holes(board, RANKS, rank)
        free = rank >= 0
        order = np.argsort(np.argsort(rank[free], kind="stable"), kind="stable")
        row[free] = order * BUCKETS // free.sum()
    return bucket


def widened(run):
    """``run`` with tables of two bytes after the first round, as for more than 255 buckets."""
    buckets = run.buckets._replace(
        **{
            name: np.where(table == 255, 65535, table.astype(np.uint16)).astype(np.uint16)
            for name, table in run.buckets._asdict().items()
            if name in ("flop", "turn", "river")
        }
    )
    return run._replace(buckets=buckets, dealer=HoldemDealer(buckets, RANKS, run.game.seats))


@functools.cache
def small_run(seats=3, later=(0.75,), opening=(1,)):
    """A run and its blueprint policy: bets before the flop, and ``later`` after it is dealt."""
    game = GameConfig(
        stacks=[2000] * seats,
        blinds=[50, 100] + [0] * (seats - 2),
        antes=[0] * seats,
        first=[2 % seats, 0, 0, 0] if seats > 2 else [0, 1, 1, 1],
        rounds=[
            RoundSizes(sizes=[list(opening), ["A"]], max_raises=2, max_players=seats),
            *[RoundSizes(sizes=[list(later)], max_raises=1, max_players=3)] * 3,
        ],
    )
    counts = np.array([RANKS**2, BUCKETS, BUCKETS, BUCKETS], np.int32)
    buckets = Buckets(
        deck.classes(RANKS)[None], *(table(k) for k in (3, 4, 5)), counts,
        np.zeros((4, RANKS**2), np.float32),
    )  # fmt: skip
    tree = tree_build.build(game)
    dealer = HoldemDealer(buckets, RANKS, seats)
    addresses = layout.layout(tree, dealer.buckets)
    run = Run(Path("small"), {}, 1, RANKS, game, None, tree, addresses, dealer, buckets)
    weight = np.random.default_rng(5).integers(1, 100, addresses.size)
    return run, read_only(from_sums(tree, addresses, weight.astype(np.int32)))


@functools.cache
def leaves(seats):
    run, policy = small_run(seats)
    four = biased(policy, 5.0)
    return leaf_game(run, pack(run.tree, run.layout, four, 3))._replace(mixed=mixed_play(run, four))


@functools.cache
def packed(seats):
    """The continuations of the small run."""
    run, policy = small_run(seats)
    return pack(run.tree, run.layout, biased(policy, 5.0), 1)


def small_searcher(config, seats=3, **options):
    """A searcher of the small run, with its continuations."""
    return Searcher(*small_run(seats), config, packed=packed(seats), **options)


def nested_searcher(config=NESTED):
    """A searcher of two players that solves again after each bet from the turn on."""
    return small_searcher(config, 2)


def problem(game, seed=1, frozen=(), beliefs=None):
    """``game`` with any hands, or the given ``beliefs``."""
    seats = game.tree.columns.shape[1]
    beliefs = np.ones((seats, HOLES)) if beliefs is None else beliefs
    cards = SubgameCards(RANKS, small_run(seats)[0].buckets)
    return Problem(game, beliefs, seed, cards, frozen, leaf_values=leaves(seats))


def subgame(seats, board, actions):
    run, _ = small_run(seats)
    state = public_state(run.game, board, actions)
    return build_subgame(state, run.game.rounds, places(run.game, run.tree), RANKS, 5)


def river():
    """Two players who checked to the river: 171 hands each, one bet."""
    return subgame(2, RIVER, [0, 0] * 3)


def flop():
    """Three players on the flop: with leaves at the turn."""
    return subgame(3, RIVER[:3], [0, 0, 0])


def on(hand, *steps):
    """``hand`` after ``steps``: actions, and the text of cards that are dealt."""
    for step in steps:
        hand.deal(step) if isinstance(step, str) else hand.act(step)
    return hand


def every_deal(board):
    """All pairs of hands on ``board``, equally likely."""
    rank = np.empty(HOLES, np.int32)
    evaluate.rank_holes(board, RANKS, rank)
    hole, free = deck.hole_cards(RANKS), np.flatnonzero(rank >= 0)
    a, b = (x.ravel() for x in np.meshgrid(free, free))
    apart = ~(hole[a][:, :, None] == hole[b][:, None, :]).any(axis=(1, 2))
    pair = np.stack([a[apart], b[apart]], axis=1).astype(np.int32)
    return deals.Deals(pair[:, :, None], rank[pair][:, None, :])


def public_state(game: GameConfig, board: np.ndarray, actions: Sequence[int]) -> PublicState:
    """The public state of ``game`` after all ``actions`` of the hand, with ``board`` dealt."""
    betting = Betting(game)
    root, begun = betting.hand.copy(), 0
    for k, action in enumerate(actions):
        at = betting.round
        betting.act(int(action))
        if betting.round != at:
            root, begun = betting.hand.copy(), k + 1
    played = tuple(int(a) for a in actions)
    return PublicState(game, root, np.asarray(board, np.int8), played[:begun], played[begun:])


def whole_round(choices=2, choosers=2):
    """The first round as a subgame, with the raises of the run."""
    run, _ = small_run(2)
    state = PublicState(run.game, rules.begin(run.game), NO_BOARD, (), ())
    scope = depth(state)._replace(choices=choices, choosers=choosers)
    return build_subgame(state, run.game.rounds, places(run.game, run.tree), RANKS, 5, scope)


@functools.cache
def drawn(number=3):
    """So many values of each player; the first are the same for both."""
    tree, n = whole_round(1).tree, RANKS**2
    node = tree.node[leaf_nodes(tree), 2].copy()
    chips = np.random.default_rng(9).normal(0, 200, (2, number, len(node), n, n))
    chips[1, 0] = chips[0, 0]
    hands = hands_on(NO_BOARD, small_run(2)[0].buckets, RANKS)
    reach = ranges_at(*small_run(2), node)
    return FirstRound(node, chips.astype(np.float32), edges(hands, NO_BOARD, RANKS), reach)


def first_round_game(choices=2, choosers=2):
    """The values, and the game of the solver with them."""
    (run, _), kept, subgame = small_run(2), drawn(), whole_round(choices, choosers)
    hands = hands_on(NO_BOARD, small_run(2)[0].buckets, RANKS)
    return kept, betting_round(
        subgame.tree, hands, kept.lead, kept.at(subgame, places(run.game, run.tree))
    )
