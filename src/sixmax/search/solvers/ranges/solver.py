"""Two players from a public state to the end of the hand: all hands and all boards at once.

Full-width CFR as in :mod:`sixmax.cfr.full.solve`, on a public tree, boards and ranges instead of
listed deals. The rounds of the tree are those of the subgame: the current one is round 0. On the
river nothing is abstracted or sampled. On the turn and the flop an iteration may walk a sample of
the boards ("an optimized vector-based form of Linear CFR that samples one set of public board
cards", supplement, "Nested search"), and hands of later rounds may share buckets.
"""

import functools
import time

import numpy as np

from sixmax.cfr.full.best_response import NashConv
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR, LINEAR, Method
from sixmax.game.rules import LEFT
from sixmax.game.tree import DECISION, kind_of, n_actions, round_of, seat_of
from sixmax.jit import threads_in_use
from sixmax.rng import child
from sixmax.search.config import SearchConfig
from sixmax.search.solvers.problem import Begin, Problem, Solution, quiet, refuse_opponent_values
from sixmax.search.solvers.ranges.game import Endgame, endgame, left
from sixmax.search.solvers.ranges.later_buckets import later_buckets
from sixmax.search.solvers.ranges.terminals import LANES
from sixmax.search.solvers.ranges.traverse import (
    BEST,
    LEARN,
    PLAY,
    Pass,
    Room,
    walk_below,
    walk_top,
)
from sixmax.search.subgame import Subgame


def takes(subgame: Subgame, config: SearchConfig) -> bool:
    """From the flop on, where two players are left (one all-in counts), nobody leaves the tree,
    five cards are dealt, and the tree is no larger than ``config.vector_nodes``."""
    board, rounds = len(subgame.state.board), len(subgame.tree.columns)
    two = int(subgame.state.root[LEFT]) == 2
    to_the_end = two and board >= 3 and board + rounds == 6 and subgame.to_the_end
    return to_the_end and int(subgame.tree.decisions.sum()) <= config.vector_nodes


def solve(problem: Problem[Subgame], config: SearchConfig, begin: Begin = quiet) -> Solution:
    """All hands at once, boards drawn before the river. ``values`` are exact: all boards."""
    refuse_opponent_values(problem, "ranges")
    tree, state, cards = problem.subgame.tree, problem.subgame.state, problem.cards
    seats = [p for p in range(len(problem.beliefs)) if tree.columns[:, p].any()]
    river = len(tree.columns) == 1
    later = () if river else later_buckets(state.board, cards.buckets, cards.ranks, cards.later)
    game = endgame(tree, state.board, problem.beliefs[seats], later, cards.ranks)
    frozen = {(row.node, row.hole): row.row for row in problem.frozen}
    sample = (config.vector_boards,) * (len(tree.columns) - 1)
    # ASSUME the paper has Linear CFR. We play the last iterate, and on the river, where nothing
    # is sampled, Linear CFR's is 5 to 50 % of the pot exploitable, that of DCFR as its average.
    solver = RangeSolver(game, DCFR if river else LINEAR, sample, problem.seed, frozen)
    iterations = config.vector_iterations if river else config.board_iterations
    progress, until = begin(iterations), time.monotonic() + (config.seconds or np.inf)
    while solver.iterations < iterations and time.monotonic() < until:
        step = min(10, iterations - solver.iterations)
        solver.run(step)
        progress(step)
    average, last = solver.strategy(), solver.strategy(last=True)
    evaluate = functools.partial(_values, game, len(problem.beliefs), *solver.averages())
    return Solution(game.layout, last, average, solver.iterations, evaluate)


