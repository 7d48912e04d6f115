"""The hands of a match between policies, one by one: for hand histories.

:mod:`sixmax.evaluation.match.duplicate` keeps sums alone and stops where the first agent folds.
The same deals and draws give the same hands again, here to their end.
"""

from collections.abc import Iterator

import numpy as np

from sixmax.base.rng import child
from sixmax.betting.config import SEEN
from sixmax.betting.tree import Tree, round_of
from sixmax.blueprint.run import Run
from sixmax.evaluation.match.duplicate import CHUNK, whole_hands
from sixmax.games.holdem import draw
from sixmax.hands.record import Record, record
from sixmax.ongoing.policies import MatchGame, Policy


def hands(
    names: tuple[str, str],
    agents: tuple[Policy, Policy],
    game: MatchGame,
    run: Run,
    deals: int,
    seed: int,
) -> Iterator[Record]:
    """Every hand of ``match.play`` with the same arguments, the seats of a deal in turn."""
    seats = run.game.seats
    cards, deck = np.empty(2 * seats + SEEN[-1], np.int8), np.empty(4 * run.ranks, np.int8)
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        end = whole_hands(agents, game, run.dealer, seed, first, n).end
        for i in range(n):
            draw(child(seed, "deals"), first + i, deck, cards)
            for hero in range(seats):
                players = tuple(names[seat != hero] for seat in range(seats))
                number = (first + i) * seats + hero
                actions = path(game.tree, int(end[i, hero]))
                yield record(number, players, run.game, run.ranks, actions, cards)


def path(tree: Tree, x: int) -> tuple[tuple[int, ...], ...]:
    """The actions by round that lead to node ``x``."""
    actions: list[list[int]] = []
    while x:
        parent = int(tree.parent[x])
        in_round = round_of(int(tree.node[parent, 0]))
        actions += [[] for _ in range(in_round + 1 - len(actions))]
        actions[in_round].append(int(tree.action[x]))
        x = parent
    return tuple(tuple(reversed(part)) for part in actions)
