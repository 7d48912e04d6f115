"""Two players from a public state to the end of the hand: all hands and all boards at once.

Full-width CFR on a public tree, boards and ranges instead of listed deals. On the river nothing is
abstracted or sampled. On the turn and the flop an iteration may walk a sample of the boards ("an
optimized vector-based form of Linear CFR that samples one set of public board cards", supplement,
"Nested search"), and hands of later rounds may share buckets.
"""

import functools
from collections.abc import Sequence

import numpy as np

from sixmax.base.jit import threads_in_use
from sixmax.base.rng import child
from sixmax.betting.config import SEEN
from sixmax.betting.rules import LEFT
from sixmax.betting.tree import round_of
from sixmax.cards.deck import holds
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.gadget import Gadget, gadget, no_gadget
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR, LINEAR, Method
from sixmax.search.config import VECTOR_BOARDS, VECTOR_NODES, SearchConfig
from sixmax.search.result import Alternative, Solution, strategy_at
from sixmax.search.solvers.problem import Begin, FrozenRow, Problem, deadline, quiet, run_until
from sixmax.search.solvers.ranges.boards import SAME, Suits, alike
from sixmax.search.solvers.ranges.game import RangeGame, compatible, endgame, next_round, players_of
from sixmax.search.solvers.ranges.hands import later_buckets
from sixmax.search.solvers.ranges.lanes import TILE
from sixmax.search.solvers.ranges.part_walk import BEST, LEARN, PLAY, Pass, WalkGame, make_room
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, NODE, PLAYER
from sixmax.search.solvers.ranges.walk import learn, walk
from sixmax.search.subgame import Subgame

SAFE = True
LEAST = 1e-12  # of a range: a hand with less of it left cannot be held


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
    # ASSUME Pluribus has Linear CFR. We play the last iterate, and on the river, where nothing
    # is sampled, Linear CFR's is 5 to 50 % of the pot exploitable, that of DCFR as its average.
    method = DCFR if exact else LINEAR
    solver = RangeSolver(game, method, sample, problem.seed, problem.frozen, problem.alternative)
    iterations = config.vector_iterations[SEEN.index(len(state.board))]
    run_until(solver, iterations, until, begin(iterations))
    return _solution(solver, len(problem.beliefs))


def kept_suits(
    board: np.ndarray,
    ranks: int,
    sample: Sequence[int] = (),
    frozen: Sequence[FrozenRow] = (),
    alternative: Alternative | None = None,
) -> list[Suits]:
    """The permutations of suits by which nothing of a solver's other input tells boards apart."""
    if any(sample) or frozen:
        return [SAME]
    return alike(board, ranks, [] if alternative is None else [alternative.values])


def _solution(solver: "RangeSolver", seats: int) -> Solution:
    average, last = solver.strategy(), solver.strategy(last=True)

    def after(node: int, card: int) -> Solution:
        return _solution(solver.after(node, card), seats)

    evaluate, game = functools.partial(values_by_hole, solver, seats), solver.game
    return Solution(game.tree, game.layout, last, average, solver.iterations, evaluate, after)


def _frozen(game: RangeGame, frozen: Sequence[FrozenRow]) -> tuple[np.ndarray, np.ndarray]:
    """``Pass.frozen`` and ``Pass.fixed``. Raises ValueError for an unknown node or hole."""
    rows = {int(row[NODE]): (int(row[ACTIONS]), int(row[PLAYER])) for row in game.public.decisions}
    in_round = round_of(game.tree.node[:, 0])
    pairs = np.zeros((len(frozen), 2), np.int32)
    fixed = np.zeros((len(frozen), int(game.public.decisions[:, ACTIONS].max())), np.float32)
    for k, (x, hole, strategy) in enumerate(frozen):
        actions, player = rows[x] if x in rows and in_round[x] == 0 else (-1, 0)
        hand = np.flatnonzero(game.hands[player].first == hole)
        if actions != len(strategy) or not len(hand):
            raise ValueError(
                f"frozen at node {x}, hole {hole}: {len(strategy)} probabilities; wanted a "
                "decision of round 0, a hole of the player's range that the board leaves, and one "
                "probability for each action"
            )
        pairs[k], fixed[k, :actions] = (x, hand[0]), strategy
    return pairs, fixed


