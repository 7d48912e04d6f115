"""Two players from a public state to the end of the hand: all hands and all boards at once.

The state may be that before the flop, with some flops, or all.

Full-width CFR on a public tree, boards and ranges instead of listed deals. On the river nothing is
abstracted or sampled. On the turn and the flop an iteration may walk a sample of the boards ("an
optimized vector-based form of Linear CFR that samples one set of public board cards", supplement,
"Nested search"), and hands of later rounds may share buckets.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import threads_in_use
from sixmax.base.rng import child
from sixmax.base.vectors import TILE
from sixmax.betting.tree import round_of
from sixmax.cards.deck import holds
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.gadget import Gadget, gadget, no_gadget
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import LINEAR, Method
from sixmax.search.result import Alternative, strategy_at
from sixmax.search.solvers.problem import FrozenRow
from sixmax.search.solvers.ranges.boards import SAME, Suits, alike
from sixmax.search.solvers.ranges.game import RangeGame, facing, next_round, rows_on
from sixmax.search.solvers.ranges.part_walk import BEST, LEARN, PLAY, Pass, WalkGame, make_room
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, NODE, PLAYER
from sixmax.search.solvers.ranges.walk import learn, walk

LEAST = 1e-12  # of a range: a hand with less of it left cannot be held
MOST_BYTES = 8 << 30  # of regrets, sums and predictions together; more is refused


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


class Summed(NamedTuple):
    """Sums of values and of the opponent's reach, as :class:`Pass` has them."""

    number: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    reaches: np.ndarray


def _summed(game: RangeGame, nodes: Sequence[int]) -> Summed:
    """Empty sums at the decisions ``nodes``."""
    number, first = np.full(len(game.tree.node), -1), game.boards.first
    rows, size = np.zeros((len(first) - 1, 3), np.int64), 0
    for x in nodes:
        r = game.tree.round(x)
        number[x], rows[r, 2] = rows[r, 2], rows[r, 2] + 1
    for r, player in np.ndindex(len(rows), 2):
        begin, end = game.hands[player].begin[first[r : r + 2]]
        rows[r, player] = size - begin * rows[r, 2]
        size += int(end - begin) * int(rows[r, 2])
    return Summed(number, rows, *np.zeros((2, size), np.float32))


def _table(entries: int) -> np.ndarray:
    """An empty table; TILE numbers more lie behind it, because a walk reads so many at a time."""
    return np.zeros(entries + TILE, np.float32)[:entries]


