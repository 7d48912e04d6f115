"""The first round with the strategies so far at its leaves: the trunk, solved alone."""

from typing import NamedTuple

import numpy as np

from sixmax.betting.rules import begin
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.locate import places
from sixmax.search.solvers.first_round import FirstRound
from sixmax.search.solvers.limited.game import betting_round
from sixmax.search.solvers.limited.hands import BoardHands, collected, hands_on
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.search.subgame import PublicState, Subgame, build, depth

NO_BOARD = np.empty(0, np.int8)
_AT_ONCE = 100  # iterations


def first_round(run: Run, choices: int, chooser: int) -> Subgame:
    """The subgame of the whole first round, with the raises of the blueprint.

    At its leaves the seat ``chooser`` has so many ``choices``.
    """
    state = PublicState(run.game, begin(run.game), NO_BOARD, (), ())
    buckets = int(run.buckets.counts.max())
    return build(
        state, run.game.rounds, places(run.game, run.tree), run.ranks, buckets, depth(state),
        choices=choices, choosers=1 << chooser,
    )  # fmt: skip


class SolvedRound(NamedTuple):
    """A solution of the first round.

    strategy: float64[entries of the first round], of the seat that does not choose
    value: net chips of the seat that does
    """

    strategy: np.ndarray
    value: float


def solve(run: Run, kept: FirstRound, chooser: int, iterations: int) -> SolvedRound:
    """The equilibrium of the first round where ``chooser`` has the values ``kept`` at leaves."""
    subgame = first_round(run, kept.chips.shape[1], chooser)
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    game = betting_round(subgame.tree, hands, kept.lead, kept.at(subgame))
    solver = LimitedSolver(game, np.ones((2, len(hands.of_hole))), DCFR)
    for done in range(0, iterations, _AT_ONCE):
        solver.run(min(_AT_ONCE, iterations - done))
    value, met = solver.values(chooser)
    prior = solver.prior[chooser]
    mean = float((prior * value).sum() / (prior * met).sum())
    return SolvedRound(put_in_tree(run, subgame, solver, 1 - chooser), mean)


def put_in_tree(run: Run, subgame: Subgame, solver: LimitedSolver, seat: int) -> np.ndarray:
    """The rows of ``seat`` as the blueprint's tree has them: float64[first round's entries].

    A bucket plays the mean of its holes; entries of the other seat are zero.
    """
    bucket = blueprint_buckets(run, NO_BOARD)
    holes = np.bincount(bucket, minlength=int(run.layout.buckets[0]))
    out = np.zeros(int(run.layout.start[1]))
    todo, strategy = [(0, 0)], solver.strategy()
    while todo:
        x, y = todo.pop()
        head = int(run.tree.node[y, 0])
        if not is_decision(head) or round_of(head) > 0:
            continue
        ways = list(zip(subgame.tree.children(x), run.tree.children(y), strict=True))
        if any(subgame.tree.action[a] != run.tree.action[b] for a, b in ways):
            raise ValueError(f"node {y}: the first round has other actions than the blueprint's")
        todo += ways
        if seat_of(head) != seat:
            continue
        first, n = int(solver.game.first[x]), n_actions(head)
        rows = strategy[first : first + n, solver.game.hands.of_hole]
        for a in range(n):
            mean = np.bincount(bucket, rows[a], len(holes)) / np.maximum(holes, 1)
            at = infoset(run.layout, 0, seat, np.arange(len(holes)), run.tree.node[y, 2])
            out[at + a] = mean
    return out


def range_at(run: Run, policy: np.ndarray, hands: BoardHands, node: int, seat: int) -> np.ndarray:
    """The chance that each class of ``seat`` comes to ``node`` by ``policy``: float64[C].

    ``node`` begins a flop; ``policy`` is uint8[layout.size]. The first round alone counts.
    """
    bucket = blueprint_buckets(run, NO_BOARD)
    reach, child = np.ones(len(bucket)), node
    while (x := int(run.tree.parent[child])) >= 0:
        if run.tree.seat(x) == seat:
            rows = blueprint_rows(run, policy, x, bucket)
            reach *= rows[:, child - int(run.tree.node[x, 1])]
        child = x
    return collected(hands, reach[None])[0]
