"""Duplicate matches: A against copies of B, every deal played once with A in each seat.

The cards stay where they are and the seats rotate. The random number that decides an action is a
function of (seed, deal, node), so it does not change with the rotation either: where A and B
would act alike, all rotations are the same hand, and what A wins in one seat it loses in another.
An agent against copies of itself therefore breaks even on every single deal, and two agents that
differ little are told apart with few deals.
"""

from collections.abc import Callable

import numpy as np

from sixmax.cfr.deals import Dealer
from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents.policies import Agent, Ground, act
from sixmax.evaluation.hands import all_in
from sixmax.evaluation.scores.statistics import (
    PAYOFF,
    Protocol,
    Result,
    Sums,
    add,
    refuse_too_few,
)
from sixmax.game.tree import DECISION, kind_of, offers_fold, round_of, seat_of
from sixmax.jit import parallel, prange, uncounted
from sixmax.rng import child, stream, unit

DESIGN = "1 against copies, duplicate: cards and draws of a deal fixed, one hand from each seat"
SAMPLE = "deal (mean over the seats)"
CHUNK = 8192  # deals played between two reports of progress
_PARTS = 64  # work items of a chunk, whatever the threads


def protocol(seats: int, big_blind: int, game: str, boards: int | None = None) -> Protocol:
    """The protocol of :func:`play`; ``game`` is a digest of rules, deck and buckets."""
    payoff = PAYOFF if boards is None else all_in.payoff(boards)
    return Protocol(DESIGN, payoff, SAMPLE, seats, big_blind, game)


def play(
    names: tuple[str, str],
    agents: tuple[Agent, Agent],
    ground: Ground,
    dealer: Dealer,
    how: Protocol,
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
    boards: int | None = None,
) -> Result:
    """Play ``deals`` deals of the first agent against copies of the second.

    ``boards`` says how all-in pots are counted: None as they came, else as :mod:`allin` says. The
    result is the same, bit for bit, whatever the threads. ``progress`` is told of deals.
    """
    refuse_too_few(deals)
    seats = ground.tree.columns.shape[1]
    if how.seats != seats:
        raise ValueError(f"the protocol is for {how.seats} seats, the game has {seats}")
    deal_sums, seat_sums = [], []
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        net = net_chips(agents, ground, dealer, seed, first, n, boards) * (1000.0 / how.big_blind)
        deal_sums.append(Sums.of(net.mean(axis=1)))
        seat_sums.append([Sums.of(np.ascontiguousarray(net[:, s])) for s in range(seats)])
        progress(n)
    by_seat = tuple(add(s) for s in zip(*seat_sums, strict=True))
    return Result(*names, how, (int(seed),), deals * seats, add(deal_sums), by_seat)


def net_chips(
    agents: tuple[Agent, Agent],
    ground: Ground,
    dealer: Dealer,
    seed: int,
    first: int,
    n: int,
    boards: int | None = None,
) -> np.ndarray:
    """Net chips of the first agent in each seat of deals ``first`` …: float64[n, seats].

    ``boards`` as in :func:`play`; the dealer is one of hold'em where it is not None.
    """
    dealt = dealer.deal(child(seed, "deals"), first, n)
    rank = dealt.rank[:, :1]  # what came, not the mean over what could have come
    net = np.empty(dealt.bucket.shape[:2])
    end = np.empty(net.shape, np.int64)
    draws = child(seed, "draws")
    _play_kernel(*agents, *ground, dealt.bucket, rank, np.uint64(first), draws, net, end)
    if boards is not None:
        cards = dealer.cards(child(seed, "deals"), first, n)
        cards = cards[:, : 2 * net.shape[1] + dealer.board_cards]
        own = child(seed, "boards")
        all_in.settle_early(ground.tree, cards, dealer.ranks, end, boards, own, first, net)
    return net


@parallel
def _play_kernel(a, b, tree, layout, bits, book, bucket, rank, first, seed, net, end):
    n, seats = net.shape
    for part in prange(_PARTS):
        ground = Ground(tree, layout, bits, book)  # parallel loops take no tuples in tuples
        scratch = np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(seed, first + np.uint64(i))
            for hero in range(seats):
                x = play_hand(a, b, hero, ground, bucket[i], draws)
                end[i, hero] = x
                net[i, hero] = settle(ground.tree, x, rank[i], hero, scratch)


@uncounted
def play_hand(a, b, hero, ground, bucket, draws, x=0):
    """Play one hand from node ``x`` on with ``a`` in seat ``hero`` and ``b`` in all others.

    ``bucket`` is int32[seats, rounds]; the action at node x is drawn by number x of the stream
    ``draws``. Returns the terminal node, or the decision node at which the hero folded: nothing
    after it changes what the hero has lost.
    """
    node, x = ground.tree.node, np.int64(x)
    while True:
        head = node[x, 0]
        if kind_of(head) != DECISION:
            return x
        seat = seat_of(head)
        seen = bucket[seat, round_of(head)]
        u = unit(stream(draws, np.uint64(x)))
        if seat == hero:
            action = act(a, ground, x, seen, u)
            if action == 0 and offers_fold(head):
                return x
        else:
            action = act(b, ground, x, seen, u)
        x = node[x, 1] + action


@uncounted
def settle(tree, x, rank, hero, scratch):
    """Net chips of ``hero`` where :func:`play_hand` ended; ``scratch`` is float64[seats]."""
    head = tree.node[x, 0]
    if kind_of(head) == DECISION:  # the hero's fold
        return -np.float64(tree.node[x, 3])
    return terminal_value(tree.node, tree.contributed, rank, head, x, hero, scratch)
