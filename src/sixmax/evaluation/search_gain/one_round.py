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

from sixmax.base.jit import in_parts, njit, uncounted
from sixmax.base.rng import child, mix, stream
from sixmax.betting.config import SEEN
from sixmax.betting.rules import BETTING, CHIPS, FOLDERS, LENGTH, PHASE, contenders, payoffs
from sixmax.betting.tree import is_decision
from sixmax.blueprint.run import Run
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.cfr.advance import advance, advance_real, outcome
from sixmax.evaluation.search_gain.round_tree import STRATEGIES, RoundTree
from sixmax.games.holdem import draw, look_up_cards
from sixmax.ongoing.policies import AllSeats, Side, beside_tree, in_tree, mixed, table_game
from sixmax.search.public_hand import PublicHand
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.subgame import SubgameCards

_NONE = -1


class ReachedHand(NamedTuple):
    """A hand of blueprint play that reached a round: the node there, and the board seen."""

    node: int
    board: np.ndarray  # int8[cards]


def blueprint_side(run: Run, policy: np.ndarray) -> Side:
    """The blueprint ``policy`` uint8[layout.size] in the tree of ``run``."""
    return Side(table_game(run.tree, run.layout), mixed(run, policy))


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
    side = blueprint_side(run, policy)
    cards = np.empty((1, 2 * seats + 5), np.int8)
    bucket, rank = np.empty((1, seats, 4), np.int32), np.empty((1, 1, seats), np.int32)
    every = boards(run.ranks, 3)
    wanted = np.isin(np.arange(len(every.cards)), flops or np.arange(len(every.cards)))
    for number in itertools.count():
        first, of = (0, child(seed, "deals", number)) if flops else (number, child(seed, "deals"))
        flop = _deal_kernel(of, first, every, wanted, 2 * seats, deck, cards[0])
        look_up_cards(cards, run.dealer.tables, bucket, rank)
        node = _enter_kernel(*side, bucket[0], in_round, child(seed, "play", number))
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
def _enter_kernel(game, policy, bucket, in_round, seed):
    """The node at which a hand enters ``in_round``, -1 where it ends before."""
    table = AllSeats(game, policy, bucket, np.empty(0, np.int64), in_round)
    state = stream(seed, np.uint64(0))
    x, _ = advance(game.tree.node, np.int64(0), -1, in_tree, table, state)
    return x if is_decision(game.tree.node[x, 0]) else np.int64(_NONE)


def enter(hand: PublicHand, spot: ReachedHand) -> PublicHand:
    """Play ``hand``, fresh, to ``spot``."""
    decisions = hand.decisions(spot.board)
    for action in hand.run.tree.path(spot.node):
        next(decisions)
        hand.act(action)
    next(decisions)
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
    paths = around._replace(search=around.search[STRATEGIES.index(strategy)])
    in_parts(n, _gain_part, *blueprint_side(run, policy), paths, deals, child(seed, "later"), out)
    return out


@njit
def _gain_part(game, policy, paths, deals, seed, out, start, stop):
    seats = out.shape[1]
    nodes, hands = paths.seat.size, np.empty((2, LENGTH), np.int64)
    room = np.empty(nodes, np.int64), np.empty((nodes, 2, seats)), np.empty((2, seats))
    net = np.empty(seats)
    for i in range(start, stop):
        dealt = deals.bucket[i, :, 0], deals.future[i], deals.rank[i]
        _gain_of_deal(
            game, policy, paths, dealt, (room, hands, net), stream(seed, np.uint64(i)), out[i]
        )


@uncounted
def _gain_of_deal(game, policy, paths, dealt, work, draws, out):
    """Walk the round of ``paths``, a RoundTree with one strategy of the search.

    ``reach[top, k, p]`` is the reach of seat p by blueprint and search.
    """
    (holes, bucket, rank), ((todo, reach, here), hands, net) = dealt, work
    table, seats = AllSeats(game, policy, bucket, hands[1], -1), holes.size
    for p in range(seats):
        reach[0, 0, p] = reach[0, 1, p] = 1.0
    todo[0], top = 0, 1
    while top > 0:
        top -= 1
        x = todo[top]
        for p in range(seats):
            here[0, p], here[1, p] = reach[top, 0, p], reach[top, 1, p]
        i = paths.number[x]
        if i < 0:
            end = paths.first[x]
            for p in range(seats):
                if not paths.heroes >> p & 1:
                    continue
                others = 1.0
                for q in range(seats):
                    if q != p:
                        others *= here[0, q]
                weight = others * (here[1, p] - here[0, p])
                if weight != 0.0:
                    out[p] += weight * _chips(table, paths, end, p, rank, draws, hands[0], net)
            continue
        seat = paths.seat[x]
        for a in range(paths.count[x]):
            b, s = paths.blueprint[i, holes[seat], a], paths.search[i, holes[seat], a]
            if b == 0.0 and s == 0.0:
                continue
            todo[top] = paths.first[x] + a
            for p in range(seats):
                reach[top, 0, p], reach[top, 1, p] = here[0, p], here[1, p]
            reach[top, 0, seat] *= b
            reach[top, 1, seat] *= s
            top += 1


@uncounted
def _chips(table, paths, end, me, rank, draws, real, net):
    """Net chips of ``me`` when all play the blueprint on from an end, in the tree or beside it."""
    x, tree, mine = paths.place[end], table.game.tree, table.mine
    if paths.real[end, FOLDERS] >> me & 1:
        return -np.float64(paths.real[end, CHIPS + me])
    draws = draws ^ mix(np.uint64(x))
    same = True
    for k in range(LENGTH):
        real[k], mine[k] = paths.real[end, k], paths.mine[end, k]
        same = same and real[k] == mine[k]
    if same:  # the hand has not left the tree, and so never leaves it
        x, _ = advance(tree.node, x, me, in_tree, table, draws)
        return outcome(tree.node, tree.contributed, rank, x, me, net)
    advance_real(real, me, beside_tree, table, (x, draws))
    if real[PHASE] == BETTING:
        return -np.float64(real[CHIPS + me])
    payoffs(real[CHIPS : CHIPS + net.size], contenders(real), rank[0], net)
    return net[me]
