"""Two players from a public state to the end of the hand: all hands and all boards at once.

The state may be that before the flop, with some flops, or all. Full-width CFR on a public tree,
boards and ranges instead of listed deals. On the river nothing is abstracted or sampled. On the
turn and the flop an iteration may walk a sample of the boards ("an optimized vector-based form of
Linear CFR that samples one set of public board cards", supplement, "Nested search"), and hands of
later rounds may share buckets.
"""

import functools
from collections.abc import Sequence

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import threads_in_use
from sixmax.base.rng import child
from sixmax.base.vectors import TILE
from sixmax.cards.deck import holds
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.gadget import Gadget, gadget, no_gadget
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import LINEAR, Method
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.solvers.ranges.boards import SAME, Suits, alike
from sixmax.search.solvers.ranges.game import RangeGame, facing, next_round, reach_to, rows_on
from sixmax.search.solvers.ranges.half_rows import halved, write_out
from sixmax.search.solvers.ranges.part_walk import BEST, LEARN, PLAY, Pass, WalkGame
from sixmax.search.solvers.ranges.rows import summed
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, NODE, PLAYER, make_room
from sixmax.search.solvers.ranges.walk import learn, walk

NONE = np.zeros(0, np.float32)  # in the place of a table
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
    pairs = np.zeros((len(frozen), 2), np.int32)
    fixed = np.zeros((len(frozen), int(game.public.decisions[:, ACTIONS].max())), np.float32)
    for k, (x, hole, strategy) in enumerate(frozen):
        actions, player = rows[x] if x in rows and not game.tree.round(x) else (-1, 0)
        hand = np.flatnonzero(game.hands[player].first == hole)
        if actions != len(strategy) or not len(hand):
            raise ValueError(
                f"frozen at node {x}, hole {hole}: {len(strategy)} probabilities; wanted a "
                "decision of round 0, a hole of the player's range that the board leaves, and one "
                "probability for each action"
            )
        pairs[k], fixed[k, :actions] = (x, hand[0]), strategy
    return pairs, fixed


@functools.lru_cache(maxsize=8)  # a table solves hundreds of subgames alike
def _keeps(method: Method, first: int, last: int) -> np.ndarray:
    """``Pass.keep`` of the iterations ``first`` to ``last``: float64[., 6], to be copied."""
    keeps = np.zeros((last - first + 1, 6))
    for t in range(first, last + 1):
        keeps[t - first] = (*method.factors(t), method.shrink(t), 1, 0, t)
    return keeps


