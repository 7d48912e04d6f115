"""AIVAT for any number of players: the same win rate from far fewer hands, unbiased.

Burch, Schmid, Moravcik, Morrill and Bowling (AAAI 2018); supplement, "Variance reduction via
AIVAT", which extends it to more than two players. The hero's result is replaced by its mean over
all private cards that he could have held (*all hands*). Corrections take the luck off it: the
outcomes of the cards and of the known policies, less their expectation, by values that were frozen
before the match (:mod:`sixmax.evaluation.aivat.values`). Every hero is estimated separately.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sixmax.cards.deck import hole_cards
from sixmax.cfr.deals import Dealer, Deals, TableDealer
from sixmax.evaluation.agents.policies import MatchGame, Policy
from sixmax.evaluation.aivat.holdem import Cards, holdem_hand
from sixmax.evaluation.aivat.observer import MAX_ACTIONS, Match, observer, trace
from sixmax.evaluation.aivat.small_games import table_hand
from sixmax.evaluation.aivat.values import Values, root_means
from sixmax.evaluation.match.duplicate import DESIGN, SAMPLE, net_and_ends
from sixmax.evaluation.scores.statistics import Protocol, Result, Sums, add, refuse_too_few
from sixmax.game.tree import n_actions
from sixmax.jit import in_parts, njit
from sixmax.rng import child, stream

COLUMNS = ("result", "all hands", "chance correction", "action correction", "AIVAT")
DRAWS = 40  # flops, and run-outs, drawn for an expectation over them
CHUNK = 1024  # deals between two reports of progress


def columns(
    agents: tuple[Policy, Policy],
    ground: MatchGame,
    dealer: Dealer,
    values: Values,
    seed: int,
    first: int,
    n: int,
    known: bool = True,
    draws: int = DRAWS,
    copies: bool = False,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """Chips of the first agent in each seat of deals ``first`` …: float64[n, seats, 5].

    The hands are those of :func:`sixmax.evaluation.match.duplicate.net_chips`, and so is the first
    column. The last of COLUMNS is the sum of the second and both corrections. Without ``known`` the
    second agent's policy is not used, as if it were a stranger's. With ``copies`` the first agent
    is the stranger: each copy of the second is scored separately, all copies known, and the
    stranger wins their losses (supplement, "Variance reduction via AIVAT"). ``ends`` int64[n,
    seats] are the terminals of hands in which other agents had some of the seats, none of them
    ``known``; the first agent, or the stranger, has the seat of the column. ``copies`` need them,
    because the others play on after the stranger's fold.
    """
    tree = ground.tree
    seats = tree.columns.shape[1]
    if (most := int(n_actions(tree.node[:, 0]).max())) > MAX_ACTIONS:
        raise ValueError(f"{most} actions at a node, at most {MAX_ACTIONS} can be corrected")
    if copies and ends is None:
        raise ValueError("copies without ends; give where the hands ended, all folds played on")
    out = np.empty((n, seats, len(COLUMNS)))
    if ends is None:
        ends = net_and_ends(agents, ground, dealer, seed, first, n)[1]
    deals = child(seed, "deals")
    bucket = dealer.deal(deals, first, n).bucket
    mean = root_means(values, dealt_first(dealer, seats))
    match = Match(ground, values, *agents, np.full(seats, known), mean)
    room = np.array([longest(tree.parent), int(ground.layout.buckets.max())])
    common = match, room, bucket, np.uint64(first), copies, ends
    if isinstance(dealer, TableDealer):
        every, times, number = listed(dealer.deals)
        at = number[dealer.rows(deals, first, n)]
        in_parts(n, _table_part, *common, every.bucket, every.rank, times, at, out)
    else:
        cards = dealer.cards(deals, first, n)[:, : 2 * seats + dealer.board_cards]
        in_parts(
            n, _holdem_part, *common, np.ascontiguousarray(cards), dealer.tables,
            hole_cards(dealer.ranks), dealer.ranks, draws, child(seed, "boards"), out,
        )  # fmt: skip
    return out


def play(
    names: tuple[str, str],
    agents: tuple[Policy, Policy],
    ground: MatchGame,
    dealer: Dealer,
    values: Values,
    how: Protocol,
    deals: int,
    seed: int,
    known: bool = True,
    progress: Callable[[int], None] = lambda n: None,
) -> list[Result]:
    """A duplicate match, by every column of :func:`columns`.

    The hands are those of :func:`sixmax.evaluation.match.duplicate.play`. ``how`` is the protocol
    of AIVAT (:func:`protocol`); those of the other columns derive from it. The result does not
    depend on the number of threads. ``progress`` counts deals.
    """
    refuse_too_few(deals)
    seats = ground.tree.columns.shape[1]
    if how.seats != seats:
        raise ValueError(f"the protocol is for {how.seats} seats, the game has {seats}")
    sums: list[list[list[Sums]]] = [[] for _ in COLUMNS]
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        won = columns(agents, ground, dealer, values, seed, first, n, known)
        won *= 1000.0 / how.big_blind
        for i, parts in enumerate(sums):
            net = np.ascontiguousarray(won[:, :, i])
            every = [np.ascontiguousarray(net[:, p]) for p in range(seats)]
            parts.append([Sums.of(net.mean(axis=1)), *map(Sums.of, every)])
        progress(n)
    results = []
    for name, parts in zip(COLUMNS, sums, strict=True):
        total, *by_seat = (add(s) for s in zip(*parts, strict=True))
        scored = of_column(how, name)
        results.append(Result(*names, scored, (int(seed),), deals * seats, total, tuple(by_seat)))
    return results


def protocol(seats: int, big_blind: int, game: str, digest: str, known: bool = True) -> Protocol:
    """The protocol of :func:`play`; ``digest`` is that of the values."""
    whose = "the policies of all agents" if known else "the policy of the first agent alone"
    return Protocol(DESIGN, payoff(digest, whose), SAMPLE, seats, big_blind, game)


def of_column(how: Protocol, name: str) -> Protocol:
    """The protocol of the column ``name``, where that of the last is ``how``."""
    return how if name == COLUMNS[-1] else replace(how, payoff=f"{name} of {how.payoff}")


def payoff(digest: str, whose: str) -> str:
    """The payoff that is counted, with the values ``digest`` and ``whose`` policies."""
    return f"AIVAT with the values {digest} and {whose}, {DRAWS} boards drawn"


def listed(deals: Deals) -> tuple[Deals, np.ndarray, np.ndarray]:
    """The different deals; how often each occurs, float64[different]; and which of them each of
    ``deals`` is, int64[deals]."""
    n = len(deals.rank)
    flat = np.concatenate([deals.bucket.reshape(n, -1), deals.rank.reshape(n, -1)], axis=1)
    _, first, number, times = np.unique(
        flat, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    once = Deals(np.ascontiguousarray(deals.bucket[first]), np.ascontiguousarray(deals.rank[first]))
    return once, times.astype(np.float64), number.ravel()


def dealt_first(dealer: Dealer, seats: int) -> np.ndarray:
    """The probability of each bucket of the first round by seat: float64[seats, buckets]."""
    if isinstance(dealer, TableDealer):
        dealt = dealer.deals.bucket[:, :, 0].T
        return np.stack([np.bincount(b, minlength=dealer.buckets[0]) for b in dealt]) / len(dealt.T)
    every = np.bincount(dealer.tables.preflop[0], minlength=dealer.buckets[0])
    return np.tile(every / every.sum(), (seats, 1))


@njit
def longest(parent):
    """Nodes on the longest path."""
    depth = np.ones(len(parent), np.int64)
    for x in range(1, len(parent)):
        depth[x] = depth[parent[x]] + 1
    return depth.max()


@njit
def around(m, stranger):
    """The match as seen by the copies around a ``stranger``: they know each other's policy."""
    known = np.ones(m.known.size, np.bool_)
    known[stranger] = False
    return Match(m.ground, m.values, m.theirs, m.theirs, known, m.mean)


