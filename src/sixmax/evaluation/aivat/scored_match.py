"""AIVAT for any number of players: the same win rate from far fewer hands, unbiased.

Burch, Schmid, Moravcik, Morrill and Bowling (AAAI 2018); supplement, "Variance reduction via
AIVAT", which extends it to more than two players. The hero's result is replaced by its mean over
all private cards that he could have held (*all hands*). Corrections take the luck off it: the
outcomes of the cards and of the known policies, less their expectation, by values that were frozen
before the match (:mod:`sixmax.evaluation.aivat.values`). Every hero is estimated separately.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sixmax.abstraction.features_kernels import Deck
from sixmax.base.jit import in_parts, njit
from sixmax.base.rng import child, stream
from sixmax.betting.tree import n_actions
from sixmax.cards.deck import hole_cards
from sixmax.cfr.deals import Dealer, Deals, TableDealer
from sixmax.evaluation.aivat.holdem import holdem_hand, work_space
from sixmax.evaluation.aivat.observer import MAX_ACTIONS, MatchConstants, Observed, observer, trace
from sixmax.evaluation.aivat.small_games import ListedDeals, table_hand
from sixmax.evaluation.aivat.values import Values, root_means
from sixmax.evaluation.match.duplicate import DESIGN, SAMPLE, dealt_cards, net_and_ends
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.scores.job_parts import RowForm
from sixmax.scores.statistics import Protocol, Result, ResultForm, measure
from sixmax.store.records import Form, RecordKind

COLUMNS = ("result", "all hands", "chance correction", "action correction", "AIVAT")
DRAWS = 40  # flops, and run-outs, drawn for an expectation over them
CHUNK = 1024  # deals between two reports of progress


class _ColumnForm(Form):
    mean: float
    standard_error: float


class _ScoredForm(ResultForm, RowForm):
    columns: dict[str, _ColumnForm]
    variance_divided_by: dict[str, float | None]


SCORED = RecordKind("a match scored by AIVAT", "sixmax aivat", _ScoredForm)


class ScoredGame(NamedTuple):
    """Two agents in a game, scored by ``values``.

    Without ``known`` the second agent's policy is not used, as if it were a stranger's.
    """

    agents: tuple[Policy, Policy]
    game: MatchGame
    dealer: Dealer
    values: Values
    known: bool = True
    draws: int = DRAWS


def columns(
    scored: ScoredGame,
    seed: int,
    first: int,
    n: int,
    copies: bool = False,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """Chips of the first agent in each seat of deals ``first`` …: float64[n, seats, 5].

    The hands are those of :func:`sixmax.evaluation.match.duplicate.net_chips`, and so is the first
    column. The last of COLUMNS is the sum of the second and both corrections. With ``copies`` the
    first agent is the stranger: each copy of the second is scored separately, all copies known, and
    the stranger wins their losses (supplement, "Variance reduction via AIVAT"). ``ends`` int64[n,
    seats] are the terminals of hands in which other agents had some of the seats, none of them
    ``known``; the first agent, or the stranger, has the seat of the column. ``copies`` need them,
    because the others play on after the stranger's fold. Raises ValueError for ``copies`` without
    ``ends``, and for nodes of more than MAX_ACTIONS actions.
    """
    agents, game, dealer, values, known, draws = scored
    tree = game.tree
    seats = tree.columns.shape[1]
    if (most := int(n_actions(tree.node[:, 0]).max())) > MAX_ACTIONS:
        raise ValueError(f"{most} actions at a node, at most {MAX_ACTIONS} can be corrected")
    if copies and ends is None:
        raise ValueError("copies without ends; give the ends of hands whose folds are played on")
    if ends is None:
        ends = net_and_ends(agents, game, dealer, seed, first, n)[1]
    out = np.zeros((n, seats, len(COLUMNS)))
    mean = root_means(values, first_buckets(dealer, seats))
    match = MatchConstants(game, values, *agents, np.full(seats, known), mean)
    played = ScoredHands(longest(tree.parent), copies, ends, out)
    if isinstance(dealer, TableDealer):
        deals, times, number = listed(dealer.deals)
        at = number[dealer.rows(child(seed, "deals"), first, n)]
        in_parts(n, _table_part, match, played, ListedDeals(deals.bucket, deals.rank, times), at)
    else:
        cards = dealt_cards(dealer, seed, first, n, seats)
        hands = HoldemHands(
            cards, np.uint64(first), dealer.tables, Deck(dealer.ranks, hole_cards(dealer.ranks)),
            draws, child(seed, "boards"),
        )  # fmt: skip
        in_parts(n, _holdem_part, match, played, hands)
    return out


def play(
    names: tuple[str, str],
    scored: ScoredGame,
    protocol: Protocol,
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> list[Result]:
    """A duplicate match, by every column of :func:`columns`.

    The hands are those of :func:`sixmax.evaluation.match.duplicate.play`. ``protocol`` is that of
    AIVAT (:func:`protocol`); those of the other columns derive from it. The result does not
    depend on the number of threads. ``progress`` counts deals. Raises ValueError like
    :func:`sixmax.scores.statistics.measure`.
    """

    def net(first: int, n: int) -> np.ndarray:
        return columns(scored, seed, first, n)

    protocols = [of_column(protocol, name) for name in COLUMNS]
    return measure(names, protocols, seed, deals, CHUNK, net, progress)


def protocol(seats: int, big_blind: int, game: str, digest: str, known: bool = True) -> Protocol:
    """The protocol of :func:`play`; ``digest`` is that of the values."""
    whose = "the policies of all agents" if known else "the policy of the first agent alone"
    return Protocol(DESIGN, payoff(digest, whose), SAMPLE, seats, big_blind, game)


def of_column(protocol: Protocol, name: str) -> Protocol:
    """The protocol of the column ``name``, where that of the last is ``protocol``."""
    last = name == COLUMNS[-1]
    return protocol if last else replace(protocol, payoff=f"{name} of {protocol.payoff}")


def payoff(digest: str, whose: str) -> str:
    """The payoff of AIVAT with the values ``digest``; ``whose`` policies corrected actions."""
    return f"AIVAT with the values {digest} and {whose}, {DRAWS} boards drawn"


def listed(deals: Deals) -> tuple[Deals, np.ndarray, np.ndarray]:
    """The distinct deals, their counts float64[distinct], and their places int64[deals].

    The place of a deal is its index among the distinct ones.
    """
    n = len(deals.rank)
    flat = np.concatenate([deals.bucket.reshape(n, -1), deals.rank.reshape(n, -1)], axis=1)
    _, first, number, times = np.unique(
        flat, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    distinct = Deals(*(np.ascontiguousarray(array[first]) for array in deals))
    return distinct, times.astype(np.float64), number.ravel()


def first_buckets(dealer: Dealer, seats: int) -> np.ndarray:
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
    return MatchConstants(m.game, m.values, m.theirs, m.theirs, known, m.mean)


class ScoredHands(NamedTuple):
    """Hands that were played, and their columns."""

    steps: int  # of the longest
    copies: bool
    ends: np.ndarray  # int64[n, seats]
    out: np.ndarray  # float64[n, seats, 5]


class HoldemHands(NamedTuple):
    """The cards of hands of hold'em."""

    cards: np.ndarray  # int8[n, cards]
    first: np.uint64  # number of the first deal
    tables: Any  # of the dealer
    deck: Deck
    draws: int
    seed: np.uint64  # of the drawn boards


