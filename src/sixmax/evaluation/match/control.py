"""Hands of a whole table of agents, and the *Control*: the hand again with a copy in one's seat.

Supplement, "Variance reduction via AIVAT": each hand is replayed with a copy of the other agent in
the seat of the player who is measured, and what the copy wins is subtracted. Among copies of itself
it wins nothing on average, so this changes no expectation; where both would have done the same, the
luck of the cards cancels.

Cards and draws are those of :mod:`sixmax.evaluation.match.duplicate`: the number that decides an
action is a function of (seed, deal, node), whoever acts there. So a hand in which both fold in the
first round after the same actions counts zero by itself; the supplement has a rule for that.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cfr.deals import Dealer, Deals
from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents.policies import Agent, Ground, act
from sixmax.game.tree import DECISION, kind_of, offers_fold, round_of, seat_of
from sixmax.jit import njit, parallel, prange
from sixmax.rng import child, stream, unit

_PARTS = 64  # work items, whatever the threads


class Played(NamedTuple):
    """Hands of ``n`` deals, each played ``k`` times; places are those of the line-up.

    net, control: float64[n, k, places]   chips won in each place, and by the Control in its seat
    alike: bool[n, k]   place 0 and its Control fold in the first round after the same actions
    end: int64[n, k]    the terminal node of each hand; none where the betting left the tree
    beside: int64[n]    that of the hand of Controls alone
    """

    net: np.ndarray
    control: np.ndarray
    alike: np.ndarray
    end: np.ndarray | None = None
    beside: np.ndarray | None = None


def turns(seats: int, first: int, n: int, every: bool) -> np.ndarray:
    """How many seats the players have moved on in each hand of deals ``first`` …: int64[n, k].

    ``every`` plays each deal from all seats; otherwise from one, the next with the next deal.
    """
    if every:
        return np.tile(np.arange(seats), (n, 1))
    return (np.arange(first, first + n) % seats)[:, None]


def play(
    team: tuple[Agent, ...],
    lineup: np.ndarray,
    turn: np.ndarray,
    control: int,
    ground: Ground,
    dealer: Dealer,
    seed: int,
    first: int,
) -> Played:
    """Play deals ``first`` … of ``seed``, and each once more with the Control in all seats.

    ``team[lineup[i, m]]`` plays place m of deal i and sits in seat (m + turn[i, j]) % seats in its
    hand j; ``team[control]`` is the Control. ``lineup`` is int64[n, seats], ``turn`` int64[n, k].
    """
    n, seats = lineup.shape
    dealt = dealer.deal(child(seed, "deals"), first, n)
    net, left, end = _play(team, lineup, turn, ground, dealt, seed, first)
    same, still = np.full((n, seats), control), np.zeros((n, 1), np.int64)
    copies, copy_left, copy_end = _play(team, same, still, ground, dealt, seed, first)
    seat = (np.arange(seats) + turn[..., None]) % seats  # of each place: [n, k, places]
    beside = np.take_along_axis(copies, seat, axis=2)
    alike = (left >= 0) & (left == np.take_along_axis(copy_left, seat, axis=2))
    return Played(net, beside, alike[..., 0], end, copy_end[:, 0])


def _play(
    team: tuple[Agent, ...],
    lineup: np.ndarray,
    turn: np.ndarray,
    ground: Ground,
    dealt: Deals,
    seed: int,
    first: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Net chips, and the node of a fold in the first round or -1: both [n, k, places]; the terminal
    node of each hand: [n, k]."""
    net = np.empty((*turn.shape, lineup.shape[1]))
    left, end = np.empty(net.shape, np.int64), np.empty(turn.shape, np.int64)
    rank = dealt.rank[:, :1]  # what came, not the mean over what could have come
    kinds, tables = np.array([a.kind for a in team]), tuple(a.table for a in team)
    _play_kernel(
        kinds, tables, lineup, turn, *ground, dealt.bucket, rank, np.uint64(first),
        child(seed, "draws"), net, left, end,
    )  # fmt: skip
    return net, left, end


@parallel
def _play_kernel(
    kinds, tables, lineup, turn, tree, layout, bits, book, bucket, rank, first, seed, net, left, end
):
    n, k, seats = net.shape
    for part in prange(_PARTS):
        ground = Ground(tree, layout, bits, book)  # parallel loops take no tuples in tuples
        scratch, member = np.empty(seats), np.empty(seats, np.int64)
        folded, chips = np.empty(seats, np.int64), np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(seed, first + np.uint64(i))
            for j in range(k):
                for m in range(seats):
                    member[(m + turn[i, j]) % seats] = lineup[i, m]
                end[i, j] = _hand(
                    kinds, tables, member, ground, bucket[i], rank[i], draws, folded, chips, scratch
                )
                for m in range(seats):
                    net[i, j, m] = chips[(m + turn[i, j]) % seats]
                    left[i, j, m] = folded[(m + turn[i, j]) % seats]


@njit
def _hand(kinds, tables, member, ground, bucket, rank, draws, folded, chips, scratch):
    """Play one hand to its end with ``member[s]`` of the team in seat ``s``.

    ``bucket`` is int32[seats, rounds]; fills ``chips`` float64[seats] with what each wins, and
    ``folded`` int64[seats] with the node of its fold in the first round, or -1. Returns the
    terminal node.
    """
    node, x = ground.tree.node, np.int64(0)
    folded[:], chips[:] = -1, 0.0
    out = np.int64(0)  # mask of seats that have folded
    while kind_of(node[x, 0]) == DECISION:
        head = node[x, 0]
        seat, in_round = seat_of(head), round_of(head)
        m = member[seat]
        u = unit(stream(draws, np.uint64(x)))
        action = act(Agent(kinds[m], tables[m]), ground, x, bucket[seat, in_round], u)
        if action == 0 and offers_fold(head):
            chips[seat], out = -np.float64(node[x, 3]), out | 1 << seat
            if in_round == 0:
                folded[seat] = x
        x = node[x, 1] + action
    for seat in range(len(chips)):
        if not out >> seat & 1:
            chips[seat] = terminal_value(
                node, ground.tree.contributed, rank, node[x, 0], x, seat, scratch
            )
    return x
