"""Two players from a public state to the end of the hand: all hands and all boards at once.

Full-width CFR as in :mod:`sixmax.cfr.vector`, on a public tree, boards and ranges instead of listed
deals. The rounds of ``tree`` are those of the subgame: the current one is round 0. On the river
nothing is abstracted or sampled; on the turn and the flop each iteration may walk some of the boards
only ("an optimized vector-based form of Linear CFR that samples one set of public board cards",
supplement, "Nested search"), and hands of later rounds may share buckets.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import hole_cards, n_holes
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.response import NashConv
from sixmax.cfr.terminal import terminal_value
from sixmax.cfr.vector import DCFR, LINEAR, Method, kept
from sixmax.errors import UserError
from sixmax.game.tree import DECISION, FOLDED, SIDEPOTS, Tree
from sixmax.jit import threads_in_use
from sixmax.rng import child
from sixmax.search.boards import Boards, boards
from sixmax.search.vector_kernels import (
    BEST,
    LANES,
    LEARN,
    PLAY,
    Pass,
    Public,
    Room,
    Rows,
    live_kernel,
    show_kernel,
    walk_below,
    walk_top,
)

MOST_BYTES = 8 << 30  # of regrets and sums together; more is refused
_CUT_DEPTH = 2  # on the river, what threads do begins this deep in the tree


class Endgame(NamedTuple):
    """What is to be solved, made by :func:`endgame`.

    layout: that of round 0, whose buckets are the H holes
    seats: the two players' seats in the tree, ascending: players 0 and 1
    range: float32[2, n]     weights of the hands, scaled to sum to 1
    deals: float             sum over the pairs of hands that share no card
    """

    tree: Tree
    layout: Layout
    boards: Boards
    public: Public
    rows: Rows
    seats: tuple[int, int]
    range: np.ndarray
    deals: float


def endgame(
    tree: Tree,
    board: str | Sequence[int] | np.ndarray,
    ranges: np.ndarray,
    buckets: tuple[np.ndarray | None, ...] = (),
    ranks: int = 13,
) -> Endgame:
    """Lay out the subgame of ``tree`` on ``board`` with ``ranges`` float64[2, H] by hole.

    Ranges are weights, not normalised, of the players in the order of their seats; what the board
    blocks counts nothing. ``buckets[r]``, int[boards of round r, H], has the hands of a later round
    share a strategy by bucket, whatever the board; None, or nothing, tells all apart. Raises
    UserError for boards, ranges or trees that do not fit, and for what would not fit in memory.
    """
    known = boards(board, ranks)
    rounds = len(known.fan)
    if tree.columns.shape[0] != rounds:
        raise UserError(
            f"tree of {tree.columns.shape[0]} rounds: wanted {rounds}, as many as a board of "
            f"{6 - rounds} cards leaves"
        )
    weight = _ranges(ranges, known, ranks)
    seats = _players(tree)
    rows = _rows(tree, known, buckets)
    entries = int(rows.base[-1])
    if 8 * entries > MOST_BYTES:
        raise UserError(
            f"subgame of {entries:,} entries: wanted at most {MOST_BYTES // 8:,}; give buckets for "
            "later rounds, or fewer raises"
        )
    game = Endgame(tree, _first(tree, ranks), known, _public(tree, seats, rounds), rows, seats,
                   weight.astype(np.float32), 0.0)  # fmt: skip
    deals = float(weight[0] @ left(game, weight[1]))
    if not deals > 0:
        raise UserError("ranges: found no two hands that go together, wanted one pair at least")
    return game._replace(deals=deals)


def _ranges(ranges: np.ndarray, known: Boards, ranks: int) -> np.ndarray:
    ranges = np.asarray(ranges, np.float64)
    if ranges.shape != (2, n_holes(ranks)):
        raise UserError(f"ranges: found shape {ranges.shape}, wanted (2, {n_holes(ranks)})")
    weight = ranges[:, known.hole]
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any(axis=1).all()):
        raise UserError("ranges: wanted weights of 0 or more, and some above 0 for each player")
    return weight / weight.sum(axis=1, keepdims=True)


def _players(tree: Tree) -> tuple[int, int]:
    """The seats of the two players who are left."""
    kinds = tree.node[:, 0] & 15
    if (kinds > SIDEPOTS).any():
        raise UserError("tree with leaves: wanted one that goes to the end of the hand")
    masks = np.unique(tree.node[(kinds != DECISION) & (kinds != FOLDED), 3])
    seats = [s for s in range(tree.columns.shape[1]) if (masks >> s & 1).any()]
    if len(masks) != 1 or len(seats) != 2:
        raise UserError(f"tree of the players {seats}: wanted two, both of them left")
    return seats[0], seats[1]


def _first(tree: Tree, ranks: int) -> Layout:
    """The layout of round 0 alone."""
    return layout(tree._replace(columns=tree.columns[:1]), [n_holes(ranks)])


def _public(tree: Tree, seats: tuple[int, int], rounds: int) -> Public:
    head, decision = tree.node[:, 0], tree.node[:, 0] & 15 == DECISION
    actions, in_round = head >> 12 & 255, head >> 8 & 15
    column = np.zeros(len(head), np.int64)
    for r in range(rounds):
        here = np.flatnonzero(decision & (in_round == r))
        column[here] = np.cumsum(actions[here]) - actions[here]
    stake = np.zeros((len(head), 2, 2))
    for x in np.flatnonzero(~decision):
        for player in (0, 1):
            stake[x, player] = _stake(tree, int(x), seats, player)
    return Public(*_parts(tree, seats, rounds), column, stake)


def _parts(tree: Tree, seats: tuple[int, int], rounds: int) -> tuple[np.ndarray, ...]:
    """The parts of the tree, as the first five of :class:`Public`."""
    size, depth = _sizes(tree)
    todo, decisions, ends, entries, first = [(0, 0)], [], [], [], [(0, 0, 0)]
    for top, r in todo:
        nodes, slots, rows, below, over = [(top, 0)], 1, 0, [], []
        while nodes:
            x, slot = nodes.pop()
            head, child = int(tree.node[x, 0]), int(tree.node[x, 1])
            n, dealt = head >> 12 & 255, head >> 8 & 15 > r
            if head & 15 != DECISION and (head & 15 == FOLDED or r == rounds - 1):
                over.append((x, slot, head & 15 != FOLDED))
            elif head & 15 != DECISION or dealt:
                below.append((x, r + 1, slot))
            elif rounds == 1 and depth[x] == _CUT_DEPTH and x != top:
                below.append((x, r, slot))
            else:
                player = int(head >> 4 & 15 == seats[1])
                decisions.append((x, slot, slots, rows, n, player))
                nodes.extend((child + a, slots + a) for a in range(n - 1, -1, -1))
                slots, rows = slots + n, rows + n
        below.sort(key=lambda e: -size[e[0]])  # largest first, so that threads end together
        entries.extend((len(todo) + i, slot) for i, (_, _, slot) in enumerate(below))
        todo.extend((x, r) for x, r, _ in below)
        ends.extend(sorted(over, key=lambda e: not e[2]))
        first.append((len(decisions), len(ends), len(entries)))
    tables = [
        np.array(table, np.int32).reshape(-1, width)
        for table, width in ((decisions, 6), (ends, 3), (entries, 2))
    ]
    return np.array([r for _, r in todo], np.int64), *tables, np.array(first, np.int64)


def _sizes(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """int64[nodes] each: nodes from here down, and actions from the root."""
    size, depth = np.ones((2, len(tree.parent)), np.int64)
    depth[0] = 0
    for x in range(1, len(depth)):
        depth[x] = depth[tree.parent[x]] + 1
    for x in range(len(size) - 1, 0, -1):
        size[tree.parent[x]] += size[x]
    return size, depth


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


def _stake(tree: Tree, x: int, seats: tuple[int, int], player: int) -> tuple[float, float]:
    """Net chips of a player at a terminal: where tied (or all that there is), and a win's more."""
    head, me = int(tree.node[x, 0]), seats[player]
    if head & 15 == FOLDED and head >> 4 & 15 != me:
        return -float(tree.node[tree.parent[x], 3]), 0.0
    rank, found = np.zeros((3, 1, tree.columns.shape[1]), np.int32), []
    rank[0, 0, me], rank[2, 0, me] = -1, 1
    for one in rank:
        net = np.empty(len(one[0]))
        found.append(terminal_value(tree.node, tree.contributed, one, head, x, me, net))
    lost, tied, won = found
    assert abs(lost + won - 2 * tied) < 1e-9, "two players share what they play for"
    return tied, won - tied


