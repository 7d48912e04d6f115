"""An opponent who bets a size on the flop that the blueprint lacks: answers to it.

*Translation* answers as to the sizes beside it, by the randomised pseudo-harmonic mapping. *Nested*
solving makes a subgame that begins where the opponent bet: unsafe with its range of the blueprint,
and all of its actions; safe after the bet, where its alternative is the best of the other actions.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.cfr.policy import uniform
from sixmax.errors import UserError
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import Walk
from sixmax.game.rules import CALL, apply, begin
from sixmax.game.tree import (
    DECISION,
    children,
    kind_of,
    n_actions,
    path,
    round_of,
    seat_of,
)
from sixmax.game.tree_cut import cut, later_rounds
from sixmax.libratus.game import FlopGame
from sixmax.libratus.reach import reach_to
from sixmax.libratus.subgames import place, some_range
from sixmax.play.translate import fraction, probability
from sixmax.search.solvers.problem import Alternative, strategy_at
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver

ANSWERS = ("translation", "unsafe", "resolve", "maxmargin")


class Bet(NamedTuple):
    """A bet that the blueprint lacks.

    node: its decision; child: the node after it
    below, above: the nodes after the blueprint's neighbouring sizes
    """

    node: int
    child: int
    below: int
    above: int


class OffTree(NamedTuple):
    """A game with more sizes than the blueprint's, and the blueprint in it.

    ``strategy`` float64[layout.size] never takes them, and is uniform after them.
    """

    game: FlopGame
    strategy: np.ndarray
    bets: tuple[Bet, ...]


def embedded(small: FlopGame, blueprint: np.ndarray, large: FlopGame) -> OffTree:
    """``blueprint`` float64[small.layout.size] in ``large``: the same flops and more bets.

    Raises UserError where no bet is new, or where one has no size of ``small`` beside it.
    """
    strategy, bets = uniform(large.tree, large.layout), []
    by_path = {tuple(path(small.tree, x)): x for x in range(len(small.tree.node))}
    for x in np.flatnonzero(kind_of(large.tree.node[:, 0]) == DECISION):
        node = by_path.get(tuple(path(large.tree, int(x))))
        if node is None:
            continue
        to, at = (_rows(game, y) for game, y in ((large, int(x)), (small, node)))
        strategy[to] = 0.0
        names = large.tree.action[list(children(large.tree, int(x)))].tolist()
        known = small.tree.action[list(children(small.tree, node))].tolist()
        for a, action in enumerate(known):
            strategy[to[:, names.index(action)]] = blueprint[at[:, a]]
        bets += [_bet(large, int(x), k, known) for k in names if k not in known]
    if not bets:
        raise UserError("the larger game has no bet that the blueprint's lacks; wanted one")
    return OffTree(large, strategy, tuple(bets))


def _rows(game: FlopGame, node: int) -> np.ndarray:
    """The addresses of a decision's rows: int64[buckets, actions]."""
    head, _, slot, _ = (int(n) for n in game.tree.node[node])
    bucket = np.arange(game.layout.buckets[round_of(head)])
    first = infoset(game.layout, round_of(head), seat_of(head), bucket, slot)
    return first[:, None] + np.arange(n_actions(head))


def _bet(game: FlopGame, node: int, action: int, known: list[int]) -> Bet:
    raises = sorted(k for k in known if k > CALL)
    if not raises:
        raise UserError(f"a bet to {action} chips: the blueprint has none beside it; wanted one")
    below = max((k for k in raises if k < action), default=raises[0])
    above = min((k for k in raises if k > action), default=raises[-1])
    first = {int(game.tree.action[x]): x for x in children(game.tree, node)}
    return Bet(node, first[action], first[below], first[above])


def answered(
    case: OffTree, answer: str, iterations: int, progress: Callable[[int], None] = lambda n: None
) -> np.ndarray:
    """The strategy of ``case`` with an answer of ANSWERS after each bet: float64[layout.size].

    Calls ``progress`` with the bets done.
    """
    strategy = case.strategy.copy()
    for bet in case.bets:
        if answer == "translation":
            _translate(case, bet, strategy)
        else:
            _nest(case, bet, answer, iterations, strategy)
        progress(1)
    return strategy


def _nest(case: OffTree, bet: Bet, answer: str, iterations: int, strategy: np.ndarray) -> None:
    """Solve a subgame for each flop, and take over our rows after the bet."""
    game, opponent = case.game, seat_of(int(case.game.tree.node[bet.node, 0]))
    safe, alternative = answer != "unsafe", None
    part = cut(game.tree, bet.child if safe else bet.node, lambda node: False, 1)
    tree, reach = later_rounds(part.tree, 1), reach_to(game, case.strategy, bet.node)
    values = _without_bet(case, bet, reach[1 - opponent]) if safe else None
    for f, board in enumerate(game.board):
        ranges = reach[:, f].copy()
        if safe:
            ranges[opponent] = 1.0
            alternative = Alternative(opponent, values[f], answer)
        subgame = endgame(tree, board, some_range(ranges), (), game.ranks, every=True, final=3)
        solver = RangeSolver(subgame, CFR_PLUS, alternative=alternative).run(iterations)
        result = solver.strategy()
        for x in np.flatnonzero(kind_of(tree.node[:, 0]) == DECISION):
            node = int(part.origin[x])
            if seat_of(int(tree.node[x, 0])) != opponent and _follows(game, node, bet.child):
                rows = strategy_at(tree, subgame.layout, result, int(x))
                place(game, strategy, f, node, 1 - opponent, rows)