class RangeSolver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    An iteration walks ``sample[r]`` of the boards that follow a board of round r (0: all), drawn by
    ``seed`` and the iteration. With a sample hands of all later rounds share buckets, whose rows
    are discounted once an iteration, whether a walk met them or not. A predictive method keeps half
    as much memory again; one that drifts wants its planned iterations (``Method.over``). Tables are
    int16 where ``game`` is that of :func:`sixmax.search.solvers.ranges.half_rows.halved`. With
    ``alternative`` solving is safe: its seat chooses which of its hands enter, and its range does
    not count. Raises ValueError for boards to draw, rows or alternatives that do not fit, or that
    tell apart suits which are alike in ``game`` (``endgame`` then wants :func:`kept_suits`);
    UserError where the tables have more than MOST_BYTES.
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
        if (self._sample < fan).any() and not game.rows.buckets[1:].all():
            raise ValueError("boards to draw: wanted buckets in all later rounds")
        kept = kept_suits(game.board, game.ranks, self._sample < fan, frozen, alternative)
        if len(game.dealt) > 1 and not set(game.suits) <= set(kept):
            raise ValueError(
                "sampled boards, frozen rows or an alternative that tell suits apart: wanted a "
                "game laid out with their kept_suits"
            )
        if len(frozen) and game.rows.buckets[0]:
            raise ValueError("frozen rows: wanted a first round without buckets")
        method.factors(1)  # a plan is there
        n, tables = game.rows.entries, 3 if method.ahead else 2
        half = bool(game.rows.behind)
        if (needed := (2 if half else 4) * n * tables) > MOST_BYTES:
            raise UserError(
                f"subgame with tables of {needed:,} bytes: wanted at most {MOST_BYTES:,}; give "
                "16 bits, buckets for later rounds, or fewer raises"
            )
        # TILE numbers more lie behind a table of 32 bits: a walk reads so many at a time.
        number, behind = (np.int16, 0) if half else (np.float32, TILE)
        each = np.zeros((tables, n + behind), number)[:, :n]
        self._half = each if half else np.zeros((0, n), np.int16)
        # Expected: regrets with those of the last step again, which strategies are matched from.
        self.regret, self.total = each[2 if method.ahead else 0], each[1]
        self.expected = each[0, : n if method.ahead else 0]
        self.frozen = _frozen(game, frozen)
        self.sum_values(())
        self._draw, self._room = child(seed, "boards"), None
        self.safe_from = None if alternative is None else alternative.seat
        self._walked, self._gadget = walked(game), no_gadget()
        if alternative is not None:
            self._walked, self._gadget = _entering(game, alternative)

    @classmethod
    def of_average(
        cls, game: RangeGame, method: Method, total: np.ndarray, iterations: int
    ) -> "RangeSolver":
        """A solver that knows sums of strategies ``total`` alone, as of a store.

        float32[entries], or int16[entries] of half width. It plays and is scored; it has no regrets
        to run on from. Raises ValueError for other sizes.
        """
        solver = cls(halved(game) if total.dtype == np.int16 else game, method)
        if total.shape != solver.total.shape:
            raise ValueError(f"found {total.size:,} entries, wanted {solver.total.size:,}")
        solver.total[:], solver.iterations = total, iterations
        solver.regret = solver.expected = np.zeros(0, total.dtype)
        return solver

    def sum_values(self, nodes: Sequence[int]) -> "RangeSolver":
        """Sum the values at the decisions ``nodes`` from now on, for values.mean_values."""
        self.summed = summed(self.game.tree, self.game.boards.first, self.game.hands, nodes)
        return self

    def run(self, iterations: int, spread: float = 0.0) -> "RangeSolver":
        """Run ``iterations`` more; players are updated in turn, the first seat first.

        ``spread`` is added to the reach of every hand in the average: without it a hand that never
        comes has regrets, but no average.
        """
        first, last = self.iterations + 1, self.iterations + iterations
        keeps = _keeps(self.method, first, last).copy()
        keeps[:, 4] = spread
        table, kept = self._table(True), self.regret if len(self.expected) else self.expected
        whole = (NONE,) * 3 if len(self._half) else (table, self.total, kept)
        work = Pass(
            0, LEARN, *whole, self._half, np.zeros(6), self._sample, self._draw,
            *self.frozen, *self.summed,
        )  # fmt: skip
        if self._room is None or len(self._room.lanes) != threads_in_use():
            self._room = make_room(self.game.public, self.game.rows, self.game.hands)
        learn(self._walked, self._gadget, work, self._room, _threads(self._room.lanes), keeps)
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
            if len(table := self._whole(getattr(self, name))):
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

    def _whole(self, table: np.ndarray) -> np.ndarray:
        """``table`` in 32 bits, each number at its place."""
        if table.dtype == np.float32:
            return table
        out = np.zeros(table.shape, np.float32)
        if len(table):
            write_out(self._walked, table, out)
        return out

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
    return walked(game)._replace(range=tuple(ranges), prior=tuple(prior)), choice


def values_at(
    game: RangeGame, table: np.ndarray, frozen: tuple[np.ndarray, np.ndarray], me: int, mode: int,
    node: int = 0,
) -> np.ndarray:  # fmt: skip
    """My hands' values at a decision of round 0, summed over the opponent's reach: float32[n]."""
    room = make_room(game.public, game.rows, game.hands)
    whole, half = table, np.zeros((0, 0), np.int16)
    if table.dtype != np.float32:
        whole, half = NONE, table[None]
    work = Pass(
        me, mode, whole, whole, NONE, half, np.zeros(6), game.boards.fan,
        np.uint64(0), *frozen, *summed(game.tree, game.boards.first, game.hands, ()), node,
    )  # fmt: skip
    walk(walked(game), work, room, _threads(room.lanes))
    return room.watched[: len(game.range[me])]


def _threads(lanes: np.ndarray) -> int | None:
    return len(lanes) if len(lanes) > 1 else None


def walked(game: RangeGame) -> WalkGame:
    return WalkGame(game.public, game.boards, game.rows, game.hands, game.range, game.range)
