"""Depth-limited solving of the first round: one player's leaves have several values.

A trunk is the betting before the flop from some node on. At a leaf the opponent chooses one of
several continuations, an action with a row for each leaf and class: it cannot choose by cards that
it does not see (Brown, Sandholm and Amos 2018, section 4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.betting.tree_cut import Cut, cut
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.limited.ends import Round, betting_round, compatible
from sixmax.search.solvers.limited.hands import before_the_flop, number_of_holes
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.search.subgame import leaf_nodes
from sixmax.studies.flop_games.game import FlopGame, ratio


class Trunk(NamedTuple):
    """The betting before the flop from ``part.origin[0]`` on, with the values of its ends."""

    part: Cut
    opponent: int  # chooses at leaves
    round: Round  # by class


def trunk(
    game: FlopGame, root: int, opponent: int, leaves: Sequence[int], values: np.ndarray
) -> Trunk:
    """The trunk of ``game`` below ``root``, where ``opponent`` chooses at ``leaves``.

    ``values`` float64[choices, leaves, C, C] are net chips of seat 0 times the probability that the
    two classes are dealt, its own first. Raises UserError for more choices than a leaf may have.
    """
    ends, number = set(leaves), {leaf: i for i, leaf in enumerate(leaves)}
    part = cut(game.tree, root, lambda x: x in ends, len(values), 1 << opponent)
    at = leaf_nodes(part.tree)
    which = part.chosen[at, opponent], [number[int(x)] for x in part.origin[at]]
    chips = ratio(values, game.cards.share)[which]
    tables = np.stack([chips.transpose(0, 2, 1), -chips])
    hands, lead = before_the_flop(game.ranks), ratio(game.cards.lead, game.cards.share)
    holes = number_of_holes(hands)  # classes face each other as often as the flops let them
    hands = hands._replace(apart=game.cards.share / np.outer(holes, holes))
    return Trunk(part, opponent, betting_round(part.tree, hands, lead.astype(np.float32), tables))


def solve(
    game: FlopGame, trunk: Trunk, iterations: int, method: Method = CFR_PLUS,
    alternative: Alternative | None = None,
) -> LimitedSolver:  # fmt: skip
    """Vector CFR of the trunk, to which both come with every hand.

    With ``alternative`` the opponent chooses which of its classes come (safe solving).
    """
    every = np.ones((2, len(game.cards.of_hole)))
    return LimitedSolver(trunk.round, every, method, alternative=alternative).run(iterations)


def first_node(trunk: Trunk, leaf: int) -> int:
    """The first node of the trunk's tree that stands for ``leaf``, a node of the whole tree."""
    return int(np.flatnonzero(trunk.part.origin == leaf)[0])


def reach_at(trunk: Trunk, strategy: np.ndarray, leaf: int) -> np.ndarray:
    """The reach of both seats at ``leaf``, a node of the whole tree: float64[2, C].

    By ``strategy`` float64[rows, C]; both come to the trunk with every class.
    """
    reach, tree = np.ones((2, strategy.shape[1])), trunk.part.tree
    for before, after in tree.steps(first_node(trunk, leaf)):
        action = after - int(tree.node[before, 1])
        reach[tree.seat(before)] *= strategy[trunk.round.first[before] + action]
    return reach


def best(solver: LimitedSolver, seat: int) -> np.ndarray:
    """Net chips of ``seat`` at each node by a best response to the average: float64[nodes, C].

    Choices at leaves are part of the response. 0 where the other never comes.
    """
    value, others = solver.node_values(seat, best=True)
    hands, prior = solver.game.hands, solver.prior[1 - seat]
    return ratio(value, np.stack([compatible(hands, prior, reach) for reach in others]))


def place(game: FlopGame, trunk: Trunk, rows: np.ndarray, strategy: np.ndarray) -> None:
    """Write ``rows`` float64[rows, C] of ``trunk`` to ``strategy`` float64[layout.size]."""
    for x in trunk.part.tree.decision_nodes():
        origin, first = int(trunk.part.origin[x]), int(trunk.round.first[x])
        if game.tree.round(origin) == 0:  # no choice at a leaf
            at = entries(game.tree, game.layout, origin)
            strategy[at] = rows[first : first + at.shape[1]].T