def make_room(game: Endgame, threads: int) -> Room:
    """Working memory of ``threads`` threads."""
    public, n = game.public, len(game.boards.hole)
    slots, rows = 1, 1
    for i in range(len(public.decisions)):
        slots = max(slots, int(public.decisions[i, 2] + public.decisions[i, 4]))
        rows = max(rows, int(public.decisions[i, 3] + public.decisions[i, 4]))
    level = np.zeros(len(public.round), np.int64)
    for part in range(len(level)):
        follow = public.entries[public.first[part, 2] : public.first[part + 1, 2], 0]
        level[follow] = level[part] + 1
    levels = int(level.max()) + 1
    by_slot = (np.empty((threads, levels, slots, n), np.float32) for _ in range(3))
    lanes = (np.empty((threads, n, LANES), np.float32) for _ in range(2))
    held = np.empty((threads, 2, 64, LANES))
    return Room(*by_slot, np.empty((threads, levels, rows, n), np.float32), *lanes, held)


def _freeze(
    game: Endgame, frozen: dict[tuple[int, int], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """``Pass.frozen`` and ``Pass.fixed``. Raises ValueError for an unknown node or hole."""
    node, hand = game.tree.node, {int(h): i for i, h in enumerate(game.boards.hole)}
    width = int(game.public.decisions[:, 4].max())
    pairs, fixed = np.zeros((len(frozen), 2), np.int32), np.zeros((len(frozen), width), np.float32)
    for k, ((x, hole), row) in enumerate(frozen.items()):
        head, n = int(node[x, 0]), len(row)
        first_round = kind_of(head) == DECISION and not round_of(head)
        if not first_round or hole not in hand or n != n_actions(head):
            raise ValueError(
                f"frozen at node {x}, hole {hole}: {n} probabilities; wanted a decision of "
                "round 0, a hole that the board leaves, and one probability for each action"
            )
        pairs[k], fixed[k, :n] = (x, hand[hole]), row
    return pairs, fixed


class RangeSolver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    An iteration walks ``sample[r]`` of the boards that follow a board of round r (0: all), drawn by
    ``seed`` and the iteration. With a sample or with buckets the method must be LINEAR, because it
    alone can weight iterations instead of discounting the tables.

    ``frozen`` is {(node of round 0, hole): probabilities of its actions}: own earlier decisions
    stay as they were for the hand held (Algorithm 2). Other hands are free.
    """

    def __init__(
        self,
        game: Endgame,
        method: Method = LINEAR,
        sample: tuple[int, ...] = (),
        seed: int = 0,
        frozen: dict[tuple[int, int], np.ndarray] | None = None,
    ):
        self.game, self.seed, self.iterations = game, seed, 0
        fan = game.boards.fan
        wanted = np.array([sample[r] if r < len(sample) else 0 for r in range(len(fan))], np.int64)
        self._sample = np.where(wanted > 0, np.minimum(wanted, fan), fan)
        shared = bool((game.rows.start >= 0).any())
        self._weighted = shared or bool((self._sample < fan).any())
        self.method = method
        if self._weighted and self.method != LINEAR:
            raise ValueError(f"{self.method}: wanted LINEAR for sampled boards and for buckets")
        entries = int(game.rows.base[-1])
        self._frozen, self._fixed = _freeze(game, frozen or {})
        self._room = make_room(game, threads_in_use())
        self.regret, self.total = np.zeros(entries, np.float32), np.zeros(entries, np.float32)

    def run(self, iterations: int) -> "RangeSolver":
        """Run ``iterations`` more; players are updated in turn, the first seat first."""
        for _ in range(iterations):
            self.iterations += 1
            t = self.iterations
            if self._weighted:
                keep = np.array([1.0, 1.0, 1.0, t])
            else:
                keep = np.array([*self.method.keeps(t), self.method.shrink(t), 1.0])
            for me in (0, 1):
                self._walk(me, LEARN, self.regret, keep, self._sample)
        return self

    def nash_conv(self, last: bool = False) -> NashConv:
        """The values of the average strategy (or the last) and the gains of best responses.

        In chips, by player, over all boards. The best response has no buckets.
        """
        table, fan, keep = self.regret if last else self.total, self.game.boards.fan, np.zeros(4)
        values = np.array([self._value(me, PLAY, table, keep, fan) for me in (0, 1)])
        best = np.array([self._value(me, BEST, table, keep, fan) for me in (0, 1)])
        return NashConv(float((best - values).sum()), best - values, values)

    def strategy(self, last: bool = False) -> np.ndarray:
        """The average strategy of round 0 (or the last) for every hole: float64[layout.size].

        Laid out by ``game.layout``; buckets are holes. Holes that the board blocks are uniform.
        """
        game, table = self.game, self.regret if last else self.total
        layout, node, n = game.layout, game.tree.node, len(game.boards.hole)
        holes = layout.buckets[0]
        strategy = np.empty(layout.size)
        for x in np.flatnonzero((kind_of(node[:, 0]) == DECISION) & (round_of(node[:, 0]) == 0)):
            head, at = int(node[x, 0]), int(game.public.column[x]) * n
            seat, actions = seat_of(head), n_actions(head)
            weight = table[at : at + actions * n].reshape(actions, n).T.astype(np.float64)
            weight = np.maximum(weight, 0)
            total = weight.sum(axis=1, keepdims=True)
            rows = np.full((holes, actions), 1 / actions)
            met = total[:, 0] > 0
            rows[game.boards.hole[met]] = weight[met] / total[met]
            for (frozen_at, hand), row in zip(self._frozen, self._fixed, strict=True):
                if frozen_at == x:
                    rows[game.boards.hole[hand]] = row[:actions]
            first = infoset(layout, 0, seat, np.arange(holes)[:, None], node[x, 2])
            strategy[first + np.arange(actions)] = rows
        return strategy

    def _value(
        self, me: int, mode: int, table: np.ndarray, keep: np.ndarray, sample: np.ndarray
    ) -> float:
        value = self._walk(me, mode, table, keep, sample)
        return float(self.game.range[me].astype(np.float64) @ value / self.game.deals)

    def averages(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The data of the average strategy: sums, frozen (node, hand), and their rows."""
        return self.total, self._frozen, self._fixed

    def _walk(
        self, me: int, mode: int, table: np.ndarray, keep: np.ndarray, sample: np.ndarray
    ) -> np.ndarray:
        """The values of the hands of ``me``, float32[n], unnormalised; learning on the way."""
        prior, draw = self.game.range[me], child(self.seed, "boards", self.iterations)
        work = Pass(
            me, mode, table, self.total, keep, prior, sample, draw, self._frozen, self._fixed
        )
        if len(self._room.lanes) != threads_in_use():
            self._room = make_room(self.game, threads_in_use())
        return _walk(self.game, work, self._room)


def _walk(game: Endgame, work: Pass, room: Room) -> np.ndarray:
    """The values of the hands of ``work.me``, float32[n]: sums over the opponent's range."""
    reach = game.range[1 - work.me]
    own, out = np.ones(len(reach), np.float32), np.empty(len(reach), np.float32)
    values = np.empty((int(game.public.first[1, 2]), len(reach)), np.float32)
    here = game.public, game.boards, game.rows, work, reach, own, room, values
    if len(values):
        walk_below(*here)
    walk_top(*here, out)
    return out


def _values(
    game: Endgame, seats: int, total: np.ndarray, frozen: np.ndarray, fixed: np.ndarray
) -> np.ndarray:
    """``values`` of a Solution, by a PLAY pass for each player over all boards.

    NaN also for a hand that blocks the whole range of the opponent.
    """
    values = np.full((seats, game.layout.buckets[0]), np.nan)
    room, seed = make_room(game, threads_in_use()), child(0, "boards", 0)
    for me in (0, 1):
        own, theirs = game.range[me], game.range[1 - me].astype(np.float64)
        work = Pass(me, PLAY, total, total, np.zeros(4), own, game.boards.fan, seed, frozen, fixed)
        chance = left(game, theirs)
        met = chance > 1e-12 * theirs.sum()
        here = values[game.seats[me]]
        here[game.boards.hole[met]] = (_walk(game, work, room) / np.where(met, chance, 1))[met]
    return values
