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

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cfr.layout import infoset
from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents.policies import sample
from sixmax.game.config import SEEN
from sixmax.game.tree import (
    DECISION,
    children,
    kind_of,
    n_actions,
    offers_fold,
    path,
    players_left,
    round_of,
    seat_of,
)
from sixmax.games.holdem import draw, look_up_cards
from sixmax.jit import njit, parallel, prange
from sixmax.play.lookup import blueprint_buckets, blueprint_rows
from sixmax.rng import child, mix, step, stream, unit
from sixmax.search.public_hand import PublicHand, SearchResult
from sixmax.search.solvers.deal import SubgameDealer

_PARTS = 32
_NONE = -1


class Spot(NamedTuple):
    """A hand of blueprint play that reached a round: the node there, and the board seen."""

    node: int
    board: np.ndarray


def spots(run: Run, policy: np.ndarray, in_round: int, seed: int) -> Iterator[Spot | None]:
    """Hands 0, 1, … of the blueprint against itself: where each enters ``in_round``, or None."""
    seats, deck = run.game.seats, np.empty(4 * run.ranks, np.int8)
    cards = np.empty((1, 2 * seats + 5), np.int8)
    bucket, rank = np.empty((1, seats, 4), np.int32), np.empty((1, 1, seats), np.int32)
    number = 0
    while True:
        draw(child(seed, "deals"), number, deck, cards[0])
        look_up_cards(cards, run.dealer.tables, bucket, rank)
        node = _enter_kernel(
            run.tree, run.layout, policy, bucket[0], in_round, child(seed, "play", number)
        )
        board = cards[0, 2 * seats : 2 * seats + SEEN[in_round]].copy()
        yield Spot(int(node), board) if node >= 0 else None
        number += 1


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
        x = _next(tree, layout, policy, bucket, x, unit(state))


@njit
def _next(tree, layout, policy, bucket, x, u):
    """The child of decision ``x`` that the blueprint takes with the uniform number ``u``."""
    head = tree.node[x, 0]
    seat, r, n = seat_of(head), round_of(head), n_actions(head)
    at = infoset(layout, r, seat, bucket[seat, r], tree.node[x, 2])
    return np.int64(tree.node[x, 1] + sample(policy, at, n, u))


def enter(hand: PublicHand, spot: Spot) -> PublicHand:
    """Play ``hand``, fresh, to ``spot``."""
    at = 0
    for action in path(hand.run.tree, spot.node):
        if hand.needs_cards:
            hand.deal(spot.board[at : at + hand.needs_cards])
            at = len(hand.board)
        hand.act(action)
    hand.deal(spot.board[at:])
    return hand


def round_nodes(run: Run, node: int) -> list[int]:
    """The decisions of the round that begins at ``node``, in the order of the tree."""
    in_round, nodes, todo = round_of(int(run.tree.node[node, 0])), [], [node]
    while todo:
        x = todo.pop()
        head = int(run.tree.node[x, 0])
        if kind_of(head) == DECISION and round_of(head) == in_round:
            nodes.append(x)
            todo.extend(children(run.tree, x))
    return sorted(nodes)