def _rows(tree: Tree, known: Boards, buckets: tuple[np.ndarray | None, ...]) -> Rows:
    rounds, n = len(known.fan), len(known.hole)
    columns = tree.columns.sum(axis=1).astype(np.int64)
    size, start, maps = np.full(rounds, n, np.int64), np.full(rounds, -1, np.int64), []
    many = known.count.copy()
    for r in range(rounds):
        given = buckets[r] if r < len(buckets) else None
        if given is None:
            continue
        if r == 0 or len(given) != many[r]:
            raise UserError(f"buckets of round {r}: found {len(given)} boards, wanted {many[r]}")
        start[r] = sum(m.size for m in maps)
        maps.append(np.ascontiguousarray(given[:, known.hole], np.int32).ravel())
        size[r], many[r] = int(maps[-1].max()) + 1, 1
    base = np.concatenate([[0], np.cumsum(many * columns * size)]).astype(np.int64)
    return Rows(base, columns, size, start, np.concatenate([*maps, np.empty(0, np.int32)]))


def left(game: Endgame, weight: np.ndarray) -> np.ndarray:
    """The weight of the opponent's hands that each hand leaves possible: float64[n]."""
    return _lane(game.boards, weight, 0, 0, 1.0, 0.0)


def equity(game: Endgame, ranges: np.ndarray, ranks: int = 13) -> np.ndarray:
    """The share of the pot of each player if nobody bets again: float64[2], exact."""
    known, (mine, theirs) = game.boards, _ranges(ranges, game.boards, ranks)
    last, share, pairs = len(known.fan) - 1, 0.0, 0.0
    for board in range(known.count[last]):
        share += mine @ _lane(known, theirs, last, board, 0.0, 0.5)
        pairs += mine @ _lane(known, theirs, last, board, 1.0, 0.0)
    return np.array([share / pairs, 1 - share / pairs])