@njit
def _table_part(m, played, listed, deal, start, stop):
    steps, copies, ends, out = played
    seats, row, (particles, _, rounds) = out.shape[1], np.empty(out.shape[2]), listed.bucket.shape
    s = observer(steps, seats, rounds, particles, m.game.layout.buckets.max(), 0)
    for i in range(start, stop):
        for hero in range(seats):
            size = trace(m.game.tree, ends[i, hero], s.path)
            seen = around(m, hero) if copies else m
            for p in range(seats):
                if (p == hero) != copies:
                    table_hand(Observed(seen, p, s), listed, deal[i], size, row)
                    out[i, hero] += -row if copies else row


@njit
def _holdem_part(m, played, hands, start, stop):
    (steps, copies, ends, out), (cards, first, tables, deck, draws, seed) = played, hands
    seats, row = out.shape[1], np.empty(out.shape[2])
    c, s = work_space(m, steps, cards.shape[1] - 2 * seats, tables, deck, draws)
    for i in range(start, stop):
        c.dealt[:] = cards[i]
        for hero in range(seats):
            size = trace(m.game.tree, ends[i, hero], s.path)
            hand = (first + np.uint64(i)) * np.uint64(seats) + np.uint64(hero)
            seen = around(m, hero) if copies else m
            for p in range(seats):
                if (p == hero) != copies:
                    holdem_hand(Observed(seen, p, s), c, stream(seed, hand), size, row)
                    out[i, hero] += -row if copies else row
