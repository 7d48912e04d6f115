"""Hands of blueprint play that reach a round: numbered, so that several jobs can share them."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.jit import njit
from sixmax.base.options import Option
from sixmax.base.rng import child, stream
from sixmax.betting.config import SEEN
from sixmax.betting.tree import is_decision
from sixmax.blueprint.run import Run
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.cfr.advance import advance
from sixmax.games.holdem import draw
from sixmax.ongoing.policies import AllSeats, Side, in_tree, mixed, table_game
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache

ONE_WAY = (1, 1, 1)


class HandsAsked(NamedTuple):
    """Hands of blueprint play to search in, as a command asks for them."""

    hands: Annotated[int, Option("Hands of blueprint play to search in.", least=2)]
    seed: options.Seed
    begin: options.Begin = 0
    flops: Annotated[int, Option(
        "Hands on so many flops alone, those that search.flops makes ahead. Default: all flops.",
        least=1,
    )] | None = None  # fmt: skip
    least: Annotated[int, Option(
        "Only where so many players are left, or more; other hands gain nothing.", "--players",
        least=2, most=10,
    )] = 2  # fmt: skip
    branches: Annotated[tuple[int, int, int], Option(
        "Ways in which a hand goes on into flop, turn and river: 2 2 6 for less luck a second.",
        least=1,
    )] = ONE_WAY  # fmt: skip


class ReachedHand(NamedTuple):
    """A hand of blueprint play that reached a round: the node there, and the board seen."""

    node: int
    board: np.ndarray  # int8[cards]


def spots(
    run: Run, policy: np.ndarray, in_round: int, seed: int, flops: Sequence[int] = ()
) -> Iterator[tuple[int, ReachedHand | None]]:
    """The flop of hands 0, 1, … of blueprint play, and where each enters ``in_round``, or None.

    ``policy`` uint8[layout.size] is the blueprint's. With ``flops``, numbers of canonical ones,
    only hands on these are played, each flop as often as it comes among them.
    """
    seats, deck = run.game.seats, np.empty(4 * run.ranks, np.int8)
    side = blueprint_side(run, policy)
    cards = np.empty((1, 2 * seats + 5), np.int8)
    every = boards(run.ranks, 3)
    wanted = np.isin(np.arange(len(every.cards)), flops or np.arange(len(every.cards)))
    for number in itertools.count():
        first, of = (0, child(seed, "deals", number)) if flops else (number, child(seed, "deals"))
        flop = _deal_kernel(of, first, every, wanted, 2 * seats, deck, cards[0])
        bucket = run.dealer.look_up(cards).bucket[0]
        node = _enter_kernel(*side, bucket, in_round, child(seed, "play", number))
        board = cards[0, 2 * seats : 2 * seats + SEEN[in_round]].copy()
        yield int(flop), ReachedHand(int(node), board) if node >= 0 else None


def blueprint_side(run: Run, policy: np.ndarray) -> Side:
    """The blueprint ``policy`` uint8[layout.size] in the tree of ``run``."""
    return Side(table_game(run.tree, run.layout), mixed(run, policy))


@njit
def _deal_kernel(seed, item, boards, wanted, at, deck, out):
    """Deal to ``out`` from ``item`` on until a flop, at ``at``, is ``wanted``; its number."""
    suits = np.empty(4, np.int8)
    while True:
        draw(seed, item, deck, out)
        flop = canonical_board(boards, out[at : at + 3], suits)
        if wanted[flop]:
            return flop
        item += 1


@njit
def _enter_kernel(game, policy, bucket, in_round, seed):
    """The node at which a hand enters ``in_round``, -1 where it ends before."""
    table = AllSeats(game, policy, bucket, np.empty(0, np.int64), in_round)
    state = stream(seed, np.uint64(0))
    x, _ = advance(game.tree.node, np.int64(0), -1, in_tree, table, state)
    return x if is_decision(game.tree.node[x, 0]) else np.int64(-1)


def enter(hand: PublicHand, spot: ReachedHand) -> PublicHand:
    """Play ``hand``, fresh, to ``spot``."""
    decisions = hand.decisions(spot.board)
    for action in hand.run.tree.path(spot.node):
        next(decisions)
        hand.act(action)
    next(decisions)
    return hand


def entering(
    run: Run, policy: np.ndarray, config: SearchConfig, cache: SearchCache, asked: HandsAsked,
    flops: Sequence[int] = (),
) -> Iterator[tuple[int, int, PublicHand | None]]:  # fmt: skip
    """Number and flop of each hand ``asked`` for, and the hand where its search begins, or None.

    The first searched round is ``config.first``; ``flops`` are as for :func:`spots`.
    """
    begin = asked.begin
    played = spots(run, policy, config.first, int(child(asked.seed, "spots")), flops)
    numbered = enumerate(itertools.islice(played, begin, begin + asked.hands), begin)
    for number, (flop, spot) in numbered:
        cache.forget()
        hand = None
        if spot is not None and len(run.tree.players_left(spot.node)) >= asked.least:
            work = int(child(asked.seed, "search", number))
            hand = enter(PublicHand(run, policy, config, cache, work), spot)
        yield number, flop, hand
