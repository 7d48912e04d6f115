"""Hands between agents, played by one kernel: a team of policies, and their seats.

The cards of a deal and its draws are fixed: the number that decides an action is a function of
(seed, deal, node) and not of the agent. Where two agents would do the same, the hands are the same.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.agents.policies import MatchGame, Policy, choose
from sixmax.base.jit import parallel, prange, uncounted
from sixmax.base.rng import child, stream, unit
from sixmax.betting.tree import DECISION, kind_of, offers_fold, round_of, seat_of
from sixmax.cfr.deals import Dealer, Deals
from sixmax.cfr.layout import entry
from sixmax.cfr.terminal import terminal_value

CHUNK = 1 << 15  # hands of self-play played at a time
_PARTS = 64  # work items, whatever the threads
_TEAM = 8  # policies in a tuple


class PlayedHands(NamedTuple):
    """Hands of ``n`` deals, each played ``k`` times; places are those of the line-up.

    net: float64[n, k, places]  chips won in each place
    left: int64[n, k, places]   the node of its fold in the first round, or -1
    end: int64[n, k]            the terminal node
    """

    net: np.ndarray
    left: np.ndarray
    end: np.ndarray


def play_hands(
    team: tuple[Policy, ...],
    lineup: np.ndarray,
    turn: np.ndarray,
    game: MatchGame,
    dealt: Deals,
    seed: int,
    first: int,
    boards: int | None = 1,
) -> PlayedHands:
    """Play the deals ``dealt``, numbered from ``first`` on, with the draws of ``seed``.

    ``team[lineup[i, m]]`` plays place m of deal i and sits in seat (m + turn[i, j]) % seats in its
    hand j. ``lineup`` is int64[n, seats], ``turn`` int64[n, k]. Payoffs are the mean over the first
    ``boards`` that were dealt, None for all. The same whatever the threads.
    """
    net = np.empty((*turn.shape, lineup.shape[1]))
    hands = PlayedHands(net, np.empty(net.shape, np.int64), np.empty(turn.shape, np.int64))
    rank = np.ascontiguousarray(dealt.rank[:, :boards])
    # Tuples of one length, so that the kernel is compiled once for teams of any size.
    team = team + team[:1] * (-len(team) % _TEAM)
    pure, tables = np.array([p.pure for p in team]), tuple(p.table for p in team)
    base, columns = np.stack([p.base for p in team]), np.stack([p.columns for p in team])
    _play_kernel(
        pure, tables, base, columns, lineup, turn, *game, dealt.bucket, rank, np.uint64(first),
        child(seed, "draws"), *hands,
    )  # fmt: skip
    return hands


def self_play(
    game: MatchGame,
    dealer: Dealer,
    player: Policy,
    hands: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Iterator[tuple[Deals, np.ndarray, np.ndarray]]:
    """``hands`` hands of ``player`` in all seats, CHUNK at a time: deals, last nodes, net chips.

    Last nodes are int64[n]; net chips float64[n, seats] are the mean over all boards dealt.
    """
    seats = game.tree.columns.shape[1]
    for first in range(0, hands, CHUNK):
        n = min(CHUNK, hands - first)
        dealt = dealer.deal(child(seed, "deals"), first, n)
        lineup, turn = np.zeros((n, seats), np.int64), np.zeros((n, 1), np.int64)
        played = play_hands((player,), lineup, turn, game, dealt, seed, first, boards=None)
        yield dealt, played.end[:, 0], np.ascontiguousarray(played.net[:, 0])
        progress(n)


@parallel
def _play_kernel(
    pure, tables, base, columns, lineup, turn, tree, layout, bits, bucket, rank, first, seed, net,
    left, end,
):  # fmt: skip
    n, seats = lineup.shape
    for part in prange(_PARTS):
        game = MatchGame(tree, layout, bits)  # parallel loops take no tuples in tuples
        place, at, scratch = np.empty(seats, np.int64), np.empty(seats, np.int64), np.empty(seats)
        _play_part(
            n * part // _PARTS, n * (part + 1) // _PARTS, pure, tables, base, columns, lineup, turn,
            game, bucket, rank, first, seed, net, left, end, place, at, scratch,
        )  # fmt: skip


@uncounted
def _play_part(
    start, stop, pure, tables, base, columns, lineup, turn, game, bucket, rank, first, seed, net,
    left, end, place, at, scratch,
):  # fmt: skip
    """Deals ``start`` to ``stop``; ``place`` and ``at`` int64[seats] hold the place of each seat
    and the seat of each place."""
    seats = place.size
    for i in range(start, stop):
        draws = stream(seed, first + np.uint64(i))
        for j in range(turn.shape[1]):
            seat = turn[i, j]
            for m in range(seats):
                place[seat], at[m] = m, seat
                seat = seat + 1 if seat + 1 < seats else 0
            end[i, j] = _hand(
                pure, tables, base, columns, lineup[i], place, at, game, bucket[i], rank[i], draws,
                left[i, j], net[i, j], scratch,
            )  # fmt: skip


@uncounted
def _hand(
    pure, tables, base, columns, member, place, at, game, bucket, rank, draws, left, net, scratch
):
    """Play one hand with ``member[m]`` of the team at place m of the line-up, in seat ``at[m]``.

    ``bucket`` is int32[seats, rounds]. Fills ``net`` float64[places] with the chips of each, and
    ``left`` int64[places] with the node of its fold in the first round, or -1. Returns the terminal
    node.
    """
    node, x = game.tree.node, np.int64(0)
    folded = np.int64(0)  # mask of places
    for m in range(left.size):
        left[m] = -1
    while kind_of(node[x, 0]) == DECISION:
        head = node[x, 0]
        seat, in_round = seat_of(head), round_of(head)
        m = place[seat]
        k = member[m]
        row = entry(base[k, in_round, seat], columns[k, in_round, seat], bucket[seat, in_round], 0)
        action = choose(pure[k], tables[k], row, game, x, unit(stream(draws, np.uint64(x))))
        if action == 0 and offers_fold(head):
            net[m], folded = -np.float64(node[x, 3]), folded | 1 << m
            if in_round == 0:
                left[m] = x
        x = node[x, 1] + action
    for m in range(left.size):
        if not folded >> m & 1:
            net[m] = terminal_value(
                node, game.tree.contributed, rank, node[x, 0], x, at[m], scratch
            )
    return x
