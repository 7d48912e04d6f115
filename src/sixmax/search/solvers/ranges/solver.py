"""Two players from a public state to the end of the hand: all hands and all boards at once.

Full-width CFR as in :mod:`sixmax.cfr.full.solve`, on a public tree, boards and ranges instead of
listed deals. The rounds of the tree are those of the subgame: the current one is round 0. On the
river nothing is abstracted or sampled; on the turn and the flop an iteration may walk some of the
boards only ("an optimized vector-based form of Linear CFR that samples one set of public board
cards", supplement, "Nested search"), and hands of later rounds may share buckets.
"""

import numpy as np

from sixmax.cfr.full.best_response import NashConv
from sixmax.cfr.full.solve import LINEAR, Method, kept
from sixmax.game.tree import DECISION
from sixmax.jit import threads_in_use
from sixmax.rng import child
from sixmax.search.solvers.ranges.game import Endgame
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


def _make_room(game: "Endgame", threads: int) -> Room:
    """What that many threads work in."""
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
    """The fields of that name of :class:`Pass`. Raises ValueError for what is not there."""
    node, hand = game.tree.node, {int(h): i for i, h in enumerate(game.boards.hole)}
    width = int(game.public.decisions[:, 4].max())
    pairs, fixed = np.zeros((len(frozen), 2), np.int32), np.zeros((len(frozen), width), np.float32)
    for k, ((x, hole), given) in enumerate(frozen.items()):
        head, many = int(node[x, 0]), len(given)
        if head & 15 != DECISION or head >> 8 & 15 or hole not in hand or many != head >> 12 & 255:
            raise ValueError(
                f"frozen at node {x}, hole {hole}: {many} probabilities; wanted a decision of "
                "round 0, a hole that the board leaves, and one probability for each action"
            )
        pairs[k], fixed[k, :many] = (x, hand[hole]), given
    return pairs, fixed


class Solver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    ``sample`` boards are walked of those that follow one, by round (0: all of them); drawn by
    ``seed`` and the iteration. Then, and with buckets, the method must be LINEAR: it is the one
    that can be had by weighing iterations instead of discounting what is stored.

    ``frozen`` gives {(node of round 0, hole): probabilities of its actions}: what we have done with
    the hand that we hold stays done (Algorithm 2); other hands are free.
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
        self._some = np.where(wanted > 0, np.minimum(wanted, fan), fan)
        shared = bool((game.rows.start >= 0).any())
        self._weighed = shared or bool((self._some < fan).any())
        self.method = method
        if self._weighed and self.method != LINEAR:
            raise ValueError(f"{self.method}: wanted LINEAR for sampled boards and for buckets")
        entries = int(game.rows.base[-1])
        self._frozen, self._fixed = _freeze(game, frozen or {})
        self._room = _make_room(game, threads_in_use())
        self.regret, self.total = np.zeros(entries, np.float32), np.zeros(entries, np.float32)

    def run(self, iterations: int) -> "Solver":
        """That many iterations more; players are updated in turn, the first seat first."""
        for _ in range(iterations):
            self.iterations += 1
            t = self.iterations
            if self._weighed:
                keep = np.array([1.0, 1.0, 1.0, t])
            else:
                shrink = ((t - 1) / t) ** self.method.gamma
                keep = np.array(
                    [kept(t, self.method.alpha), kept(t, self.method.beta), shrink, 1.0]
                )
            for me in (0, 1):
                self._walk(me, LEARN, self.regret, keep, self._some)
        return self

    def nash_conv(self, last: bool = False) -> NashConv:
        """What each player wins by the average strategy (or the last), and could win more.

        In chips, in the order of the players; the best response tells all hands and all boards
        apart, and all boards are walked.
        """
        table, fan, keep = self.regret if last else self.total, self.game.boards.fan, np.zeros(4)
        values = np.array([self._value(me, PLAY, table, keep, fan) for me in (0, 1)])
        best = np.array([self._value(me, BEST, table, keep, fan) for me in (0, 1)])
        return NashConv(float((best - values).sum()), best - values, values)

    def strategy(self, last: bool = False) -> np.ndarray:
        """The average strategy of round 0 (or the last) for every hole: float64[layout.size].

        Laid out by ``game.layout``: entry ``base[0, seat] + hole * columns[0, seat] + slot + a``.
        Holes that the board blocks are uniform.
        """
        game, table = self.game, self.regret if last else self.total
        where, n = game.layout, len(game.boards.hole)
        found = np.empty(where.size)
        node = game.tree.node
        for x in np.flatnonzero((node[:, 0] & 15 == DECISION) & (node[:, 0] >> 8 & 15 == 0)):
            head, at = int(node[x, 0]), int(game.public.column[x]) * n
            seat, many = head >> 4 & 15, head >> 12 & 255
            weight = np.maximum(table[at : at + many * n].reshape(many, n), 0).astype(np.float64)
            total = weight.sum(axis=0)
            share = np.full((where.buckets[0], many), 1 / many)
            share[game.boards.hole[total > 0]] = (weight / np.where(total > 0, total, 1)).T[
                total > 0
            ]
            begin = where.base[0, seat] + int(node[x, 2])
            hole = np.arange(where.buckets[0])[:, None] * where.columns[0, seat]
            for (at, hand), given in zip(self._frozen, self._fixed, strict=True):
                if at == x:
                    share[game.boards.hole[hand]] = given[:many]
            found[begin + hole + np.arange(many)] = share
        return found

    def _value(
        self, me: int, what: int, table: np.ndarray, keep: np.ndarray, some: np.ndarray
    ) -> float:
        value = self._walk(me, what, table, keep, some)
        return float(self.game.range[me].astype(np.float64) @ value / self.game.deals)

    def _walk(
        self, me: int, what: int, table: np.ndarray, keep: np.ndarray, some: np.ndarray
    ) -> np.ndarray:
        """The values of the hands of ``me``, float32[n], unnormalised; learning on the way."""
        game = self.game
        prior, reach = game.range[me], game.range[1 - me]
        draw = child(self.seed, "boards", self.iterations)
        work = Pass(me, what, table, self.total, keep, prior, some, draw, self._frozen, self._fixed)
        own, out = np.ones(len(reach), np.float32), np.empty(len(reach), np.float32)
        values = np.empty((int(game.public.first[1, 2]), len(reach)), np.float32)
        if len(self._room.lanes) != threads_in_use():
            self._room = _make_room(game, threads_in_use())
        here = game.public, game.boards, game.rows, work, reach, own, self._room, values
        if len(values):
            walk_below(*here)
        walk_top(*here, out)
        return out


def solve(
    game: Endgame,
    iterations: int,
    method: Method = LINEAR,
    sample: tuple[int, ...] = (),
    seed: int = 0,
    frozen: dict[tuple[int, int], np.ndarray] | None = None,
) -> Solver:
    """A :class:`Solver` after that many iterations."""
    return Solver(game, method, sample, seed, frozen).run(iterations)