def strategies(
    run: Run, policy: np.ndarray, spot: Spot, searched: SearchResult
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``(number, blueprint, search)`` of the round that begins at ``spot``.

    number: int32[nodes], the index of a decision of this round, else -1; the strategies are
    float64[decisions, holes, actions]. Decisions beyond the leaves of the subgame are left out: the
    blueprint plays there. Raises ValueError where the search offers other actions than the
    blueprint's tree, as the round is then another game.
    """
    start = path(run.tree, spot.node)
    nodes = [
        x
        for x in round_nodes(run, spot.node)
        if searched.covers(tuple(path(run.tree, x)[len(start) :]))
    ]
    number = np.full(len(run.tree.node), _NONE, np.int32)
    number[nodes] = np.arange(len(nodes))
    width = int(n_actions(run.tree.node[nodes, 0]).max())
    bucket = blueprint_buckets(run, spot.board)
    both = np.zeros((2, len(nodes), len(bucket), width))
    for i, x in enumerate(nodes):
        rows = blueprint_rows(run, policy, x, bucket)
        play = searched.play(tuple(path(run.tree, x)[len(start) :]))
        first, n = int(run.tree.node[x, 1]), rows.shape[1]
        if play.offered != [int(a) for a in run.tree.action[first : first + n]]:
            raise ValueError("the search's raises are not the blueprint's: no gain can be told")
        both[0, i, :, :n] = rows
        both[1, i, :, :n] = play.played
    return number, both[0], both[1]


def gain(
    run: Run,
    policy: np.ndarray,
    spot: Spot,
    searched: SearchResult,
    beliefs: np.ndarray,
    n: int,
    seed: int,
    only: int | None = None,
) -> np.ndarray:
    """The gain of each seat by the search in ``n`` deals: float64[n, seats], chips.

    It is 0 for seats that have folded, and for all but ``only`` where that is given.
    """
    seats = players_left(run.tree, spot.node) if only is None else [only]
    mask = sum(1 << seat for seat in seats)
    number, blueprint, search = strategies(run, policy, spot, searched)
    dealer = SubgameDealer(beliefs, spot.board, 1, run.buckets, run.ranks)
    deals = dealer.deal(child(seed, "hands"), 0, n)
    out = np.zeros((n, run.game.seats))
    _gain_kernel(
        run.tree, run.layout, policy, spot.node, number, blueprint, search, deals.bucket[:, :, 0],
        deals.future, deals.rank, mask, child(seed, "later"), out,
    )  # fmt: skip
    return out


@parallel
def _gain_kernel(
    tree, layout, policy, root, number, blueprint, search, holes, bucket, rank, mask, seed, out
):
    n = len(holes)
    for part in prange(_PARTS):
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            _gain_of_deal(
                tree, layout, policy, root, number, blueprint, search, holes[i], bucket[i],
                rank[i], mask, stream(seed, np.uint64(i)), out[i],
            )  # fmt: skip


@njit
def _gain_of_deal(
    tree, layout, policy, root, number, blueprint, search, holes, bucket, rank, mask, seed, out
):
    """Walk the round; ``reach[top, k, p]`` is the reach of seat p by blueprint and search."""
    seats = holes.size
    todo = np.empty(256, np.int64)
    reach = np.ones((256, 2, seats))
    net = np.empty(seats)
    here = np.empty((2, seats))
    todo[0], top = root, 1
    while top > 0:
        top -= 1
        x = todo[top]
        here[:] = reach[top]
        i = number[x]
        if i < 0:
            for p in range(seats):
                if not mask >> p & 1:
                    continue
                others = 1.0
                for q in range(seats):
                    if q != p:
                        others *= here[0, q]
                weight = others * (here[1, p] - here[0, p])
                if weight != 0.0:
                    state = seed ^ mix(np.uint64(x))
                    out[p] += weight * _go_on(tree, layout, policy, bucket, rank, x, p, state, net)
            continue
        head = tree.node[x, 0]
        seat = seat_of(head)
        for a in range(n_actions(head)):
            b, s = blueprint[i, holes[seat], a], search[i, holes[seat], a]
            if b == 0.0 and s == 0.0:
                continue
            todo[top] = tree.node[x, 1] + a
            reach[top] = here
            reach[top, 0, seat] *= b
            reach[top, 1, seat] *= s
            top += 1


@njit
def _go_on(tree, layout, policy, bucket, rank, x, me, state, net):
    """Net chips of ``me`` when all play the blueprint from node ``x`` on."""
    # A fold on the way to x has decided the chips of ``me``.
    child_of, above = x, tree.parent[x]
    while above >= 0:
        head = tree.node[above, 0]
        if seat_of(head) == me and offers_fold(head) and tree.node[above, 1] == child_of:
            return -np.float64(tree.node[above, 3])
        child_of, above = above, tree.parent[above]
    while True:
        head = tree.node[x, 0]
        if kind_of(head) != DECISION:
            return terminal_value(tree.node, tree.contributed, rank, head, x, me, net)
        state = step(state)
        taken = _next(tree, layout, policy, bucket, x, unit(state))
        if seat_of(head) == me and offers_fold(head) and taken == tree.node[x, 1]:
            return -np.float64(tree.node[x, 3])
        x = taken