class RangeSolver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    An iteration walks ``sample[r]`` of the boards that follow a board of round r (0: all), drawn by
    ``seed`` and the iteration. With a sample or with buckets the method must be LINEAR, because it
    alone can weight iterations instead of discounting the tables. With ``alternative`` solving is
    safe: its seat chooses which of its hands enter, and its range does not count. Raises ValueError
    for a method, rows or alternatives that do not fit, or that tell apart boards of which ``game``
    walks one (``endgame`` then wants :func:`kept_suits`).
    """

    def __init__(
        self,
        game: RangeGame,
        method: Method = LINEAR,
        sample: tuple[int, ...] = (),
        seed: int = 0,
        frozen: Sequence[FrozenRow] = (),
        alternative: Alternative | None = None,
    ):
        self.game, self.method, self.iterations = game, method, 0
        fan = game.boards.fan
        wanted = np.array([sample[r] if r < len(sample) else 0 for r in range(len(fan))], np.int64)
        self._sample = np.where(wanted > 0, np.minimum(wanted, fan), fan)
        self._weighted = bool((self._sample < fan).any())
        if self._weighted and method != LINEAR:
            raise ValueError(f"{method}: wanted LINEAR for sampled boards")
        kept = kept_suits(game.board, game.ranks, self._sample < fan, frozen, alternative)
        if any(len(of.suits) for of in game.dealt) and not set(game.suits) <= set(kept):
            raise ValueError(
                "sampled boards, frozen rows or an alternative that tell suits apart: wanted a "
                "game laid out with their kept_suits"
            )
        n = game.rows.entries
        self.regret, self.total = np.zeros(2 * n + TILE, np.float32)[: 2 * n].reshape(2, n)
        self.frozen = _frozen(game, frozen)
        self._draw, self._room = child(seed, "boards"), None
        self.safe_from = None if alternative is None else alternative.seat
        self._ranges, self._gadget = game.range, no_gadget()
        if alternative is not None:
            self._ranges, self._gadget = _entering(game, alternative)

    def run(self, iterations: int) -> "RangeSolver":
        """Run ``iterations`` more; players are updated in turn, the first seat first."""
        first, last = self.iterations + 1, self.iterations + iterations
        if self._weighted:
            keeps = np.array([(1.0, 1.0, 1.0, t, t) for t in range(first, last + 1)])
        else:
            keep = self.method.keeps, self.method.shrink
            keeps = np.array([(*keep[0](t), keep[1](t), 1.0, t) for t in range(first, last + 1)])
        tables = self.regret, self.total
        work = Pass(0, LEARN, *tables, np.zeros(4), self._sample, self._draw, *self.frozen, -1)
        if self._room is None or len(self._room.lanes) != threads_in_use():
            self._room = make_room(self.game)
        room, game = self._room, self.game._replace(range=self._ranges)
        learn(_walked(game), self._gadget, work, room, _threads(room.lanes), keeps.reshape(-1, 5))
        self.iterations = last
        return self

    def after(self, node: int, card: int) -> "RangeSolver":
        """The same strategies in the round that begins at ``node`` when ``card`` is dealt."""
        rows, ranges = self.strategy(), np.zeros((2, self.game.layout.buckets[0]))
        for player, mine in enumerate(self.game.hands):
            reach = self.game.range[player] * reach_to(self.game, rows, player, node)
            ranges[player, mine.first] = reach
        free = ranges * ~holds(np.array([card], np.int8), self.game.ranks)
        game, entry = next_round(self.game, node, card, np.where(free.any(1)[:, None], free, 1.0))
        twin = RangeSolver(game, self.method)
        for name in ("regret", "total"):
            getattr(twin, name)[:] = np.where(entry < 0, 0, getattr(self, name)[entry])
        twin.iterations, twin.safe_from = self.iterations, self.safe_from
        return twin

    def nash_conv(self, last: bool = False) -> NashConv:
        """The values of the average strategy (or the last) and the gains of best responses.

        In chips, by player, over all boards. The best response has no buckets.
        """
        game, table = self.game, self.regret if last else self.total
        values, best = (
            np.array([
                _values_at(game, table, self.frozen, me, mode) @ chances.astype(float)
                for me, chances in enumerate(game.range)
            ]) / game.deals
            for mode in (PLAY, BEST)
        )  # fmt: skip
        return NashConv(float((best - values).sum()), best - values, values)

    def strategy(self, last: bool = False) -> np.ndarray:
        """The average strategy (or the last) of round 0 by hole; holes of no hand are uniform."""
        game, table = self.game, self.regret if last else self.total
        layout, node, holes = game.layout, game.tree.node, game.layout.buckets[0]
        strategy = np.empty(layout.size)
        for row in game.public.decisions[round_of(node[game.public.decisions[:, NODE], 0]) == 0]:
            _, _, _, actions, player, column, *_, x = (int(k) for k in row)
            hole = game.hands[player].first
            n = int(game.rows.buckets[0]) or len(hole)
            at = int(game.rows.base[0, player]) + column * n
            weight = table[at : at + actions * n].reshape(actions, n).T.astype(np.float64)
            if game.rows.buckets[0]:
                weight = weight[game.hands[player].bucket[: len(hole)]]
            weight = np.maximum(weight, 0)
            total = weight.sum(axis=1, keepdims=True)
            rows = np.full((holes, actions), 1 / actions)
            met = total[:, 0] > 0
            rows[hole[met]] = weight[met] / total[met]
            for (frozen_at, hand), fixed in zip(*self.frozen, strict=True):
                if frozen_at == x:
                    rows[hole[hand]] = fixed[:actions]
            first = infoset(layout, 0, game.seats[player], np.arange(holes)[:, None], node[x, 2])
            strategy[first + np.arange(actions)] = rows
        return strategy


def _entering(
    game: RangeGame, alternative: Alternative
) -> tuple[tuple[np.ndarray, np.ndarray], Gadget]:
    """The ranges of a safe solution before its first iteration, and the opponent's choice."""
    opponent = game.seats.index(alternative.seat)
    mine, theirs = game.hands[1 - opponent], game.hands[opponent]
    left = compatible(theirs, mine, game.range[1 - opponent].astype(np.float64))
    left[left < LEAST] = 0
    choice = gadget(alternative.gadget, opponent, alternative.values[theirs.first], left)
    ranges = [weights.copy() for weights in game.range]
    ranges[opponent][:] = choice.reach
    return (ranges[0], ranges[1]), choice


