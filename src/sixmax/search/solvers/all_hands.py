"""A subgame of a search, solved by all hands at once."""

import functools

from sixmax.betting.config import SEEN
from sixmax.betting.rules import LEFT
from sixmax.cfr.methods import DCFR_DRAWN, DCFR_EXACT
from sixmax.search.config import VECTOR_BOARDS, VECTOR_NODES, SearchConfig
from sixmax.search.result import Solution
from sixmax.search.solvers.problem import Begin, Problem, deadline, quiet, run_until
from sixmax.search.solvers.ranges.game import endgame, players_of
from sixmax.search.solvers.ranges.hands import later_buckets
from sixmax.search.solvers.ranges.solver import RangeSolver, kept_suits
from sixmax.search.solvers.ranges.values import values_by_hole
from sixmax.search.subgame import Subgame

SAFE = True


def takes(subgame: Subgame, config: SearchConfig) -> bool:
    """From the flop on, two players left (one all-in counts), no leaves, VECTOR_NODES at most."""
    board, rounds = len(subgame.state.board), len(subgame.tree.columns)
    two = int(subgame.state.root[LEFT]) == 2
    to_the_end = two and board >= 3 and board + rounds == 6 and subgame.to_the_end
    return to_the_end and int(subgame.tree.decisions.sum()) <= VECTOR_NODES


def solve(problem: Problem, config: SearchConfig, begin: Begin = quiet) -> Solution:
    """All hands at once. ``values`` are exact: all boards.

    From ``exact_from`` of the player on, every hand has its own strategy on every board, and all
    are walked; before it boards are drawn, and hands of later rounds share buckets.
    """
    until = deadline(config.seconds)
    tree, state, cards = problem.subgame.tree, problem.subgame.state, problem.cards
    seats = players_of(tree)
    exact = len(state.board) >= SEEN[config.player.exact_from]
    later = () if exact else later_buckets(state.board, cards.buckets, cards.ranks, cards.later)
    beliefs = problem.beliefs[list(seats)]
    sample = () if exact else (VECTOR_BOARDS,) * (len(tree.columns) - 1)
    suits = kept_suits(state.board, cards.ranks, sample, problem.frozen, problem.alternative)
    game = endgame(tree, state.board, beliefs, later, cards.ranks, every=True, suits=suits)
    # ASSUME Pluribus has Linear CFR and plays the last iterate, which loses several % of the pot to
    # an opponent who answers (docs/notebook/search/flops.md).
    method = DCFR_EXACT if exact else DCFR_DRAWN
    solver = RangeSolver(game, method, sample, problem.seed, problem.frozen, problem.alternative)
    iterations = config.vector_iterations[SEEN.index(len(state.board))]
    run_until(solver, iterations, until, begin(iterations))
    return _solution(solver, len(problem.beliefs))


def _solution(solver: RangeSolver, seats: int) -> Solution:
    def after(node: int, card: int) -> Solution:
        return _solution(solver.after(node, card), seats)

    evaluate, game = functools.partial(values_by_hole, solver, seats), solver.game
    average = solver.strategy()
    return Solution(game.tree, game.layout, average, solver.iterations, evaluate, after)
