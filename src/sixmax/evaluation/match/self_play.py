"""Self-play: hands of one agent in all seats, from the deal to the terminal node."""

from collections.abc import Callable, Iterator

import numpy as np

from sixmax.cfr.deals import Dealer, Deals
from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents.policies import Agent, Ground, act
from sixmax.game.tree import DECISION, kind_of, offers_fold, round_of, seat_of
from sixmax.jit import njit, parallel, prange
from sixmax.rng import child, stream, unit

CHUNK = 1 << 15  # hands played at a time
_PARTS = 64


def self_play(
    ground: Ground,
    dealer: Dealer,
    player: Agent,
    hands: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Iterator[tuple[Deals, np.ndarray, np.ndarray]]:
    """``hands`` hands of ``player`` in all seats, CHUNK at a time: the deals, the node where each
    hand ended int64[n], and net chips float64[n, seats]."""
    seats = ground.tree.columns.shape[1]
    for start in range(0, hands, CHUNK):
        n = min(CHUNK, hands - start)
        dealt = dealer.deal(child(seed, "deals"), start, n)
        end, net = np.empty(n, np.int64), np.empty((n, seats))
        play_kernel(
            player, *ground, dealt.bucket, dealt.rank, np.uint64(start), child(seed, "draws"), end,
            net,
        )  # fmt: skip
        yield dealt, end, net
        progress(n)


@parallel
def play_kernel(agent, tree, layout, bits, book, bucket, rank, first, seed, end, net):
    """Play deals with ``agent`` in all seats; fills ``end`` int64[n] and ``net`` float64[n, seats],
    chips."""
    n, seats = net.shape
    for part in prange(_PARTS):
        ground = Ground(tree, layout, bits, book)  # parallel loops take no tuples in tuples
        scratch = np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(seed, first + np.uint64(i))
            end[i] = _play(agent, ground, bucket[i], rank[i], draws, net[i], scratch)


@njit
def _play(agent, ground, bucket, rank, draws, net, scratch):
    node = ground.tree.node
    x, folded = np.int64(0), 0
    while True:
        head = node[x, 0]
        if kind_of(head) != DECISION:
            break
        seat = seat_of(head)
        u = unit(stream(draws, np.uint64(x)))
        action = act(agent, ground, x, bucket[seat, round_of(head)], u)
        if action == 0 and offers_fold(head):
            folded |= 1 << seat
            net[seat] = -np.float64(node[x, 3])
        x = node[x, 1] + action
    for seat in range(net.size):
        if not folded >> seat & 1:
            net[seat] = terminal_value(
                node, ground.tree.contributed, rank, node[x, 0], x, seat, scratch
            )
    return x