def values_by_hole(solver: RangeSolver, seats: int, node: int, best: bool) -> np.ndarray:
    """``values_at`` of a Solution, by a pass for each player over all boards.

    NaN also for holes of no hand, and for a hand that blocks the whole range of the opponent.
    """
    game, mode = solver.game, BEST if best else PLAY
    values = np.full((seats, game.layout.buckets[0]), np.nan)
    for me in (0, 1):
        if solver.safe_from in (None, game.seats[me]):
            chance, met = _facing(solver, me, node)
            here = _values_at(game, solver.total, solver.frozen, me, mode, node)
            here = here / np.where(met, chance, 1)
            values[game.seats[me], game.hands[me].first[met]] = here[met]
    return values


def action_values(solver: RangeSolver, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Net chips of the actor at ``node``, a decision of round 0, if it takes each action there.

    float64[actions, holes]; the others play the average strategy, and so does the actor later on.
    NaN as in :func:`values_by_hole`. Beside it the weight of the opponent's hands that go with each
    hole: float64[holes]. Each action costs a walk of the tree.
    """
    game, rows = solver.game, solver.game.public.decisions
    me = game.seats.index(game.tree.seat(node))
    hole, (chance, met) = game.hands[me].first, _facing(solver, me, node)
    actions = int(rows[rows[:, NODE] == node][0, ACTIONS])
    pairs = np.stack([np.full(len(hole), node), np.arange(len(hole))], axis=1).astype(np.int32)
    out = np.full((actions, game.layout.buckets[0]), np.nan)
    for action in range(actions):
        fixed = np.zeros((len(hole), int(rows[:, ACTIONS].max())), np.float32)
        fixed[:, action] = 1.0
        here = _values_at(game, solver.total, (pairs, fixed), me, PLAY, node)
        out[action, hole[met]] = (here / np.where(met, chance, 1))[met]
    beside = np.zeros(out.shape[1])
    beside[hole] = chance
    return out, beside


def _facing(solver: RangeSolver, me: int, node: int) -> tuple[np.ndarray, np.ndarray]:
    """The opponent's weight at ``node`` that goes with each hand, and whether there is any."""
    game = solver.game
    weight = game.range[1 - me] * reach_to(game, solver.strategy(), 1 - me, node)
    chance = compatible(game.hands[me], game.hands[1 - me], weight)
    return chance, chance > LEAST * weight.sum()


def reach_to(game: RangeGame, strategy: np.ndarray, player: int, node: int) -> np.ndarray:
    """The probability that ``player`` plays its part of the way to ``node``: float64[n] by hand."""
    tree, hole = game.tree, game.hands[player].first
    reach = np.ones(len(hole))
    for before, below in reversed(tree.steps(node)):
        if tree.seat(before) == game.seats[player]:
            rows = strategy_at(tree, game.layout, strategy, before)
            reach *= rows[hole, below - int(tree.node[before, 1])]
    return reach


def _values_at(
    game: RangeGame, table: np.ndarray, frozen: tuple[np.ndarray, np.ndarray], me: int, mode: int,
    node: int = 0,
) -> np.ndarray:  # fmt: skip
    """My hands' values at a decision of round 0, summed over the opponent's reach: float32[n]."""
    room = make_room(game)
    work = Pass(me, mode, table, table, np.zeros(5), game.boards.fan, np.uint64(0), *frozen, node)
    walk(_walked(game), work, room, _threads(room.lanes))
    return room.watched[: len(game.range[me])]


def _threads(lanes: np.ndarray) -> int | None:
    return len(lanes) if len(lanes) > 1 else None


def _walked(game: RangeGame) -> WalkGame:
    return WalkGame(game.public, game.boards, game.rows, game.hands, game.range)