class RangeSolver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    An iteration walks ``sample[r]`` of the boards that follow a board of round r (0: all), drawn by
    ``seed`` and the iteration. With a sample the method must be LINEAR, because it alone can weight
    iterations instead of discounting the tables. A predictive method keeps half as much memory
    again; one that drifts wants its planned iterations (``Method.over``). With ``alternative``
    solving is safe: its seat chooses which of its hands enter, and its range does not count. Raises
    ValueError for a method, rows or alternatives that do not fit, or that tell apart suits which
    are alike in ``game`` (``endgame`` then wants :func:`kept_suits`); UserError where the tables
    have more than MOST_BYTES.
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
        if len(game.dealt) > 1 and not set(game.suits) <= set(kept):
            raise ValueError(
                "sampled boards, frozen rows or an alternative that tell suits apart: wanted a "
                "game laid out with their kept_suits"
            )
        if len(frozen) and game.rows.buckets[0]:
            raise ValueError("frozen rows: wanted a first round without buckets")
        method.factors(1)  # a plan is there
        n, needed = game.rows.entries, 4 * game.rows.entries * (3 if method.ahead else 2)
        if needed > MOST_BYTES:
            raise UserError(
                f"subgame with tables of {needed:,} bytes: wanted at most {MOST_BYTES:,}; give "
                "buckets for later rounds, or fewer raises"
            )
        self.regret, self.total = _table(n), _table(n)
        # Regrets with those expected next, which strategies are then matched from.
        self.expected = _table(n if method.ahead else 0)
        self.frozen, self.summed = _frozen(game, frozen), _summed(game, ())
        self._draw, self._room = child(seed, "boards"), None
        self.safe_from = None if alternative is None else alternative.seat
        self._walked, self._gadget = walked(game), no_gadget()
        if alternative is not None:
            self._walked, self._gadget = _entering(game, alternative)

    @classmethod
    def of_average(
        cls, game: RangeGame, method: Method, total: np.ndarray, iterations: int
    ) -> "RangeSolver":
        """A solver that knows sums of strategies ``total`` float32[entries] alone, as of a store.

        It plays and is scored; it has no regrets to run on from. Raises ValueError for other sizes.
        """
        solver = cls(game, method)
        if total.shape != solver.total.shape:
            raise ValueError(f"found {total.size:,} entries, wanted {solver.total.size:,}")
        solver.total[:], solver.iterations = total, iterations
        solver.regret = solver.expected = np.zeros(0, np.float32)
        return solver

    def sum_values(self, nodes: Sequence[int]) -> "RangeSolver":
        """Sum the values at the decisions ``nodes`` from now on, for values.mean_values."""
        self.summed = _summed(self.game, nodes)
        return self

    def run(self, iterations: int, spread: float = 0.0) -> "RangeSolver":
        """Run ``iterations`` more; players are updated in turn, the first seat first.

        ``spread`` is added to the reach of every hand in the average: without it a hand that never
        comes has regrets, but no average.
        """
        first, last = self.iterations + 1, self.iterations + iterations
        if self._weighted:
            steps = [(1.0, 1.0, 1.0, t) for t in range(first, last + 1)]
        else:
            keep = self.method.factors, self.method.shrink
            steps = [(*keep[0](t), keep[1](t), 1.0) for t in range(first, last + 1)]
        keeps = np.array([(*step, spread, first + i) for i, step in enumerate(steps)])
        kept = self.regret if len(self.expected) else self.expected
        work = Pass(
            0, LEARN, self._table(True), self.total, kept, np.zeros(6), self._sample, self._draw,
            *self.frozen, *self.summed,
        )  # fmt: skip
        if self._room is None or len(self._room.lanes) != threads_in_use():
            self._room = make_room(self.game)
        threads = _threads(self._room.lanes)
        learn(self._walked, self._gadget, work, self._room, threads, keeps.reshape(-1, 6))
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
        for name in ("regret", "total", "expected"):
            if len(table := getattr(self, name)):
                getattr(twin, name)[:] = np.where(entry < 0, 0, table[entry])
            else:
                setattr(twin, name, table)
        twin.iterations, twin.safe_from = self.iterations, self.safe_from
        return twin

    def nash_conv(self, last: bool = False) -> NashConv:
        """The values of the average strategy (or the last) and the gains of best responses.

        In chips, by player, over all boards. The best response has no buckets.
        """
        game, table = self.game, self._table(last)
        values, best = (
            np.array([
                values_at(game, table, self.frozen, me, mode) @ chances.astype(float)
                for me, chances in enumerate(game.range)
            ]) / game.deals
            for mode in (PLAY, BEST)
        )  # fmt: skip
        return NashConv(float((best - values).sum()), best - values, values)

    def strategy(self, last: bool = False) -> np.ndarray:
        """The average strategy (or the last) of round 0 by hole; holes of no hand are uniform."""
        game, table = self.game, self._table(last)
        layout, tree = game.layout, game.tree
        strategy = np.empty(layout.size)
        for row in game.public.decisions:
            x = int(row[NODE])
            if tree.round(x):
                continue
            (hole, shares), at = rows_on(game, table, row, 0), entries(tree, layout, x)
            strategy[at] = 1 / at.shape[1]
            strategy[at[hole]] = shares
            for (frozen_at, hand), fixed in zip(*self.frozen, strict=True):
                if frozen_at == x:
                    strategy[at[hole[hand]]] = fixed[: at.shape[1]]
        return strategy

    def _table(self, last: bool) -> np.ndarray:
        """The positive parts of its rows are the average strategy, or the last."""
        if not last:
            return self.total
        if not len(self.regret):
            raise UserError("a solution that was read has no regrets to go on from: solve it anew")
        return self.expected if len(self.expected) else self.regret


def _entering(game: RangeGame, alternative: Alternative) -> tuple[WalkGame, Gadget]:
    """The game of a safe solution before its first iteration, and the opponent's choice."""
    opponent = game.seats.index(alternative.seat)
    theirs = game.hands[opponent]
    left = facing(game, opponent, game.range[1 - opponent].astype(np.float64))
    left[left < LEAST] = 0
    choice = gadget(alternative.gadget, opponent, alternative.values[theirs.first], left)
    ranges, prior = [weights.copy() for weights in game.range], list(game.range)
    ranges[opponent][:] = choice.reach
    held = choice.left > 0
    prior[opponent] = (held / held.sum()).astype(np.float32)
    safe = walked(game)._replace(range=(ranges[0], ranges[1]), prior=(prior[0], prior[1]))
    return safe, choice


def reach_to(game: RangeGame, strategy: np.ndarray, player: int, node: int) -> np.ndarray:
    """The probability that ``player`` plays its part of the way to ``node``: float64[n] by hand."""
    tree, hole = game.tree, game.hands[player].first
    reach = np.ones(len(hole))
    for before, below in reversed(tree.steps(node)):
        if tree.seat(before) == game.seats[player]:
            rows = strategy_at(tree, game.layout, strategy, before)
            reach *= rows[hole, below - int(tree.node[before, 1])]
    return reach


def values_at(
    game: RangeGame, table: np.ndarray, frozen: tuple[np.ndarray, np.ndarray], me: int, mode: int,
    node: int = 0,
) -> np.ndarray:  # fmt: skip
    """My hands' values at a decision of round 0, summed over the opponent's reach: float32[n]."""
    room = make_room(game)
    work = Pass(
        me, mode, table, table, np.zeros(0, np.float32), np.zeros(6), game.boards.fan,
        np.uint64(0), *frozen, *_summed(game, ()), node,
    )  # fmt: skip
    walk(walked(game), work, room, _threads(room.lanes))
    return room.watched[: len(game.range[me])]


def _threads(lanes: np.ndarray) -> int | None:
    return len(lanes) if len(lanes) > 1 else None


def walked(game: RangeGame) -> WalkGame:
    return WalkGame(game.public, game.boards, game.rows, game.hands, game.range, game.range)