@njit
def _table_part(
    m, room, bucket, first, copies, ends, every, rank, times, rows, out, start, stop,
):  # fmt: skip
    s = observer(room[0], out.shape[1], bucket.shape[2], len(every), room[1], 0)
    row = np.empty(out.shape[2])
    for i in range(start, stop):
        for hero in range(out.shape[1]):
            steps = trace(m.ground.tree, ends[i, hero], s.path)
            seen, out[i, hero] = around(m, hero) if copies else m, 0.0
            for p in range(out.shape[1]):
                if (p == hero) != copies:
                    table_hand(seen, every, rank, times, rows[i], steps, p, s, row)
                    out[i, hero] += -row if copies else row


@njit
def _holdem_part(
    m, room, bucket, first, copies, ends, cards, tables, pair, ranks, boards, noise, out,
    start, stop,
):  # fmt: skip
    seats = out.shape[1]
    s = observer(room[0], seats, bucket.shape[2], len(pair), room[1], 4 * ranks)
    row = np.empty(out.shape[2])
    c = Cards(
        np.empty(cards.shape[1], np.int8), np.empty(len(pair), np.int64), pair,
        np.empty(len(pair), np.int32), np.empty(4 * ranks, np.bool_), ranks, boards,
    )  # fmt: skip
    for i in range(start, stop):
        item = first + np.uint64(i)
        c.dealt[:] = cards[i]
        for hero in range(seats):
            steps = trace(m.ground.tree, ends[i, hero], s.path)
            state = stream(noise, item * np.uint64(seats) + np.uint64(hero))
            seen, out[i, hero] = around(m, hero) if copies else m, 0.0
            for p in range(seats):
                if (p == hero) != copies:
                    holdem_hand(seen, c, tables, state, steps, p, s, row)
                    out[i, hero] += -row if copies else row
