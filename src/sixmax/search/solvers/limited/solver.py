"""Two players to the end of a betting round: all hands at once, leaves with several values.

Full-width CFR of the round (:mod:`sixmax.cfr.full.public_tree`). At a leaf the choice of a
continuation is an action, whose values are matrices of chips by class. Nothing else is sampled, and
the tree has some hundred nodes (Brown, Sandholm and Amos 2018, sections 4 and 5).
"""

import functools
import math
import time
from collections.abc import Sequence

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.rules import ROUNDS, SEATS
from sixmax.betting.tree import n_actions
from sixmax.cfr.full.public_tree import down, learn, match, respond, up
from sixmax.cfr.gadget import NONE, choose, gadget, no_gadget
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import DCFR_EXACT, Method
from sixmax.cfr.regret import new_tables
from sixmax.search.config import SearchConfig
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.result import Solution
from sixmax.search.solvers.limited.ends import PLAYERS, Round, betting_round, compatible, value_ends
from sixmax.search.solvers.limited.hands import collected, edges, hands_on, number_of_holes, spread
from sixmax.search.solvers.limited.leaf_values import roll_outs
from sixmax.search.solvers.problem import Begin, Problem, deadline, quiet, run_until
from sixmax.search.subgame import Subgame

SAFE = True
_LEAST = 1e-12  # of a range: a hand with less of it left cannot be held


def takes(subgame: Subgame, config: SearchConfig) -> bool:
    """Games of two seats, in the rounds that the player limits, where the round is not the last."""
    state, rounds = subgame.state, len(subgame.tree.columns)
    return (
        state.round in config.player.limited
        and int(state.root[SEATS]) == len(PLAYERS)
        and rounds == 1
        and state.round < int(state.root[ROUNDS]) - 1
    )


def solve(problem: Problem, config: SearchConfig, begin: Begin = quiet) -> Solution:
    """All hands at once, by discounted CFR, with the ``vector_iterations`` of the round.

    ``values_at`` are exact in this game. A best response there also chooses at leaves, and if both
    players choose sees the other's choice.
    """
    until, tree, layout = deadline(config.seconds), problem.subgame.tree, problem.subgame.layout
    game = round_game(problem, config.roll_outs, until)
    solver = LimitedSolver(game, problem.beliefs, DCFR_EXACT, problem.frozen, problem.alternative)
    iterations = config.vector_iterations[problem.subgame.state.round]
    run_until(solver, iterations, until, begin(iterations))
    average = _by_hole(problem.subgame, game, solver.strategy())
    evaluate = functools.partial(values_by_hole, solver)
    return Solution(tree, layout, average, solver.iterations, evaluate)


def round_game(problem: Problem, deals: int, until: float = math.inf) -> Round:
    """The round with the values of its leaves: those kept of the first round, else roll-outs.

    Roll-outs take ``deals``; no more begin once half of the time to ``until`` is over.
    """
    subgame, cards, leaves = problem.subgame, problem.cards, problem.leaf_values
    hands = hands_on(subgame.state.board, cards.buckets, cards.ranks)
    if not len(subgame.state.board) and (kept := leaves.first_round) is not None:
        return betting_round(subgame.tree, hands, kept.lead, kept.at(subgame, leaves.places))
    lead, now = edges(hands, subgame.state.board, cards.ranks), time.monotonic()
    tables = roll_outs(problem, hands, deals, now + (until - now) / 2)
    return betting_round(subgame.tree, hands, lead, tables)


