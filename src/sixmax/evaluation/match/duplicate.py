"""Duplicate matches: A against copies of B, every deal played once with A in each seat.

The cards stay where they are and the seats rotate. The random number that decides an action is a
function of (seed, deal, node), so it does not change with the rotation either: where A and B
would act alike, all rotations are the same hand, and A's gain in one seat is its loss in another.
An agent against copies of itself therefore breaks even on every single deal, and two agents that
differ little are told apart with few deals.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sixmax.base.jit import inlined, parallel, prange
from sixmax.base.rng import child, stream, unit
from sixmax.betting.tree import Tree, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cfr.advance import advance, outcome
from sixmax.cfr.deals import Dealer
from sixmax.evaluation.match.play import PlayedHands, drawn, play_hands
from sixmax.games.holdem import HoldemDealer
from sixmax.hands import all_in
from sixmax.hands.record import Record, record
from sixmax.ongoing.policies import MatchGame, Policy, act
from sixmax.scores.statistics import PAYOFF, Protocol, Result, measure

DESIGN = "1 against copies, duplicate: cards and draws of a deal fixed, one hand from each seat"
SAMPLE = "deal (mean over the seats)"
CHUNK = 8192  # deals played between two reports of progress
_PARTS = 64  # work items of a chunk, whatever the threads


def protocol(
    seats: int, big_blind: int, game: str, boards: int | None = None, design: str = DESIGN
) -> Protocol:
    """The protocol of :func:`play`; ``game`` is a digest of rules, deck and buckets."""
    payoff = PAYOFF if boards is None else all_in.payoff(boards)
    return Protocol(design, payoff, SAMPLE, seats, big_blind, game)


def play(
    names: tuple[str, str], agents: tuple[Policy, Policy], game: MatchGame, dealer: Dealer,
    protocol: Protocol, deals: int, seed: int, progress: Callable[[int], None] = lambda n: None,
    boards: int | None = None,
) -> Result:  # fmt: skip
    """Play ``deals`` deals of the first agent against copies of the second.

    ``boards`` is the number of boards that an all-in pot is counted over
    (:mod:`sixmax.hands.all_in`); None: the one that came. The result is the same whatever the
    threads. ``progress`` counts deals. Raises ValueError like
    :func:`sixmax.scores.statistics.measure`.
    """

    def net(first: int, n: int) -> np.ndarray:
        return net_chips(agents, game, dealer, seed, first, n, boards)[..., None]

    return measure(names, [protocol], seed, deals, CHUNK, net, progress)[0]


def net_chips(
    agents: tuple[Policy, Policy], game: MatchGame, dealer: Dealer, seed: int, first: int, n: int,
    boards: int | None = None,
) -> np.ndarray:  # fmt: skip
    """Net chips of the first agent in each seat of deals ``first`` …: float64[n, seats].

    ``boards`` as in :func:`play`, for hold'em alone.
    """
    net, end = net_and_ends(agents, game, dealer, seed, first, n)
    if boards is not None:
        cards = dealt_cards(dealer, seed, first, *net.shape)
        own = child(seed, "boards")
        all_in.settle_early(game.tree, cards, dealer.ranks, end, boards, own, first, net)
    return net


def dealt_cards(dealer: HoldemDealer, seed: int, first: int, n: int, seats: int) -> np.ndarray:
    """The holes and the board of deals ``first`` …: int8[n, 2 seats + board]."""
    cards = dealer.cards(child(seed, "deals"), first, n)[:, : 2 * seats + dealer.board_cards]
    return np.ascontiguousarray(cards)


def net_and_ends(
    agents: tuple[Policy, Policy], game: MatchGame, dealer: Dealer, seed: int, first: int, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Net chips as the boards came, and last nodes: float64[n, seats], int64[n, seats].

    A last node is a terminal, or the node at which the first agent folded.
    """
    dealt = drawn(dealer.deal(child(seed, "deals"), first, n), seed, first)
    net = np.empty(dealt.bucket.shape[:2])
    end = np.empty(net.shape, np.int64)
    _play_kernel(*agents, *game, dealt, net, end)
    return net, end


def whole_hands(
    agents: tuple[Policy, Policy], game: MatchGame, dealer: Dealer, seed: int, first: int, n: int
) -> PlayedHands:
    """The same hands to their end: the first agent is in place 0, in each seat in turn."""
    dealt = dealer.deal(child(seed, "deals"), first, n)
    seats = game.tree.columns.shape[1]
    lineup = np.ones((n, seats), np.int64)
    lineup[:, 0] = 0
    return play_hands(agents, lineup, seats, game, dealt, seed, first)


def hands(
    names: tuple[str, str], agents: tuple[Policy, Policy], game: MatchGame, run: Run, deals: int,
    seed: int,
) -> Iterator[Record]:  # fmt: skip
    """The hands of :func:`play` one by one, for hand histories, the seats of a deal in turn."""
    seats = run.game.seats
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        end = whole_hands(agents, game, run.dealer, seed, first, n).end
        cards = dealt_cards(run.dealer, seed, first, n, seats)
        for i, hero in np.ndindex(n, seats):
            players = tuple(names[seat != hero] for seat in range(seats))
            number = (first + i) * seats + hero
            actions = path(game.tree, int(end[i, hero]))
            yield record(number, players, run.game, run.ranks, actions, cards[i])


def path(tree: Tree, x: int) -> tuple[tuple[int, ...], ...]:
    """The actions by round that lead to node ``x``."""
    actions: list[list[int]] = []
    for decision, below in tree.steps(x):
        actions += [[] for _ in range(tree.round(decision) + 1 - len(actions))]
        actions[-1].append(int(tree.action[below]))
    return tuple(map(tuple, actions))


# A kernel of its own: with two policies and one seat that counts it is a sixth faster than play.
@parallel
def _play_kernel(a, b, tree, layout, bits, dealt, net, end):
    n, seats = net.shape
    for part in prange(_PARTS):
        game = MatchGame(tree, layout, bits)  # parallel loops take no tuples in tuples
        scratch = np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(dealt.seed, dealt.first + np.uint64(i))
            for hero in range(seats):
                pair = a, b, hero, game, dealt.bucket[i]
                x, _ = advance(tree.node, np.int64(0), hero, _turn, pair, draws)
                end[i, hero] = x
                net[i, hero] = outcome(tree.node, tree.contributed, dealt.rank[i], x, hero, scratch)


@inlined
def _turn(pair, x, draws):
    """The action at ``x``, drawn by number x of the stream ``draws``."""
    a, b, hero, game, bucket = pair
    head = game.tree.node[x, 0]
    seat = seat_of(head)
    seen, u = bucket[seat, round_of(head)], unit(stream(draws, np.uint64(x)))
    action = act(a, game, x, seen, u) if seat == hero else act(b, game, x, seen, u)
    return action, np.uint64(draws)  # a number, no array that it was given
