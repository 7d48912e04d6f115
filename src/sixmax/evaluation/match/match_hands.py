"""The hands of a match between agents in kernels, one by one: for hand histories.

:mod:`sixmax.evaluation.match.duplicate` keeps sums alone and stops where the hero folds. The same
deals and draws give the same hands again, here to their end.
"""

from collections.abc import Iterator

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.evaluation.agents.policies import Agent, Ground
from sixmax.evaluation.hands.record import Record, record
from sixmax.evaluation.match.duplicate import CHUNK, play_hand
from sixmax.game.config import SEEN
from sixmax.game.tree import DECISION, Tree, kind_of, round_of
from sixmax.games.holdem import draw
from sixmax.jit import njit
from sixmax.rng import child, stream


def hands(
    names: tuple[str, str],
    agents: tuple[Agent, Agent],
    ground: Ground,
    run: Run,
    deals: int,
    seed: int,
) -> Iterator[Record]:
    """Every hand of ``match.play`` with the same arguments, the seats of a deal in turn."""
    seats = run.game.seats
    cards, deck = np.empty(2 * seats + SEEN[-1], np.int8), np.empty(4 * run.ranks, np.int8)
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        bucket = run.dealer.deal(child(seed, "deals"), first, n).bucket
        end = np.empty((n, seats), np.int64)
        draws = np.uint64(child(seed, "draws"))
        _ends_kernel(*agents, ground, bucket, np.uint64(first), draws, end)
        for i in range(n):
            draw(child(seed, "deals"), first + i, deck, cards)
            for hero in range(seats):
                who = tuple(names[seat != hero] for seat in range(seats))
                number = (first + i) * seats + hero
                done = path(ground.tree, int(end[i, hero]))
                yield record(number, who, run.game, run.ranks, done, cards)


def path(tree: Tree, x: int) -> tuple[tuple[int, ...], ...]:
    """The actions by round that lead to node ``x``."""
    found: list[list[int]] = []
    while x:
        parent = int(tree.parent[x])
        in_round = round_of(int(tree.node[parent, 0]))
        found += [[] for _ in range(in_round + 1 - len(found))]
        found[in_round].append(int(tree.action[x]))
        x = parent
    return tuple(tuple(reversed(part)) for part in found)


@njit
def _ends_kernel(a, b, ground, bucket, first, seed, end):
    """Write into ``end`` int64[n, seats] where the hands of ``bucket`` int32[n, seats, rounds] end,
    by the seat of ``a``."""
    node = ground.tree.node
    for i in range(len(end)):
        draws = stream(seed, first + np.uint64(i))
        for hero in range(end.shape[1]):
            x = play_hand(a, b, hero, ground, bucket[i], draws)
            if kind_of(node[x, 0]) == DECISION:  # the hero's fold, after which nobody is the hero
                x = play_hand(a, b, -1, ground, bucket[i], draws, node[x, 1])
            end[i, hero] = x