class LimitedSolver:
    """The Tables of ``game``, and the iterations done.

    ``beliefs`` float64[2, holes] weigh the hands at the root. With ``alternative`` solving is safe:
    its seat chooses which of its hands enter, and its beliefs do not count.
    """

    def __init__(
        self, game: Round, beliefs: np.ndarray, method: Method, frozen: Sequence[FrozenRow] = (),
        alternative: Alternative | None = None,
    ):  # fmt: skip
        self.game, self.method, self.iterations = game, method, 0
        self.holes = beliefs.shape[1]
        decisions = game.first >= 0
        rows = int((game.first + n_actions(game.node[:, 0]))[decisions].max())
        self.tables = new_tables((rows, len(game.hands.hole)))
        weight = collected(game.hands, beliefs)
        weight[weight.sum(axis=1) == 0] = 1.0  # beliefs of zeros mean uniform
        self.prior = weight / weight.sum(axis=1, keepdims=True)
        self._start, self._gadget = self.prior, no_gadget()
        self.safe_from = None if alternative is None else alternative.seat
        if alternative is not None:
            nothing = np.ones(self.prior.shape[1])
            left = compatible(game.hands, self.prior[1 - alternative.seat], nothing)
            left[left < _LEAST] = 0
            outside = _outside(game, alternative)
            holes = number_of_holes(game.hands)
            self._gadget = gadget(alternative.gadget, alternative.seat, outside, left, holes)
            self._start = self.prior.copy()
            self._start[alternative.seat] = self._gadget.reach
        self._fixed = _frozen(game, frozen)

    def run(self, iterations: int) -> "LimitedSolver":
        """Run ``iterations`` more; players are updated in turn, the first seat first."""
        first, method = self.iterations + 1, self.method
        steps = [(*method.keeps(t), method.weight(t)) for t in range(first, first + iterations)]
        _run_kernel(
            self.game, self._gadget, np.array(steps).reshape(-1, 3), self._start, self._fixed,
            self.tables,
        )  # fmt: skip
        self.iterations += iterations
        return self

    def strategy(self) -> np.ndarray:
        """The average strategy of both: float64[rows, n]."""
        out = np.empty_like(self.tables.total)
        match(self.game, self.tables.total, out)
        _keep(self._fixed, out)
        return out

    def values(self, me: int, node: int = 0, best: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Chips of each hand of ``me`` at ``node``, times the weight that it can face, and that.

        Both play the average; with ``best`` the player ``me`` responds best. float64[n] each.
        """
        value, others = self.node_values(me, best)
        return value[node], compatible(self.game.hands, self.prior[1 - me], others[node])

    def node_values(self, me: int, best: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """The first of :meth:`values`, and the other's reach, by node: float64[nodes, n] each."""
        strategy, shape = self.strategy(), (len(self.game.node), self.prior.shape[1])
        reach, value = np.ones((2, *shape)), np.zeros(shape)
        down(self.game, strategy, reach)
        others = reach[1 - me]
        value_ends(self.game, me, self.prior[1 - me], others, value)
        if best:
            respond(self.game, me, value)
        else:
            up(self.game, strategy, me, value)
        return value, others


@njit
def _run_kernel(game, gadget, steps, start, fixed, tables):
    shape, strategy = (len(game.node), start.shape[1]), tables.strategy
    reach, value = np.ones((2, *shape)), np.zeros(shape)
    match(game, tables.regret, strategy)
    _keep(fixed, strategy)
    for i in range(len(steps)):
        for me in range(2):
            down(game, strategy, reach)
            value_ends(game, me, start[1 - me], reach[1 - me], value)
            up(game, strategy, me, value)
            learn(game, me, steps[i], reach[me], value, tables)
            _keep(fixed, strategy)
            if gadget.kind != NONE and gadget.opponent == me:
                choose(gadget, value[0], steps[i], 1.0, 0.0)
                start[me] = gadget.reach


@njit
def _keep(fixed, strategy):
    """Put the frozen entries back."""
    at, share = fixed
    for k in range(len(at)):
        strategy[at[k, 0], at[k, 1]] = share[k]


def _outside(game: Round, alternative: Alternative) -> np.ndarray:
    """The alternative's values by hand, the mean of its holes: float64[n]."""
    free = game.hands.of_hole >= 0
    hand, holes = game.hands.of_hole[free], number_of_holes(game.hands)
    return np.bincount(hand, alternative.values[free], len(holes)) / holes


def _frozen(game: Round, frozen: Sequence[FrozenRow]) -> tuple[np.ndarray, np.ndarray]:
    """The entries [row, hand] of frozen rows, int64[k, 2], and their probabilities, float64[k]."""
    at, fixed = np.zeros((0, 2), np.int64), np.zeros(0)
    for node, hole, row in frozen:
        hand, first = int(game.hands.of_hole[hole]), int(game.first[node])
        if first < 0 or hand < 0 or len(row) != n_actions(int(game.node[node, 0])):
            raise ValueError(f"node {node}, hole {hole}: no decision of {len(row)} actions")
        rows = first + np.arange(len(row))
        at = np.concatenate([at, np.stack([rows, np.full(len(row), hand)], axis=1)])
        fixed = np.concatenate([fixed, row])
    return at, fixed


def _by_hole(subgame: Subgame, game: Round, rows: np.ndarray) -> np.ndarray:
    """``rows`` float64[rows, n] by the layout of the subgame; blocked holes are uniform."""
    tree, layout = subgame.tree, subgame.layout
    out = np.zeros(layout.size)
    for x in tree.decision_nodes():
        at, first = entries(tree, layout, int(x)), int(game.first[x])
        n = at.shape[1]
        out[at] = spread(game.hands, rows[first : first + n], 1 / n).T
    return out


def values_by_hole(solver: LimitedSolver, node: int, best: bool) -> np.ndarray:
    """``values_at`` of a Solution: float64[2, holes]."""
    hands = solver.game.hands
    values = np.full((2, solver.holes), np.nan)
    for me in PLAYERS:
        if solver.safe_from not in (None, me):
            continue
        value, left = solver.values(me, node, best)
        known = np.divide(value, left, out=np.full(value.shape, np.nan), where=left > _LEAST)
        values[me] = spread(hands, known)
    return values
