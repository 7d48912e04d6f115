"""Values at the leaves of the first round: EV of two strategies from the flop on.

The value of a leaf is a matrix over the classes of both players, in net chips of the first seat
times the probability of the pair: the values of one player's classes are the matrix times the range
of the other (Brown, Sandholm and Amos 2018, section 4: "traversing the entire game tree once").
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.betting.tree import is_decision, seat_of
from sixmax.cfr.layout import entries
from sixmax.studies.flop_games.game import FlopGame


def matrices(
    game: FlopGame,
    strategies: tuple[np.ndarray, np.ndarray],
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The value of each of ``game.roots`` where the seats play ``strategies``: float64[., C, C].

    Rows are classes of seat 0, columns those of seat 1. Calls ``progress`` with the flops done.
    """
    dealt, classes = game.cards.boards[0], len(game.cards.share)
    out = np.zeros((len(game.roots), classes, classes))
    for f, weight in enumerate(dealt.weight):
        pairs = _pairs(game, f)
        for i, root in enumerate(game.roots):
            out[i] += weight * _on_board(game, strategies, root, f, pairs)
        progress(1)
    return out


class _Pairs(NamedTuple):
    """The holes that a board leaves, by class, and all pairs of them."""

    free: np.ndarray  # int64[n]
    held: np.ndarray  # int64[k]: the classes that have any
    first: np.ndarray  # int64[k]: their first holes
    meet: np.ndarray  # float32[n, n]: 0 where the two holes share a card, else 1
    win: np.ndarray  # float32[n, n]: of the row's hole, 1 or -1; 0 for ties and where ``meet`` is


def _pairs(game: FlopGame, f: int) -> _Pairs:
    dealt, of_hole = game.cards.boards[0], game.cards.of_hole
    free = dealt.free[f].astype(np.int64)
    free = free[np.argsort(of_hole[free], kind="stable")]
    low, high = dealt.pair[free].T
    meet = np.ones((len(free), len(free)), np.float32)
    for mine, theirs in ((low, low), (low, high), (high, low), (high, high)):
        meet[mine[:, None] == theirs] = 0
    strength = np.zeros(len(of_hole), np.int64)
    strength[dealt.order[f]] = dealt.stop[f]  # the end of the run of ties: higher for better hands
    strength = strength[free]
    win = np.sign(strength[:, None] - strength).astype(np.float32) * meet
    return _Pairs(free, *np.unique(of_hole[free], return_index=True), meet, win)


def _on_board(
    game: FlopGame, strategies: tuple[np.ndarray, np.ndarray], root: int, f: int, pairs: _Pairs,
) -> np.ndarray:  # fmt: skip
    """Net chips of seat 0 on board ``f``, summed over pairs of holes, by class: float64[C, C].

    A terminal pays the same to all pairs of holes, but for the winner of a showdown. So the sum
    over terminals is a product of two matrices of reach, folds and showdowns apart.
    """
    paid, shown, reach = _ends(game, strategies, root, f, pairs.free)
    paid, reach = paid.astype(np.float32), reach.astype(np.float32)
    value = np.zeros_like(pairs.meet)
    for k, counts in ((~shown, pairs.meet), (shown, pairs.win)):
        value += counts * ((reach[0, k] * paid[k, None]).T @ reach[1, k])
    by_row = np.add.reduceat(value, pairs.first, 0)
    out = np.zeros((len(game.cards.share),) * 2)
    out[np.ix_(pairs.held, pairs.held)] = np.add.reduceat(by_row, pairs.first, 1)
    return out


def _ends(
    game: FlopGame, strategies: tuple[np.ndarray, np.ndarray], root: int, f: int, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The n terminals below ``root``: chips, whether hands are shown, and reach.

    Net chips of seat 0 where it wins, float64[n]; bool[n]; the reach of both seats with the holes
    ``free``, float64[2, n, holes].
    """
    tree, walk = game.tree, game.walk(np.zeros(0), 0)
    paid, shown, reach = [], [], []
    todo = [(root, np.ones((2, len(free))))]
    while todo:
        x, here = todo.pop()
        head = int(tree.node[x, 0])
        if not is_decision(head):
            chips, show = walk.stake(x)
            paid.append(chips)
            shown.append(show)
            reach.append(here)
            continue
        seat, own = seat_of(head), game.cards.boards[0].bucket[f, free]
        rows = strategies[seat][entries(tree, game.layout, x, own)]
        for a, child in enumerate(tree.children(x)):
            there = here.copy()
            there[seat] *= rows[:, a]
            todo.append((child, there))
    return np.array(paid, np.float64), np.array(shown, bool), np.stack(reach, axis=1)