def _without_bet(case: OffTree, bet: Bet, reach: np.ndarray) -> np.ndarray:
    """The best that each hand of the opponent can do without the bet, net chips: float64[F, H]."""
    game = case.game
    seat = seat_of(int(game.tree.node[bet.node, 0]))
    walk = Walk(game.tree, game.layout, game.cards, case.strategy, seat)
    dealt = game.cards.boards
    others = {b.child for b in case.bets}
    values = [
        walk.board(x, reach, dealt)[1] for x in children(game.tree, bet.node) if x not in others
    ]
    left = summed(reach, dealt[0], False)
    return np.divide(np.max(values, axis=0), left, out=np.zeros(left.shape), where=left > 0)


def _follows(game: FlopGame, node: int, before: int) -> bool:
    while node > before:
        node = int(game.tree.parent[node])
    return node == before


def _translate(case: OffTree, bet: Bet, strategy: np.ndarray) -> None:
    """Our rows after the bet: those after the sizes beside it, mixed by their probability.

    The size is drawn once. Our actions since tell which it was, so later rows weigh by the reach in
    each.
    """
    game, tree = case.game, case.game.tree
    share = _share_below(game, bet)
    mass = np.ones((2, len(game.flops) * len(game.cards.of_hole)))
    mass[0], mass[1] = share, 1 - share
    todo = [(bet.child, (bet.below, bet.above), mass)]
    while todo:
        x, twins, mass = todo.pop()
        if kind_of(int(tree.node[x, 0])) != DECISION:
            continue
        below = children(tree, x)
        pairs = [_twin_children(tree, x, twin) for twin in twins]
        if seat_of(int(tree.node[x, 0])) == seat_of(int(tree.node[bet.node, 0])):
            todo += [(child, (pairs[0][a], pairs[1][a]), mass) for a, child in enumerate(below)]
            continue
        rows = np.stack(
            [_twin_rows(case, x, twin, pair) for twin, pair in zip(twins, pairs, strict=True)]
        )
        total = mass.sum(axis=0)
        mixed = np.einsum("th,tha->ha", mass, rows)
        even = 1 / len(below)
        mixed = np.divide(
            mixed, total[:, None], out=np.full(mixed.shape, even), where=total[:, None] > 0
        )
        strategy[_rows(game, x)] = mixed
        todo += [
            (child, (pairs[0][a], pairs[1][a]), mass * rows[:, :, a])
            for a, child in enumerate(below)
        ]


def _share_below(game: FlopGame, bet: Bet) -> float:
    """The probability that the bet becomes the smaller size; 1 where it is beyond both."""
    if bet.below == bet.above:
        return 1.0
    hand = begin(game.config)
    for action in path(game.tree, bet.node):
        apply(hand, action)
    sizes = [
        float(fraction(hand, int(game.tree.action[x]))) for x in (bet.below, bet.above, bet.child)
    ]
    return float(probability(*sizes))


def _twin_children(tree, x: int, twin: int) -> list[int]:
    """For each child of ``x`` the child of ``twin`` that stands for it.

    Folds and calls are alike; raises by their order from all-in down.
    """
    if kind_of(int(tree.node[twin, 0])) != DECISION:
        return [twin] * len(children(tree, x))
    theirs = list(children(tree, twin))
    raises = [y for y in theirs if tree.action[y] > CALL]
    calls = {int(tree.action[y]): y for y in theirs if tree.action[y] <= CALL}
    result, mine = [], list(children(tree, x))
    top = len([y for y in mine if tree.action[y] > CALL])
    for y in mine:
        action = int(tree.action[y])
        if action <= CALL:
            result.append(calls.get(action, theirs[-1]))
            continue
        top -= 1
        result.append(raises[max(0, len(raises) - 1 - top)] if raises else calls[CALL])
    return result


def _twin_rows(case: OffTree, x: int, twin: int, pair: list[int]) -> np.ndarray:
    """Our strategy at ``twin`` for the actions of ``x``: float64[buckets, actions]."""
    game, tree = case.game, case.game.tree
    passive = [tree.action[y] <= CALL for y in children(tree, x)]
    call = [int(tree.action[y]) for y in children(tree, x)].index(CALL)
    rows = np.zeros((game.layout.buckets[1], len(pair)))
    if kind_of(int(tree.node[twin, 0])) != DECISION:
        rows[:, call] = 1.0  # the hand that we play is over: check or call, as agents do
        return rows
    own, first = case.strategy[_rows(game, twin)], int(tree.node[twin, 1])
    for k in range(own.shape[1]):
        to = [a for a, child in enumerate(pair) if child == first + k]
        # A raise stands for a call where the twin has no raise; we then call.
        to = [a for a in to if passive[a]] or to or [call]
        for a in to:  # several raises may stand for one
            rows[:, a] += own[:, k] / len(to)
    return rows
