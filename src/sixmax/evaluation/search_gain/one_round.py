"""The gain of search over the blueprint, subgame by subgame: the way of Libratus's Table S1.

The blueprint plays hands. Where one reaches the wanted betting round, that subgame is solved once,
from the beliefs of an observer of blueprint play. Then each player in turn plays the solution, in
this round, against the others' blueprint, and all play the blueprint after it. The gain is the
difference to playing the blueprint, in expectation over the private hands of everybody by these
beliefs. Both sides share the sample of all that follows the round, so that the luck of cards and of
later play cancels where they act alike.

A hand that does not reach the round has a gain of zero, so that the mean over hands is the gain in
win rate of one player who searches in this round among copies of the blueprint. Whole hands,
searched in every round, are in :mod:`sixmax.evaluation.search_gain.whole_hands`.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange
from sixmax.base.rng import child, mix, step, stream, unit
from sixmax.betting.config import SEEN
from sixmax.betting.rules import LENGTH
from sixmax.betting.tree import DECISION, kind_of, path, round_of
from sixmax.blueprint.run import Run
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.evaluation.search_gain.blueprint_playout import play_out, taken_by_blueprint
from sixmax.evaluation.search_gain.round_tree import STRATEGIES, RoundTree
from sixmax.games.holdem import draw, look_up_cards
from sixmax.search.public_hand import PublicHand
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import SubgameCards

_PARTS = 32
_NONE = -1


class ReachedHand(NamedTuple):
    """A hand of blueprint play that reached a round: the node there, and the board seen."""

    node: int
    board: np.ndarray  # int8[cards]


def spots(
    run: Run, policy: np.ndarray, in_round: int, seed: int, flops: Sequence[int] = ()
) -> Iterator[tuple[int, ReachedHand | None]]:
    """Hands 0, 1, … of the blueprint against itself, each with its flop: where each enters
    ``in_round``, or None.

    ``policy`` uint8[layout.size] is the blueprint's. Only the hands on ``flops``, numbers of
    canonical ones, are played, where there are any: the flops as likely as they are among each
    other, and all other cards as they then fall.
    """
    seats, deck = run.game.seats, np.empty(4 * run.ranks, np.int8)
    cards = np.empty((1, 2 * seats + 5), np.int8)
    bucket, rank = np.empty((1, seats, 4), np.int32), np.empty((1, 1, seats), np.int32)
    every = boards(run.ranks, 3)
    wanted = np.isin(np.arange(len(every.cards)), flops or np.arange(len(every.cards)))
    for number in itertools.count():
        first, of = (0, child(seed, "deals", number)) if flops else (number, child(seed, "deals"))
        flop = _deal_kernel(of, first, every, wanted, 2 * seats, deck, cards[0])
        look_up_cards(cards, run.dealer.tables, bucket, rank)
        node = _enter_kernel(
            run.tree, run.layout, policy, bucket[0], in_round, child(seed, "play", number)
        )
        board = cards[0, 2 * seats : 2 * seats + SEEN[in_round]].copy()
        yield int(flop), ReachedHand(int(node), board) if node >= 0 else None


@njit
def _deal_kernel(seed, item, boards, wanted, at, deck, out):
    """Fill ``out`` with the first deal of ``seed``, from ``item`` on, whose flop is ``wanted``.

    Returns the number of the flop, whose cards begin at ``at``.
    """
    suits = np.empty(4, np.int8)
    while True:
        draw(seed, item, deck, out)
        flop = canonical_board(boards, out[at : at + 3], suits)
        if wanted[flop]:
            return flop
        item += 1


@njit
def _enter_kernel(tree, layout, policy, bucket, in_round, seed):
    """The node at which a hand enters ``in_round``, -1 where it ends before."""
    x, state = np.int64(0), stream(seed, np.uint64(0))
    while True:
        head = tree.node[x, 0]
        if kind_of(head) != DECISION:
            return np.int64(_NONE)
        if round_of(head) == in_round:
            return x
        state = step(state)
        x = taken_by_blueprint(tree, layout, policy, bucket, x, unit(state))


def enter(hand: PublicHand, spot: ReachedHand) -> PublicHand:
    """Play ``hand``, fresh, to ``spot``."""
    at = 0
    for action in path(hand.run.tree, spot.node):
        if hand.needs_cards:
            hand.deal(spot.board[at : at + hand.needs_cards])
            at = len(hand.board)
        hand.act(action)
    if hand.needs_cards:
        hand.deal(spot.board[at:])
    return hand


def gain(
    run: Run,
    policy: np.ndarray,
    around: RoundTree,
    beliefs: np.ndarray,
    n: int,
    seed: int,
    strategy: str = STRATEGIES[0],
) -> np.ndarray:
    """The gain in chips of each hero of ``around`` by the search: float64[n, seats], by deal.

    It is 0 for other seats. ``policy`` uint8[layout.size] is the blueprint's, ``beliefs``
    float64[seats, holes] are those at the root of the round. ``strategy`` is that of the search
    that is played.
    """
    dealer = SubgameDealer(beliefs, around.board, 1, SubgameCards(run.ranks, run.buckets))
    deals = dealer.deal(child(seed, "hands"), 0, n)
    out = np.zeros((n, run.game.seats))
    search = around.search[STRATEGIES.index(strategy)]
    _gain_kernel(
        run.tree, run.layout, policy, *around[3:-1], search, deals.bucket[:, :, 0],
        deals.future, deals.rank, around.heroes, child(seed, "later"), out,
    )  # fmt: skip
    return out


@parallel
def _gain_kernel(
    tree, layout, policy, seat, first, number, count, real, mine, place, blueprint, search, holes,
    bucket, rank, mask, seed, out,
):  # fmt: skip
    n = len(holes)
    for part in prange(_PARTS):
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            _gain_of_deal(
                tree, layout, policy, seat, first, number, count, real, mine, place, blueprint,
                search, holes[i], bucket[i], rank[i], mask, stream(seed, np.uint64(i)), out[i],
            )  # fmt: skip


@njit
def _gain_of_deal(
    tree, layout, policy, seat, first, number, count, real, mine, place, blueprint, search, holes,
    bucket, rank, mask, seed, out,
):  # fmt: skip
    """Walk the round; ``reach[top, k, p]`` is the reach of seat p by blueprint and search."""
    seats = holes.size
    todo = np.empty(seat.size, np.int64)
    reach = np.ones((seat.size, 2, seats))
    net, hands = np.empty(seats), np.empty((2, LENGTH), np.int64)
    here = np.empty((2, seats))
    todo[0], top = 0, 1
    while top > 0:
        top -= 1
        x = todo[top]
        here[:] = reach[top]
        i = number[x]
        if i < 0:
            end = first[x]
            for p in range(seats):
                if not mask >> p & 1:
                    continue
                others = 1.0
                for q in range(seats):
                    if q != p:
                        others *= here[0, q]
                weight = others * (here[1, p] - here[0, p])
                if weight != 0.0:
                    hands[0], hands[1] = real[end], mine[end]
                    at, state = place[end], seed ^ mix(np.uint64(place[end]))
                    out[p] += weight * play_out(
                        tree, layout, policy, bucket, rank, at, hands, p, state, net
                    )
            continue
        for a in range(count[x]):
            b, s = blueprint[i, holes[seat[x]], a], search[i, holes[seat[x]], a]
            if b == 0.0 and s == 0.0:
                continue
            todo[top] = first[x] + a
            reach[top] = here
            reach[top, 0, seat[x]] *= b
            reach[top, 1, seat[x]] *= s
            top += 1
