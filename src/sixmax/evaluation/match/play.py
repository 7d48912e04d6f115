"""Hands of a team of policies, played by one kernel; and the *Control* of such hands.

The cards of a deal and its draws are fixed: the number that decides an action is a function of
(seed, deal, node) and not of the agent. Where two agents would do the same, the hands are the same.

The Control (supplement, "Variance reduction via AIVAT"): each hand is replayed with a copy of the
other agent in the seat of the player who is measured, and its winnings are subtracted. Among copies
of itself it wins nothing on average, so this changes no expectation; where both would have done the
same, the luck of the cards cancels. So a hand in which both fold in the first round after the same
actions counts zero by itself; the supplement has a rule for that.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import inlined, parallel, prange, uncounted
from sixmax.base.progress import Done, quiet
from sixmax.base.rng import child, stream, unit
from sixmax.betting.tree import offers_fold, round_of, seat_of
from sixmax.cfr.advance import advance, terminal_value
from sixmax.cfr.deals import Dealer, Deals
from sixmax.cfr.layout import entry
from sixmax.ongoing.policies import MatchGame, Policy, choose

CHUNK = 1 << 15  # hands of self-play played at a time
_PARTS = 64  # work items, whatever the threads
_TEAM = 8  # policies in a tuple


class PlayedHands(NamedTuple):
    """Hands of ``n`` deals, each played ``k`` times; places are those of the line-up."""

    net: np.ndarray  # float64[n, k, places]: chips won in each place
    left: np.ndarray  # int64[n, k, places]: the node of its fold in the first round, or -1
    end: np.ndarray  # int64[n, k]: the terminal node


class Played(NamedTuple):
    """The same hands, and those of Controls alone."""

    net: np.ndarray  # float64[n, k, places]: chips won in each place
    control: np.ndarray  # float64[n, k, places]: chips won by the Control in its seat
    alike: np.ndarray  # bool[n, k]: place 0 and its Control fold at one node of the first round
    end: np.ndarray | None = None  # int64[n, k]: terminal nodes; None where the tree was left
    beside: np.ndarray | None = None  # int64[n]: that of the hand of Controls


def play_hands(
    team: tuple[Policy, ...], lineup: np.ndarray, times: int, game: MatchGame, dealt: Deals,
    seed: int, first: int, boards: int | None = 1,
) -> PlayedHands:  # fmt: skip
    """Play the deals ``dealt``, numbered from ``first`` on, with the draws of ``seed``.

    ``team[lineup[i, m]]`` plays place m of deal i, which is played ``times`` times, and sits in
    seat (m + j) % seats in its hand j. ``lineup`` is int64[n, seats]. Payoffs are the mean over the
    first ``boards`` that were dealt, None for all. The same whatever the threads.
    """
    n, seats = lineup.shape
    net = np.empty((n, times, seats))
    hands = PlayedHands(net, np.empty(net.shape, np.int64), np.empty((n, times), np.int64))
    # One length, so that the kernel is compiled once for teams of any size.
    team = team + team[:1] * (-len(team) % _TEAM)
    places = TeamPlaces(
        np.array([p.pure for p in team]), np.stack([p.base for p in team]),
        np.stack([p.columns for p in team]), lineup,
    )  # fmt: skip
    tables = tuple(p.table for p in team)
    _play_kernel(places, tables, *game, drawn(dealt, seed, first, boards), *hands)
    return hands


def self_play(
    game: MatchGame, dealer: Dealer, player: Policy, hands: int, seed: int,
    progress: Done = quiet,
) -> Iterator[tuple[Deals, np.ndarray, np.ndarray]]:  # fmt: skip
    """``hands`` hands of ``player`` in all seats, CHUNK at a time: deals, last nodes, net chips.

    Last nodes are int64[n]; net chips float64[n, seats] are the mean over all boards dealt.
    """
    seats = game.tree.columns.shape[1]
    for first in range(0, hands, CHUNK):
        n = min(CHUNK, hands - first)
        dealt = dealer.deal(child(seed, "deals"), first, n)
        lineup = np.zeros((n, seats), np.int64)
        played = play_hands((player,), lineup, 1, game, dealt, seed, first, boards=None)
        yield dealt, played.end[:, 0], np.ascontiguousarray(played.net[:, 0])
        progress(n)


def play_controlled(
    team: tuple[Policy, ...], lineup: np.ndarray, control: int, game: MatchGame, dealer: Dealer,
    seed: int, first: int,
) -> Played:  # fmt: skip
    """Play deals ``first`` … from all seats, and once more with ``team[control]`` in all.

    ``team`` and ``lineup`` as of :func:`play_hands`.
    """
    n, seats = lineup.shape
    dealt = dealer.deal(child(seed, "deals"), first, n)
    hands = play_hands(team, lineup, seats, game, dealt, seed, first)
    copies = play_hands(team, np.full((n, seats), control), 1, game, dealt, seed, first)
    seat = np.add.outer(np.arange(seats), np.arange(seats)) % seats  # by hand and place
    beside, left = (np.take(each[:, 0], seat, axis=1) for each in (copies.net, copies.left))
    alike = (hands.left >= 0) & (hands.left == left)
    return Played(hands.net, beside, alike[..., 0], hands.end, copies.end[:, 0])


class TeamPlaces(NamedTuple):
    """The policies of a team but for their tables, and the seats that they take."""

    pure: np.ndarray  # bool[team]
    base: np.ndarray  # int64[team, rounds, seats], as is the next
    columns: np.ndarray
    lineup: np.ndarray


class DrawnDeals(NamedTuple):
    """Deals, the number of the first, and the seed of their draws."""

    bucket: np.ndarray  # int32[n, seats, rounds]
    rank: np.ndarray  # int32[n, boards, seats]
    first: np.uint64
    seed: np.uint64


def drawn(dealt: Deals, seed: int, first: int, boards: int | None = 1) -> DrawnDeals:
    """The deals ``dealt`` with the draws of ``seed``, and the first ``boards``, None for all."""
    rank = np.ascontiguousarray(dealt.rank[:, :boards])
    return DrawnDeals(dealt.bucket, rank, np.uint64(first), child(seed, "draws"))


@parallel
def _play_kernel(places, tables, tree, layout, bits, drawn, net, left, end):
    n, seats = places.lineup.shape
    for part in prange(_PARTS):
        game = MatchGame(tree, layout, bits)  # parallel loops take no tuples in tuples
        hands, work = PlayedHands(net, left, end), (np.empty(seats, np.int64), np.empty(seats))
        place = np.empty(seats, np.int64)
        some = n * part // _PARTS, n * (part + 1) // _PARTS
        _play_part(some, game, places, tables, drawn, hands, place, work)


@uncounted
def _play_part(some, game, team, tables, drawn, hands, place, work):
    """Some deals; ``place`` int64[seats] holds the place of each seat, ``work`` the inverse."""
    seats, (at, scratch) = place.size, work
    for i in range(some[0], some[1]):
        draws = stream(drawn.seed, drawn.first + np.uint64(i))
        for j in range(hands.end.shape[1]):
            seat = j
            for m in range(seats):
                place[seat], at[m] = m, seat
                seat = seat + 1 if seat + 1 < seats else 0
                hands.left[i, j, m] = -1
            who = team, tables, team.lineup[i], place
            hand = game, who, drawn.bucket[i], draws, hands.net[i, j], hands.left[i, j]
            node, contributed = game.tree.node, game.tree.contributed
            x, folded = advance(node, np.int64(0), -1, _turn, hand, np.int64(0))
            hands.end[i, j] = x
            for m in range(seats):
                if not folded >> m & 1:
                    hands.net[i, j, m] = terminal_value(
                        node, contributed, drawn.rank[i], node[x, 0], x, at[m], scratch
                    )


@inlined
def _turn(hand, x, folded):
    """The action at ``x``, drawn by its own number; ``folded`` is the mask of places that fold."""
    game, (team, tables, member, place), bucket, draws, net, left = hand
    head = game.tree.node[x, 0]
    seat, in_round = seat_of(head), round_of(head)
    m = place[seat]
    k = member[m]
    base, columns = team.base[k, in_round, seat], team.columns[k, in_round, seat]
    row = entry(base, columns, bucket[seat, in_round], 0)
    u = unit(stream(draws, np.uint64(x)))
    action = choose(team.pure[k], tables[k], row, game, x, u)
    if action == 0 and offers_fold(head):
        net[m], folded = -np.float64(game.tree.node[x, 3]), folded | 1 << m
        if in_round == 0:
            left[m] = x
    return action, folded
