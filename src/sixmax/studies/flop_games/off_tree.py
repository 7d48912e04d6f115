"""An opponent who bets a size that the strategy lacks: the game with it, and translation.

*Translation* answers as to the sizes beside the bet, by the randomised pseudo-harmonic mapping.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, apply, begin
from sixmax.cfr.layout import entries
from sixmax.cfr.policy import uniform
from sixmax.ongoing.translate import fraction, probability
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.subgames import values_at


class Bet(NamedTuple):
    """A bet that the blueprint lacks."""

    seat: int  # the opponent, who bets
    node: int  # its decision
    child: int  # the node after the bet
    below: int  # the node after the blueprint's next smaller size
    above: int  # and after the next larger


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
    by_path = {tuple(small.tree.path(x)): x for x in range(len(small.tree.node))}
    for x in large.tree.decision_nodes():
        node = by_path.get(tuple(large.tree.path(int(x))))
        if node is None:
            continue
        to, at = (entries(g.tree, g.layout, y) for g, y in ((large, int(x)), (small, node)))
        strategy[to] = 0.0
        names = large.tree.offered(int(x))
        known = small.tree.offered(node)
        for a, action in enumerate(known):
            strategy[to[:, names.index(action)]] = blueprint[at[:, a]]
        bets += [_bet(large, int(x), k, known) for k in names if k not in known]
    if not bets:
        raise UserError("the larger game has no bet that the blueprint's lacks; wanted one")
    return OffTree(large, strategy, tuple(bets))


def _bet(game: FlopGame, node: int, action: int, known: list[int]) -> Bet:
    raises = sorted(k for k in known if k > CALL)
    if not raises:
        raise UserError(f"a bet to {action} chips: the blueprint has none beside it; wanted one")
    below = max((k for k in raises if k < action), default=raises[0])
    above = min((k for k in raises if k > action), default=raises[-1])
    first = {int(game.tree.action[x]): x for x in game.tree.children(node)}
    return Bet(game.tree.seat(node), node, first[action], first[below], first[above])


def without_bets(case: OffTree, bet: Bet, reach: np.ndarray | None = None) -> np.ndarray:
    """Net chips of each of the opponent's hands by the best of its other actions than the bets.

    We come with ``reach`` float64[C] or float64[F, H], as the result.
    # ASSUME with every class, where it is None: the bet opens the hand.
    """
    reach = np.ones(len(case.game.cards.share)) if reach is None else reach
    new = {each.child for each in case.bets}
    others = [x for x in case.game.tree.children(bet.node) if x not in new]
    values = [values_at(case.game, case.strategy, x, bet.seat, reach)[1] for x in others]
    return np.max(values, axis=0)


def translate(case: OffTree, bet: Bet, strategy: np.ndarray) -> None:
    """Write our rows after the bet into ``strategy``: those after the sizes beside it, mixed.

    The size is drawn once. Our actions since tell which it was, so later rows weigh by the reach
    in each.
    """
    game, tree, share = case.game, case.game.tree, _share_below(case.game, bet)
    buckets = game.layout.buckets
    mass = np.ones((2, buckets[tree.round(bet.node)]))
    mass[0], mass[1] = share, 1 - share
    todo = [(bet.child, (bet.below, bet.above), mass)]
    while todo:
        x, twins, mass = todo.pop()
        if not tree.is_decision(x):
            continue
        if mass.shape[1] < buckets[tree.round(x)]:  # the flop is dealt
            mass = np.tile(mass[:, game.cards.of_hole], (1, len(game.flops)))
        pairs = [twin_children(game, x, twin) for twin in twins]
        shares = np.ones((1, 1, len(pairs[0])))  # of our actions in each twin
        if tree.seat(x) != bet.seat:
            each = zip(twins, pairs, strict=True)
            shares = np.stack([_twin_rows(case, x, twin, pair) for twin, pair in each])
            strategy[entries(tree, game.layout, x)] = _mixed(mass, shares)
        for a, child in enumerate(tree.children(x)):
            todo.append((child, (pairs[0][a], pairs[1][a]), mass * shares[:, :, a]))


def _mixed(mass: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The ``rows`` float64[2, buckets, actions] weighed by ``mass`` float64[2, buckets]."""
    total, mixed = mass.sum(axis=0)[:, None], np.einsum("th,tha->ha", mass, rows)
    even = np.full(mixed.shape, 1 / mixed.shape[1])
    return np.divide(mixed, total, out=even, where=total > 0)


def _share_below(game: FlopGame, bet: Bet) -> float:
    """The probability that the bet becomes the smaller size; 1 where it is beyond both."""
    if bet.below == bet.above:
        return 1.0
    hand = begin(game.config)
    for action in game.tree.path(bet.node):
        apply(hand, action)
    nodes = (bet.below, bet.above, bet.child)
    return float(probability(*(float(fraction(hand, int(game.tree.action[x]))) for x in nodes)))


def twin_children(game: FlopGame, x: int, twin: int) -> list[int]:
    """For each child of ``x`` the child of ``twin`` that stands for it.

    Folds and calls are alike; an all-in is an all-in, and other raises are alike by their order,
    the smallest first. A node where the hand is over stands for all that follows.
    """
    tree = game.tree
    if not tree.is_decision(twin):
        return [twin] * len(tree.children(x))
    theirs = list(tree.children(twin))
    raises = [y for y in theirs if tree.action[y] > CALL]
    calls = {int(tree.action[y]): y for y in theirs if tree.action[y] <= CALL}
    result, smaller = [], 0
    for y in tree.children(x):
        action = int(tree.action[y])
        if action <= CALL:
            result.append(calls.get(action, theirs[-1]))
        elif not raises:
            result.append(calls[CALL])
        elif action == game.config.stacks[0]:
            result.append(raises[-1])
        else:
            result.append(raises[min(smaller, len(raises) - 1)])
            smaller += 1
    return result


def _twin_rows(case: OffTree, x: int, twin: int, pair: list[int]) -> np.ndarray:
    """Our strategy at ``twin`` for the actions of ``x``: float64[buckets, actions]."""
    game, tree = case.game, case.game.tree
    passive = [tree.action[y] <= CALL for y in tree.children(x)]
    call = tree.offered(x).index(CALL)
    rows = np.zeros((game.layout.buckets[tree.round(x)], len(pair)))
    if not tree.is_decision(twin) or tree.round(twin) > tree.round(x):
        rows[:, call] = 1.0  # the hand, or the round, that we play is over: we call
        return rows
    own, first = case.strategy[entries(tree, game.layout, twin)], int(tree.node[twin, 1])
    for k in range(own.shape[1]):
        to = [a for a, child in enumerate(pair) if child == first + k]
        # A raise stands for a call where the twin has no raise; we then call.
        to = [a for a in to if passive[a]] or to or [call]
        for a in to:  # several raises may stand for one
            rows[:, a] += own[:, k] / len(to)
    return rows
