"""The game that the solver of ranges takes: a public tree, its boards, two players' ranges."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import n_holes
from sixmax.cards.strength_ladder import add_beaten, live
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.terminal import terminal_value
from sixmax.errors import UserError
from sixmax.game.tree import (
    DECISION,
    FOLDED,
    SIDEPOTS,
    Tree,
    kind_of,
    n_actions,
    round_of,
    seat_of,
)
from sixmax.search.solvers.ranges.boards import Boards, boards
from sixmax.search.solvers.ranges.rows import Rows
from sixmax.search.solvers.ranges.terminals import LANES
from sixmax.search.solvers.ranges.traverse import Public

MOST_BYTES = 8 << 30  # of regrets and sums together; more is refused
_CUT_DEPTH = 2  # on the river, the threads' parts begin this deep in the tree


class Endgame(NamedTuple):
    """A subgame of two players to the end of the hand, laid out by :func:`endgame`.

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

    Ranges are weights, not normalised, of the players in the order of their seats; blocked holes
    are ignored. With ``buckets[r]``, int[boards of round r, H], all hands of a bucket in a later
    round share a strategy, on every board; with None, or no entry, each hand has its own on each
    board. Raises UserError for boards, ranges or trees that do not fit, and if memory is short.
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
    kinds = kind_of(tree.node[:, 0])
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
    head, decision = tree.node[:, 0], kind_of(tree.node[:, 0]) == DECISION
    actions, in_round = n_actions(head), round_of(head)
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
            n, dealt = n_actions(head), round_of(head) > r
            if kind_of(head) != DECISION and (kind_of(head) == FOLDED or r == rounds - 1):
                over.append((x, slot, kind_of(head) != FOLDED))
            elif kind_of(head) != DECISION or dealt:
                below.append((x, r + 1, slot))
            elif rounds == 1 and depth[x] == _CUT_DEPTH and x != top:
                below.append((x, r, slot))
            else:
                player = int(seat_of(head) == seats[1])
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


def _stake(tree: Tree, x: int, seats: tuple[int, int], player: int) -> tuple[float, float]:
    """Net chips of a player at a terminal: of a tie (or a fold), and the gain of a win over it."""
    head, me = int(tree.node[x, 0]), seats[player]
    if kind_of(head) == FOLDED and seat_of(head) != me:
        return -float(tree.node[tree.parent[x], 3]), 0.0
    ranks, net = np.zeros((3, 1, tree.columns.shape[1]), np.int32), np.empty(tree.columns.shape[1])
    ranks[0, 0, me], ranks[2, 0, me] = -1, 1
    lost, tied, won = (
        terminal_value(tree.node, tree.contributed, rank, head, x, me, net) for rank in ranks
    )
    assert abs(lost + won - 2 * tied) < 1e-9, "a win must gain as much as a loss costs"
    return tied, won - tied


def _rows(tree: Tree, known: Boards, buckets: tuple[np.ndarray | None, ...]) -> Rows:
    rounds, n = len(known.fan), len(known.hole)
    columns = tree.columns.sum(axis=1).astype(np.int64)
    size, start, maps = np.full(rounds, n, np.int64), np.full(rounds, -1, np.int64), []
    boards_of = known.count.copy()  # boards that tell hands apart, by round
    for r in range(rounds):
        given = buckets[r] if r < len(buckets) else None
        if given is None:
            continue
        if r == 0 or len(given) != boards_of[r]:
            raise UserError(
                f"buckets of round {r}: found {len(given)} boards, wanted {boards_of[r]}"
            )
        start[r] = sum(m.size for m in maps)
        maps.append(np.ascontiguousarray(given[:, known.hole], np.int32).ravel())
        size[r], boards_of[r] = int(maps[-1].max()) + 1, 1
    base = np.concatenate([[0], np.cumsum(boards_of * columns * size)]).astype(np.int64)
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
    known: Boards, weight: np.ndarray, r: int, board: int, left: float, win: float
) -> np.ndarray:
    """Card removal and strength on one board, by hand: float64[n].

    ``left`` times the weight of the opponent's possible hands, plus ``win`` times the weight of
    those that it beats, ties counted half (last round only).
    """
    begin = int(known.start[r] + board * known.live[r])
    on_board = slice(begin, begin + int(known.live[r]))
    order, low, high = known.order[on_board], known.low[on_board], known.high[on_board]
    lanes, out = np.zeros((2, len(order), LANES))
    lanes[:, 0] = weight[order]
    held = np.empty((2, 64, LANES))
    live(lanes, low, high, np.full(1, left), out, held[0])
    if win:
        stop = known.stop[board * known.live[r] :][: known.live[r]]
        add_beaten(lanes, low, high, stop, np.full(1, win), out, held[1])
    by_hand = np.zeros(len(weight))
    by_hand[order] = out[:, 0]
    return by_hand
