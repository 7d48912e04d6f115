"""A blueprint of a flop game: CFR on all deals, where hands of the last round share buckets.

On the flop of a game of three rounds every hand has rows of its own.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.cards.deck import hole_cards
from sixmax.cfr.methods import DCFR, Method
from sixmax.evaluation.exploitability.boards import summed
from sixmax.search.solvers.ranges.boards import SAME, renamed_holes
from sixmax.search.solvers.ranges.values import mean_values
from sixmax.studies.flop_games.game import FlopGame, ratio
from sixmax.studies.flop_games.learn import FlopLearner, learner


def buckets_of(game: FlopGame, number: int) -> np.ndarray:
    """The bucket of each hand of the last round: int64[B, H].

    They are ``number`` equal parts of the hands of all boards, by their share of wins against any;
    those of one strength in the order of boards and holes. Blocked hands are in bucket 0.
    """
    holes, boards = len(game.cards.of_hole), len(game.board)
    even = np.ones((boards, holes))
    won, left = (summed(even, game.cards.boards[-1], shown) for shown in (True, False))
    free = left > 0
    strength = won[free] / left[free]
    each = np.repeat(game.chance, boards // len(game.chance)) * (len(game.chance) / boards)
    weight = np.broadcast_to(each[:, None], free.shape)[free]
    order = np.argsort(strength, kind="stable")
    below = np.append(0.0, np.cumsum(weight[order]))
    first = np.empty(len(order))
    first[order] = below[:-1]
    bucket = np.zeros(free.shape, np.int64)
    bucket[free] = np.minimum(first / below[-1] * number, number - 1)
    return bucket


class Blueprint(NamedTuple):
    """The average strategy, and the mean of the values over the iterations.

    A value is in net chips of each seat with each hand, against the other's strategy of the time;
    0 where the other never comes. # ASSUME iterations weigh as in the average, and by the other's
    reach; v_bp of the supplement is the plain mean.
    """

    strategy: np.ndarray  # float64[layout.size]
    # float64[2, nodes, C]: of decisions to the end of the first round; others 0
    by_class: np.ndarray
    # float64[2, nodes, F, H]: of decisions of the second round and those that begin the third, in
    # a game of three; else of no nodes
    by_flop: np.ndarray
    by_hole: np.ndarray  # float64[2, roots, B, H]: of ``FlopGame.roots``


def solve(
    game: FlopGame, buckets: int, iterations: int, method: Method = DCFR, progress: Done = quiet
) -> Blueprint:
    """The blueprint with so many ``buckets`` (0: none). Calls ``progress`` with iterations done."""
    bucket = buckets_of(game, buckets) if buckets else None
    of, strategy = learner(game, method, bucket=bucket), np.empty(game.layout.size)
    of.solver.sum_values(_nodes(game))
    of.run(iterations, progress=progress).write(strategy)
    return Blueprint(strategy, *_means(of))


def _nodes(game: FlopGame) -> list[int]:
    """The decisions whose values are summed."""
    tree = game.tree
    return [x for x in tree.decision_nodes() if tree.round(x) < game.last or x in game.roots]


def _means(of: FlopLearner) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The means of :class:`Blueprint`."""
    game, tree, holes = of.game, of.game.tree, len(of.game.cards.of_hole)
    flops, boards, nodes = len(game.flops), len(game.board), len(tree.node)
    by_class = np.zeros((2, nodes, len(game.cards.share)))
    by_flop = np.zeros((2, nodes if game.last > 1 else 0, flops, holes))
    by_hole = np.zeros((2, len(game.roots), boards, holes))
    for seat, x, sums in _sums(of):
        r = tree.round(x)
        if r == game.last:
            by_hole[seat, game.roots.index(x)] = ratio(*sums)
        if r == 2:
            sums = sums.reshape(2, flops, -1, holes).sum(axis=2)
        if game.last > 1 and r > 0:
            by_flop[seat, x] = ratio(*sums)
        if r == 0 or tree.round(tree.parent[x]) == 0:
            weight = game.cards.boards[0].weight if r else np.ones(1)
            by_class[seat, x] = ratio(*(
                np.bincount(game.cards.of_hole, weight @ total) for total in sums
            ))  # fmt: skip
    return by_class, by_flop, by_hole


def _sums(of: FlopLearner) -> Iterator[tuple[int, int, np.ndarray]]:
    """Seat, decision, and the sums of values and weights on all boards: float64[2, B, H]."""
    game, cards = of.game, hole_cards(of.game.ranks)
    places = [[(0, SAME)], *(of.places(r) for r in range(1, game.last + 1))]
    for x in _nodes(game):
        r = game.tree.round(x)
        for seat in (0, 1):
            sums = np.zeros((2, len(places[r]), len(cards)))
            for b, (place, suits) in enumerate(places[r]):
                hole, *both = mean_values(of.solver, seat, x, place)
                sums[:, b, renamed_holes(cards[hole], suits)] = both
            yield seat, x, sums
