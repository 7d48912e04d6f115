"""The public tree of a subgame of two players in parts.

A part is walked on a board at once: reach goes down, all its terminals are valued, values go up.
In the last round, where nearly all the work is, a large subtree is several parts, which threads
share. A walk has working memory for the parts on its path.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import threads_in_use
from sixmax.base.vectors import TILE
from sixmax.betting.tree import FOLDED, Tree, is_decision, kind_of, n_actions, round_of, seat_of
from sixmax.cfr.advance import terminal_value
from sixmax.search.solvers.ranges.hands import CARDS, Hands
from sixmax.search.solvers.ranges.rows import HandRows

BLOCKS = 16  # of the boards after the first; threads share them
_NODES = 160  # of a part in the last round, about: more gain nothing, fewer cost time

SLOT, CHILD, ROW, ACTIONS, PLAYER, COLUMN, SOURCE, _, NODE = range(9)  # of Public.decisions
DECISIONS, ROOTS, PARTS, ENDS = range(4)  # of Public.first; after ENDS those of player 1


class Public(NamedTuple):
    """Parts, for players 0 and 1 in the order of their seats.

    A part is some subtrees within a round. Its nodes have slots, and the actions of its decisions
    rows, both from 0. A player's reach changes by its own actions alone: at a node it is the reach
    at the player's *source*, the slot after its last action in the part, or the root.

    decisions: slot, slot of its first child, its first row, actions, player, column among the
        player's actions of the round, the sources of both players, node; each before those below it
    ends: terminals with one source of the opponent: the source, the slot of the fold, the slot of
        the showdown; -1 for none. Showdowns come first
    roots: of a part, its first slots: slot in the part before, and there the sources of both
    first: where a part's decisions, roots, following parts, ends with values of player 0, and those
        of player 1 begin
    """

    round: np.ndarray  # int64[parts]
    dealt: np.ndarray  # bool[parts]: whether a card is dealt before the part
    decisions: np.ndarray  # int64[., 9]
    ends: np.ndarray  # int64[., 3]
    stake: np.ndarray  # float64[., 3]: net chips of the fold, of a tie, the gain of a win over it
    roots: np.ndarray  # int64[., 3]
    first: np.ndarray  # int64[parts + 1, 5]


class Room(NamedTuple):
    """Working memory, float32 by thread and level: the parts on the path to the current one."""

    reach: np.ndarray  # [threads, levels, slots, n]
    own: np.ndarray  # the same
    value: np.ndarray  # the same
    strategy: np.ndarray  # [threads, levels, rows, n]
    prior: np.ndarray  # [threads, levels, n]: weights of my hands
    lanes: np.ndarray  # [threads, n + 1, TILE]
    won: np.ndarray  # the same
    alive: np.ndarray  # the same
    sums: np.ndarray  # [threads, 3 n + 53, TILE]: over the hands of Hands.order, a zero before each
    scale: np.ndarray  # [threads, 3, TILE]: chips of a fold, of a tie, and a win's gain over it
    values: np.ndarray  # [BLOCKS, slots, n]: of the first part, from the boards of a block
    frames: np.ndarray  # int64[threads, levels, 4]: part, board, part that follows, its boards done
    added: np.ndarray  # [rows.shared]: regrets of rows by bucket, of this iteration
    watched: np.ndarray  # [n]: values of my hands at the decision that is watched
    spare: np.ndarray  # [threads, n]: a row before suits are renamed
    whole: np.ndarray  # [threads, 3, .]: the rows of a decision in all tables, out of half width


def make_room(public: Public, rows: HandRows, hands: Sequence[Hands]) -> Room:
    """Working memory of the threads in use."""
    threads = threads_in_use()
    n = max(len(h.first) for h in hands)
    n += -n % TILE  # the last tile of a row is written whole
    parts, actions = len(public.round), public.decisions[:, ACTIONS]
    roots = int(np.diff(public.first[:, ROOTS]).max())
    slots = max(roots, int((public.decisions[:, CHILD] + actions).max(initial=1)))
    slots += 1  # the last is written for no end
    most = int(actions.max(initial=1)) * n + TILE if rows.behind else 0
    below = int((public.decisions[:, ROW] + actions).max(initial=1))
    level = np.zeros(parts, np.int64)
    for part in range(parts):
        level[public.first[part, PARTS] : public.first[part + 1, PARTS]] = level[part] + 1
    levels, blocks = int(level.max()) + 1, BLOCKS if parts > 1 else 0
    by_slot = (np.zeros((threads, levels, slots, n), np.float32) for _ in range(3))
    lanes = (np.zeros((threads, n + 1, TILE), np.float32) for _ in range(3))
    return Room(
        *by_slot,
        np.zeros((threads, levels, below, n), np.float32),
        np.zeros((threads, levels, n), np.float32),
        *lanes,
        np.zeros((threads, 3 * n + CARDS + 1, TILE), np.float32),
        np.zeros((threads, 3, TILE), np.float32),
        np.zeros((blocks, slots, n), np.float32),
        np.zeros((threads, levels, 4), np.int64),
        np.zeros(rows.shared, np.float32),
        np.zeros(n, np.float32),
        np.zeros((threads, n), np.float32),
        np.zeros((threads, 3, most), np.float32),
    )


class _Reached(NamedTuple):
    """A node with its slot and the sources of both players."""

    node: int
    slot: int
    source: tuple[int, int]


def public(tree: Tree, seats: tuple[int, int], rounds: int, folds: int = 0) -> Public:
    """The parts of ``tree``, of the players in ``seats``; those that follow a part come later.

    Folds are valued where they happen, from round ``folds`` on; those before it in that round.
    """
    column, size = _columns(tree), _sizes(tree)
    last = round_of(tree.node[:, 0]) == rounds - 1
    cut = last & (size <= _NODES) & (size[tree.parent] > _NODES)
    todo: list[tuple[int, bool, list[_Reached]]] = [(0, False, [_Reached(0, 0, (0, 0))])]
    decisions, roots, ends, stake, first = [], [], [], [], []
    for r, _, above in todo:
        begin = (len(decisions), len(roots), len(todo))
        roots.extend((root.slot, *root.source) for root in above)
        valued = r >= folds, r == rounds - 1
        inner, over, below = _part(tree, seats, [root.node for root in above], r, cut, valued)
        decisions.extend((*row, column[x], *source, x) for x, source, *row in inner)
        dealt = r < rounds - 1
        todo.extend((r + dealt, dealt, some) for some in _share_out(below, size))
        for player in (0, 1):
            begin += (len(ends),)
            for sources, chips in _ends(tree, over, seats, player):
                ends.append(sources)
                stake.append(chips)
        first.append(begin)
    first.append((len(decisions), len(roots), len(todo), len(ends), len(ends)))
    tables = ((decisions, 9), (ends, 3), (roots, 3))
    decision, end, root = (np.array(rows, np.int64).reshape(-1, width) for rows, width in tables)
    chips = np.array(stake, np.float64).reshape(-1, 3)
    in_round, dealt_before = (np.array([part[i] for part in todo]) for i in (0, 1))
    return Public(in_round, dealt_before, decision, end, chips, root, np.array(first))


def _part(
    tree: Tree,
    seats: tuple[int, int],
    tops: list[int],
    r: int,
    cut: np.ndarray,
    valued: tuple[bool, bool],
) -> tuple[list[tuple], list[_Reached], list[_Reached]]:
    """The decisions of the part with the roots ``tops``, its terminals, and the roots below it.

    ``valued`` says whether folds are terminals of the part, and whether all-ins are.
    A decision is node, sources, and the first five numbers of a row of ``Public.decisions``.
    """
    inner, over, below, slots, rows = [], [], [], len(tops), 0
    nodes = [_Reached(x, slot, (slot, slot)) for slot, x in enumerate(tops)][::-1]
    while nodes:
        reached = nodes.pop()
        x, slot, source = reached
        head, child = int(tree.node[x, 0]), int(tree.node[x, 1])
        decision = is_decision(head)
        if not decision and valued[kind_of(head) != FOLDED]:
            over.append(reached)
        elif not decision or round_of(head) > r or (cut[x] and x not in tops):
            below.append(reached)
        else:
            player, n = seats.index(seat_of(head)), n_actions(head)
            inner.append((x, source, slot, slots, rows, n, player))
            for a in range(n - 1, -1, -1):
                after = (slots + a, source[1]) if player == 0 else (source[0], slots + a)
                nodes.append(_Reached(child + a, slots + a, after))
            slots, rows = slots + n, rows + n
    return inner, over, below


def _share_out(below: list[_Reached], size: np.ndarray) -> list[list[_Reached]]:
    """The roots of the parts that follow one, about equal in size, in the order of the tree."""
    slots = int(sum(size[reached.node] for reached in below))
    pieces = min(len(below), max(1, round(slots / _NODES)))
    parts, load = [[] for _ in range(pieces)], [0] * pieces
    for reached in sorted(below, key=lambda reached: -size[reached.node]):
        least = load.index(min(load))
        parts[least].append(reached)
        load[least] += int(size[reached.node])
    return parts


def _ends(
    tree: Tree, over: list[_Reached], seats: tuple[int, int], player: int
) -> list[tuple[list[int], list[float]]]:
    """The rows of ``Public.ends`` and ``Public.stake``: one for each source of the opponent."""
    rows: dict[int, tuple[list[int], list[float]]] = {}
    for x, slot, sources in over:
        tie, win = chips_at(tree, x, seats, player)
        source, fold = sources[1 - player], tree.kind(x) == FOLDED
        slots, chips = rows.setdefault(source, ([source, -1, -1], [0.0, 0.0, 0.0]))
        assert slots[1 if fold else 2] < 0, "a source has one fold and one showdown at most"
        if fold:
            slots[1], chips[0] = slot, tie
        else:
            slots[2], chips[1:] = slot, (tie, win)
    return sorted(rows.values(), key=lambda row: row[0][2] < 0)


def chips_at(tree: Tree, x: int, seats: tuple[int, int], player: int) -> tuple[float, float]:
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


def _columns(tree: Tree) -> np.ndarray:
    """int64[nodes]: the first action of a decision among those of its round and player."""
    head = tree.node[:, 0]
    column, actions = np.zeros(len(head), np.int64), n_actions(head)
    for r, seat in np.ndindex(tree.columns.shape):
        mine = is_decision(head) & (round_of(head) == r) & (seat_of(head) == seat)
        column[mine] = np.cumsum(actions[mine]) - actions[mine]
    return column


def _sizes(tree: Tree) -> np.ndarray:
    """int64[nodes]: the nodes of the same round from here down."""
    size, in_round = np.ones(len(tree.parent), np.int64), round_of(tree.node[:, 0])
    for x in range(len(size) - 1, 0, -1):
        above = tree.parent[x]
        size[above] += size[x] * (in_round[x] == in_round[above])
    return size