def _lane(
    known: Boards, weight: np.ndarray, r: int, board: int, live: float, win: float
) -> np.ndarray:
    """By hand, ``live`` times what is left of a range, ``win`` times what is beaten (last round
    only), what is level counted half: float64[n], in double precision."""
    some = slice(int(known.start[r] + board * known.live[r]), None)
    order = known.order[some][: known.live[r]]
    low, high = (cards[some][: known.live[r]] for cards in (known.low, known.high))
    lanes, out = np.zeros((2, len(order), LANES))
    lanes[:, 0] = weight[order]
    held = np.empty((2, 64, LANES))
    live_kernel(lanes, low, high, np.full(LANES, live), out, held)
    if win:
        stop = known.stop[board * known.live[r] :][: known.live[r]]
        show_kernel(lanes, low, high, stop, np.full(LANES, win), out, held)
    found = np.zeros(len(weight))
    found[order] = out[:, 0]
    return found


class Solver:
    """Regrets and sums of strategies of an endgame, and the iterations done so far.

    ``sample`` boards are walked of those that follow one, by round (0: all of them); drawn by
    ``seed`` and the iteration. Then, and with buckets, the method must be LINEAR: it is the one
    that can be had by weighing iterations instead of discounting what is stored.
    """

    def __init__(
        self,
        game: Endgame,
        method: Method | None = None,
        sample: tuple[int, ...] = (),
        seed: int = 0,
    ):
        self.game, self.seed, self.iterations = game, seed, 0
        fan = game.boards.fan
        wanted = np.array([sample[r] if r < len(sample) else 0 for r in range(len(fan))], np.int64)
        self._some = np.where(wanted > 0, np.minimum(wanted, fan), fan)
        shared = bool((game.rows.start >= 0).any())
        self._weighed = shared or bool((self._some < fan).any())
        self.method = method or (LINEAR if self._weighed else DCFR)
        if self._weighed and self.method != LINEAR:
            raise ValueError(f"{self.method}: wanted LINEAR for sampled boards and for buckets")
        entries = int(game.rows.base[-1])
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
                keep = np.array([kept(t, self.method.alpha), kept(t, self.method.beta), shrink, 1.0])
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
            share[game.boards.hole[total > 0]] = (weight / np.where(total > 0, total, 1)).T[total > 0]
            begin = where.base[0, seat] + int(node[x, 2])
            hole = np.arange(where.buckets[0])[:, None] * where.columns[0, seat]
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
        work = Pass(me, what, table, self.total, keep, prior, some, draw)
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
    game: Endgame, iterations: int, method: Method | None = None, sample: tuple[int, ...] = (),
    seed: int = 0,
) -> Solver:  # fmt: skip
    """A :class:`Solver` after that many iterations."""
    return Solver(game, method, sample, seed).run(iterations)
